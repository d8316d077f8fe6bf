"""Author disambiguation on generated worlds of several sizes, whose persons are known.

    python benchmarks/authors.py            300 and 4,000 full texts; a minute
    python benchmarks/authors.py --large    also 16,000; ten minutes, nearly all for the worlds
    python benchmarks/authors.py --quick    300 full texts, results not kept

The by-lines and citations of a world are built as tables, without the full texts. Names on by-lines
of full texts are measured.
"""

from __future__ import annotations

import argparse

import measure

SIZES = (300, 4_000)
LARGE = 16_000
NOTES = (
    "Generated worlds (seed 0), by-lines and citations only. `printed`: ORCIDs as the by-lines "
    "print them, on a third of the names; `hidden`: without ORCIDs. Precision (P) and recall (R) "
    "over pairs of names, and by B-cubed, of all names on by-lines of full texts; the interval is "
    "the 95% interval of the B-cubed F1 over persons. The more papers, the more persons have each "
    "surname and initial. CPU seconds are those of the disambiguation alone, its compilation "
    "included. `platform evaluate authors` measures a store of your own."
)
COLUMNS = {
    "papers": "full texts",
    "orcids": "ORCIDs",
    "works": "works",
    "names": "names measured",
    "pairwise precision": "pairs P",
    "pairwise recall": "pairs R",
    "pairwise F1": "pairs F1",
    "B-cubed precision": "B-cubed P",
    "B-cubed recall": "B-cubed R",
    "B-cubed F1": "B-cubed F1",
    "interval": "95% interval",
    "cpu_seconds": "CPU s",
    "extra_mb": "peak MB above inputs",
}


def child(papers: int, orcids: str) -> None:
    """Resolves the authors of one world."""
    import pyarrow as pa

    from citescape.demo.by_lines import build_by_lines, label_signatures
    from citescape.demo.world import generate_world
    from citescape.ingest.authors import neighbourhood_authors
    from citescape.metrics.clusterings import count_clusters, measure_clusters

    generated = build_by_lines(generate_world(papers=papers))
    works = generated.papers
    if orcids == "hidden":
        none = pa.nulls(works.num_rows, works["orcids"].type)
        works = works.set_column(works.schema.get_field_index("orcids"), "orcids", none)
    with measure.metered() as cost:
        resolved = neighbourhood_authors(works, generated.cites)
    found, truth = label_signatures(generated, resolved)
    measured = measure_clusters(count_clusters(found, truth))
    cubed = measured["B-cubed F1"]
    measure.report(
        cost,
        papers=papers,
        orcids=orcids,
        works=works.num_rows,
        names=len(found),
        interval=f"{cubed.low:.4f} to {cubed.high:.4f}",
        **{name: round(interval.mean, 4) for name, interval in measured.items()},
    )


def main() -> None:
    """Runs all sizes, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smallest size only")
    parser.add_argument("--large", action="store_true", help=f"also {LARGE:,} full texts")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(int(options.child[0]), options.child[1])
    rows = [
        measure.run_alone(__file__, "--child", str(papers), orcids)
        for papers in (SIZES[:1] if options.quick else (*SIZES, *([LARGE] * options.large)))
        for orcids in ("printed", "hidden")
    ]
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("numpy", "numba", "pyarrow", "scipy")
    path = measure.write_results("authors", rows, libraries=libraries, notes=NOTES, columns=COLUMNS)
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
