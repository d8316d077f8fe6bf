"""Ingesting an archive of full texts into a ladybug store, and ingesting it again.

    python benchmarks/ingest.py [--archive PATH] [--workers N]

Times include opening, writing and closing the store.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
from pathlib import Path

import measure

COLUMNS = {
    "ingest": "ingest",
    "wall_seconds": "wall s",
    "cpu_seconds": "main CPU s",
    "worker_cpu_seconds": "workers CPU s",
    "all_peak_mb": "peak MB, all processes",
    "peak_mb": "main",
    "worker_peak_mb": "largest worker",
    "store_mb": "store MB",
    "share_of_first": "share of first",
    "fulltext_papers": "full texts",
    "papers": "papers",
    "occurrences": "citations in the text",
    "citations": "pairs",
}
NOTES = (
    "{archive} with {workers} workers. The memory of all processes together is sampled four "
    "times a second and counts shared pages once. The memory of the main process and of the "
    "largest worker is the peak that the kernel reports."
)
DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")


def child(archive: Path, store: Path, workers: int) -> None:
    """One ingest and its costs."""
    from citescape.ingest.config import IngestConfig
    from citescape.ingest.ingest import ingest
    from citescape.store.graph_store import open_store

    graph = open_store(str(store))
    with measure.metered() as cost:
        result = ingest(graph, [archive], IngestConfig(workers=workers))
        graph.close()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    measure.report(
        cost,
        papers=result.papers,
        fulltext_papers=result.fulltext_papers,
        occurrences=result.occurrences,
        citations=result.citations,
        worker_cpu_seconds=round(children.ru_utime + children.ru_stime, 2),
        worker_peak_mb=round(children.ru_maxrss / 1024, 1),
        documents=dict(result.status),
    )


def measure_twice(archive: Path, workers: int) -> list[measure.Row]:
    """The archive into a new store, and the same archive once more."""
    rows: list[measure.Row] = []
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "corpus.lbug"
        for what in ("first", "again, unchanged"):
            arguments = ("--archive", archive, "--workers", workers, "--child", store)
            found = measure.run_alone(__file__, *arguments)
            size = round(store.stat().st_size / 1e6, 1)
            rows.append({"ingest": what, "store_mb": size, **found})
    for row in rows:
        row["share_of_first"] = round(row["wall_seconds"] / rows[0]["wall_seconds"], 3)
    return rows


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, default=DATA / "oa_crops.tar.xz")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.archive, options.child, options.workers)
    rows = measure_twice(options.archive, options.workers)
    measure.print_table(rows, COLUMNS)
    path = measure.write_results(
        "ingest",
        rows,
        libraries=("ladybug", "pyarrow", "lxml", "sentencex"),
        notes=NOTES.format(archive=options.archive.name, workers=options.workers),
        columns=COLUMNS,
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
