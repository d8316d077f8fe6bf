"""From an archive of full texts to a queryable ladybug store, and the same archive again.

    python benchmarks/ingest.py [--archive PATH] [--workers N]

Memory is that of the main process and of its largest worker, each measured by the kernel.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
from pathlib import Path

import measure

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")


def child(archive: Path, store: Path, workers: int) -> None:
    """One ingest and what it cost."""
    from citescape.graph.ingest import IngestConfig, ingest
    from citescape.graph.store import open_store

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


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, default=DATA / "oa_crops.tar.xz")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.archive, options.child, options.workers)
    rows: list[measure.Row] = []
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "corpus.lbug"
        for what in ("first", "again, unchanged"):
            arguments = ("--archive", options.archive, "--workers", options.workers)
            found = measure.run_alone(__file__, *arguments, "--child", store)
            size = round(store.stat().st_size / 1e6, 1)
            rows.append({"ingest": what, "store_mb": size, **found})
    for row in rows:
        row["share_of_first"] = round(row["wall_seconds"] / rows[0]["wall_seconds"], 3)
    columns = {
        "ingest": "ingest",
        "wall_seconds": "wall s",
        "cpu_seconds": "main CPU s",
        "worker_cpu_seconds": "workers CPU s",
        "peak_mb": "main peak MB",
        "worker_peak_mb": "largest worker MB",
        "store_mb": "store MB",
        "share_of_first": "share of first",
        "fulltext_papers": "papers",
        "occurrences": "occurrences",
    }
    measure.print_table(rows, columns)
    libraries = ("ladybug", "pyarrow", "lxml", "sentencex")
    path = measure.write_results(
        "ingest", rows, libraries=libraries, archive=options.archive.name, workers=options.workers
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
