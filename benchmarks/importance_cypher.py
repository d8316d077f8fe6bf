"""Importance by the bulk kernel and by Cypher in the database, on both engines.

    python benchmarks/importance_cypher.py [ARCHIVE]            a million generated pairs; an hour
    python benchmarks/importance_cypher.py [ARCHIVE] --quick    20,000 pairs, results not kept

ARCHIVE is an archive of full texts that is scored too. Each method begins with a graph without
scores, and must write the same importance, bit for bit. CPU is counted for client and server. The
server runs with the settings of the tests (first JVM compiler only) and a heap of 4 GB.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import importance
import measure
import neo4j_load

METHODS = ("kernel", "cypher")
NOTES = (
    "Both methods write nine properties to each pair of a graph without scores; `again` is a "
    "second run, which has nothing to write. On ladybug the client is the database. Peak memory is "
    "that of the client. Scores of all methods and engines are equal, bit for bit."
)
COLUMNS = {
    "corpus": "corpus",
    "engine": "engine",
    "method": "`--with`",
    "pairs": "pairs",
    "cpu_seconds": "client CPU s",
    "server_cpu_seconds": "server CPU s",
    "wall_seconds": "wall s",
    "again_seconds": "again, wall s",
    "peak_mb": "client peak MB",
}
CLEAR = """
UNWIND $papers AS paper
MATCH (:Paper {id: paper})-[pair:CITES]->(:Paper)
SET pair.mentions = NULL, pair.f_I = NULL, pair.f_M = NULL, pair.f_R = NULL, pair.f_D = NULL,
  pair.f_other = NULL, pair.self = NULL, pair.importance = NULL, pair.run = NULL
"""


def child(address: str, method: str, pid: int) -> None:
    """Measures one method on a graph without scores."""
    from citescape.importance.in_database import score_in_database
    from citescape.importance.score import score
    from citescape.store.graph_store import open_store
    from citescape.store.queries import query

    store = open_store(address)
    papers = store.read(query("features/citing_papers"))["id"].to_pylist()
    for start in range(0, len(papers), 1_000):
        store.run(CLEAR, papers=papers[start : start + 1_000])
    way = score if method == "kernel" else score_in_database
    with tempfile.TemporaryDirectory() as folder:
        server = neo4j_load.server_cpu(pid) if pid else 0.0
        with measure.metered() as cost:
            result = way(store, runs=Path(folder))
        server = neo4j_load.server_cpu(pid) - server if pid else 0.0
        with measure.metered() as again:
            assert way(store, runs=Path(folder)).unchanged
    digest = hashlib.blake2b()
    scores = "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN a.id AS a, b.id AS b, c.importance AS x"
    for row in sorted(tuple(row.values()) for row in store.read(scores).to_pylist()):
        digest.update(repr(row).encode())
    measure.report(
        cost,
        pairs=result.pairs,
        server_cpu_seconds=round(server, 1),
        again_seconds=again.wall_seconds,
        digest=digest.hexdigest(),
    )
    store.close()


def compare(corpus: str, address: str, pid: int = 0) -> list[measure.Row]:
    """A row for each method on one graph."""
    engine = "Neo4j" if pid else "ladybug"
    return [
        {
            "corpus": corpus,
            "engine": engine,
            "method": method,
            **measure.run_alone(__file__, "--child", address, method, pid),
        }
        for method in METHODS
    ]


def fill(address: str, corpus: str, size: tuple[int, int]) -> None:
    """Loads an archive, or generated pairs."""
    import citescape
    from citescape.store.graph_store import open_store

    if corpus != "generated":
        with citescape.open(address, runs=tempfile.mkdtemp()) as found:
            found.ingest(corpus)
        return
    store = open_store(address)
    importance.fill_store(store, importance.make_tables(*size))
    store.close()


def compare_engines(
    corpus: str, size: tuple[int, int], folder: Path
) -> Iterator[list[measure.Row]]:
    """Rows of each engine for one corpus; the scores must agree."""
    name = "generated" if corpus == "generated" else Path(corpus).name
    path = str(folder / f"{name}.lbug")
    fill(path, corpus, size)
    embedded = compare(name, path)
    yield check(embedded)
    with neo4j_load.test_server().Neo4jServer(heap="4g") as server:
        fill(server.uri, corpus, size)
        served = compare(name, server.uri, server.pid)
    check([*embedded, *served])
    yield served


def check(rows: list[measure.Row]) -> list[measure.Row]:
    """The rows, whose scores must be equal."""
    if len({row["digest"] for row in rows}) > 1:
        raise RuntimeError(f"methods disagree: {rows}")
    return rows


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", nargs="?", help="archive of full texts to score too")
    parser.add_argument("--quick", action="store_true", help="few pairs")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        address, method, pid = options.child
        return child(address, method, int(pid))
    sys.path.insert(0, str(measure.SOURCE))
    if (reason := neo4j_load.test_server().why_unavailable()) is not None:
        print(f"importance_cypher skipped: {reason}")
        return None
    size = (20_000, 40_000) if options.quick else (1_000_000, 2_000_000)
    rows: list[measure.Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for corpus in filter(None, (options.archive, "generated")):
            for found in compare_engines(corpus, size, Path(folder)):
                rows += [{key: row[key] for key in COLUMNS} for row in found]
                if not options.quick:  # kept engine by engine: a million pairs take an hour
                    save(rows)
    measure.print_table(rows, COLUMNS)
    return None


def save(rows: list[measure.Row]) -> None:
    """Writes the results."""
    measure.write_results(
        "importance_cypher",
        rows,
        libraries=("ladybug", "neo4j", "numpy", "numba", "pyarrow"),
        notes=NOTES,
        columns=COLUMNS,
    )


if __name__ == "__main__":
    main()
