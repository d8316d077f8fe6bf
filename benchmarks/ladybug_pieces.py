"""What it costs to fill a relationship table of ladybug, by the number of rows in one COPY.

python benchmarks/ladybug_pieces.py            3,000,000 citations; three minutes
python benchmarks/ladybug_pieces.py --quick    30,000, results not kept
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import measure
import numpy as np
import pyarrow as pa

COLUMNS = {
    "papers": "papers",
    "citations": "citations",
    "piece": "rows a COPY",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "extra_mb": "MB above inputs",
}
NOTES = (
    "Ten citations of each paper, of papers drawn at random (seed 0; those first in the list more "
    "often). Each COPY is a transaction; the buffer pool has 1 GB, that of a store."
)


def child(papers: int, piece: int, location: str) -> None:
    """Fills a new store."""
    from citescape.store.graph_store import Change
    from citescape.store.ladybug import keys
    from citescape.store.ladybug.adapter import LadybugStore
    from citescape.store.schema import TABLE

    def fill(name: str, columns: dict[str, pa.Array]) -> pa.Table:
        schema, rows = TABLE[name].arrow, len(next(iter(columns.values())))
        return pa.table({f.name: columns.get(f.name, pa.nulls(rows, f.type)) for f in schema})

    keys._RELATIONSHIPS = piece
    ids = pa.array([f"P{n:08d}" for n in range(papers)])
    citing = np.repeat(np.arange(papers), 10)
    cited = (np.random.default_rng(0).random(len(citing)) ** 2 * papers).astype(int)
    pairs = np.unique(citing * papers + cited)
    ends = {"from": ids.take(pa.array(pairs // papers)), "to": ids.take(pa.array(pairs % papers))}
    citations = fill("CITES", ends)
    store = LadybugStore.open(location)
    store.apply([Change("insert", "Paper", fill("Paper", {"id": ids}))])
    with measure.metered() as cost:
        store.apply([Change("insert", "CITES", citations)])
    measure.report(cost, citations=len(pairs))
    store.close()


def main() -> None:
    """Measures all sizes, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="3,000 papers")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        papers, piece, location = options.child
        return child(int(papers), int(piece), location)
    rows: list[measure.Row] = []
    papers = 3_000 if options.quick else 300_000
    for share in (20, 5, 3):
        piece = 10 * papers // share
        with tempfile.TemporaryDirectory() as folder:
            found = measure.run_alone(
                __file__, "--child", papers, piece, Path(folder, "corpus.lbug")
            )
        rows.append({"papers": papers, "piece": piece, **found})
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        libraries = ("ladybug", "pyarrow")
        path = measure.write_results(
            "ladybug_pieces", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
