"""Loading papers and citation pairs into Neo4j: citescape and one MERGE per row.

    python benchmarks/neo4j_load.py [--papers N] [--pairs N] [--sample N]

All methods write the same data to the same server, with a constraint on ids. Row-by-row methods
load a sample, because they would take an hour. CPU is counted for client and server. The server
runs with the settings of the tests (first JVM compiler only), so absolute rates are low.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import measure

if TYPE_CHECKING:
    import neo4j
    import pyarrow as pa

    from citescape.store.schema import NodeTable, RelTable

ROOT = Path(__file__).parents[1]
NOTES = (
    "`one MERGE per row` has a MATCH for each end of a pair, in one transaction per row or per "
    "thousand rows. Rates are by wall time. CPU time is per row, for the loading process and for "
    "the server."
)
COLUMNS = {
    "way": "method",
    "table": "table",
    "rows": "rows",
    "wall_seconds": "wall s",
    "rows_per_second": "rows/s",
    "times_plain": "times one MERGE per row",
    "client_cpu_us": "client CPU µs per row",
    "server_cpu_us": "server CPU µs per row",
}


def paper_rows(first: int, last: int) -> pa.Table:
    """Rows of Paper with the data of reference lists."""
    import pyarrow

    from citescape.store.schema import TABLE

    rows = [
        {
            "id": f"doi:10.5555/bench.{i:07}",
            "doi": f"10.5555/bench.{i:07}",
            "title": f"Effects of treatment {i % 97} on the yield of cultivar {i} under stress",
            "year": 1980 + i % 45,
            "surnames": ["Shull", "East"],
            "givens": ["George H", "Edward M"],
            "roles": ["author", "author"],
            "fulltext": False,
        }
        for i in range(first, last)
    ]
    return pyarrow.Table.from_pylist(rows, TABLE["Paper"].arrow)


def pair_rows(first: int, last: int, papers: int) -> pa.Table:
    """Rows of CITES with distinct pairs; half of them cite a hundredth of the papers."""
    import pyarrow

    from citescape.store.schema import TABLE

    rows = []
    for i in range(first, last):
        citing, step = i % papers, i // papers
        cited = (citing * 31 + step * 7) % (papers // 100) if step % 2 else citing + step + 1
        rows.append(
            {
                "from": f"doi:10.5555/bench.{citing:07}",
                "to": f"doi:10.5555/bench.{cited % papers:07}",
                "mentions": 3,
                **dict.fromkeys(("f_I", "f_R", "f_D"), 1),
                **dict.fromkeys(("f_M", "f_other", "self"), 0),
            }
        )
    return pyarrow.Table.from_pylist(rows, TABLE["CITES"].arrow)


def load_batches(address: str, table: NodeTable | RelTable, rows: pa.Table) -> None:
    """Loading by citescape."""
    from citescape.store.graph_store import Change, open_store

    store = open_store(address)
    store.apply([Change("insert", table.name, rows)])
    store.close()


def load_plainly(address: str, table: NodeTable | RelTable, rows: pa.Table) -> None:
    """One MERGE per row, each in its own transaction."""
    text = make_row_query(table)
    with driver(address) as plain, plain.session() as session:
        for row in rows.to_pylist():
            session.run(text, row).consume()


def load_in_transactions(address: str, table: NodeTable | RelTable, rows: pa.Table) -> None:
    """One MERGE per row, with a thousand rows per transaction."""
    text = make_row_query(table)
    with driver(address) as plain, plain.session() as session:
        for start in range(0, rows.num_rows, 1000):
            with session.begin_transaction() as transaction:
                for row in rows.slice(start, 1000).to_pylist():
                    transaction.run(text, row).consume()


WAYS: dict[str, Callable[[str, NodeTable | RelTable, pa.Table], None]] = {
    "one MERGE per row": load_plainly,
    "one MERGE per row, 1000 per transaction": load_in_transactions,
    "citescape, batches": load_batches,
}


def make_row_query(table: NodeTable | RelTable) -> str:
    """Cypher that writes one row given as parameters, without batches."""
    from citescape.store.schema import NodeTable

    setting = ", ".join(f"x.{name} = ${name}" for name in table.columns)
    if isinstance(table, NodeTable):
        return f"MERGE (x:{table.name} {{id: $id}}) SET {setting}"
    return (
        f"MATCH (a:{table.source} {{id: $from}}) MATCH (b:{table.target} {{id: $to}}) "
        f"MERGE (a)-[x:{table.name}]->(b) SET {setting}"
    )


def test_server() -> ModuleType:
    """`tests/neo4j/server.py`, loaded by path, because some packages install `tests`."""
    name = "citescape_test_server"
    if name not in sys.modules:
        spec = spec_from_file_location(name, ROOT / "tests" / "neo4j" / "server.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def empty(address: str) -> None:
    """Deletes all nodes and creates the constraints."""
    from citescape.store.graph_store import open_store

    with driver(address) as plain, plain.session() as session:
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS").consume()
    open_store(address).close()


def driver(address: str) -> neo4j.Driver:
    import neo4j

    return neo4j.GraphDatabase.driver(address, notifications_min_severity="OFF")


def server_cpu(pid: int) -> float:
    """CPU seconds of the server so far; 0 if not available."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def child(options: argparse.Namespace) -> None:
    """Measures one method on a range of rows."""
    import citescape.store.neo4j.adapter  # noqa: F401 - importing it is no part of the work
    from citescape.store.schema import TABLE

    first, last = options.first, options.last
    papers = paper_rows(first, last) if options.table == "Paper" else None
    rows = pair_rows(first, last, options.papers) if papers is None else papers
    before = server_cpu(options.pid)
    with measure.metered() as cost:
        WAYS[options.way](options.address, TABLE[options.table], rows)
    server = server_cpu(options.pid) - before
    measure.report(
        cost,
        rows=rows.num_rows,
        rows_per_second=round(rows.num_rows / cost.wall_seconds),
        client_cpu_us=round(1e6 * cost.cpu_seconds / rows.num_rows, 1),
        server_cpu_us=round(1e6 * server / rows.num_rows, 1),
    )


def import_offline(options: argparse.Namespace, folder: Path) -> measure.Row:
    """The same papers and pairs, loaded from a ladybug store with the offline importer."""
    from citescape.ingest.neo4j_import import tables_of, write_import_files
    from citescape.store.graph_store import Change, open_store

    store = open_store(str(folder / "rows.lbug"))
    store.apply([Change("insert", "Paper", paper_rows(0, options.papers))])
    store.apply([Change("insert", "CITES", pair_rows(0, options.pairs, options.papers))])
    begun, used = time.perf_counter(), sum(os.times()[:4])
    command = write_import_files(tables_of(store), folder / "files")
    store.close()
    environment = admin_tool(folder)
    subprocess.run(command, shell=True, check=True, capture_output=True, env=environment)
    rows, seconds = options.papers + options.pairs, time.perf_counter() - begun
    return {
        "way": "citescape, offline importer",
        "table": "Paper, CITES",
        "rows": rows,
        "wall_seconds": round(seconds, 2),
        "rows_per_second": round(rows / seconds),
        "client_cpu_us": round(1e6 * (sum(os.times()[:4]) - used) / rows, 1),
        "server_cpu_us": 0.0,
    }


def admin_tool(folder: Path) -> dict[str, str]:
    """Environment with `neo4j-admin` on its PATH for a new server in the folder."""
    command = shlex.join(test_server().admin_command())
    admin = folder / "neo4j-admin"
    admin.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    admin.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    return os.environ | {"NEO4J_HOME": str(home), "PATH": f"{folder}:{os.environ['PATH']}"}


def compare(options: argparse.Namespace) -> list[measure.Row]:
    """All methods on the same server, after a warm-up round with few rows."""
    with test_server().Neo4jServer(heap="1g") as server:
        compare_once(server, sample=200, totals={"Paper": 2_000, "CITES": 4_000})
        totals = {"Paper": options.papers, "CITES": options.pairs}
        return compare_once(server, sample=options.sample, totals=totals)


def compare_once(server: Any, *, sample: int, totals: dict[str, int]) -> list[measure.Row]:
    """Each method loads other pairs, between papers loaded before in batches."""
    slower, slow, ours = WAYS
    rows: list[measure.Row] = []
    for table, total in totals.items():
        done = 2 * sample if table == "CITES" else 0
        ranges = ((slower, 0, sample), (slow, sample, 2 * sample), (ours, done, total))
        for way, first, last in ranges:
            if table == "Paper":
                empty(server.uri)
            found = measure.run_alone(
                __file__, "--child", "--way", way, "--table", table, "--first", first,
                "--last", last, "--address", server.uri, "--pid", server.pid,
                "--papers", totals["Paper"],
            )  # fmt: skip
            rows.append({"way": way, "table": table, **found})
    return rows


def with_factors(rows: list[measure.Row]) -> list[measure.Row]:
    """Rows with displayed values only, and the speed-up over one MERGE per row."""
    plain = {row["table"]: row["rows_per_second"] for row in rows if row["way"] == next(iter(WAYS))}
    for row in rows:
        slowest = plain.get(row["table"])
        row["times_plain"] = slowest and round(row["rows_per_second"] / slowest, 1)
    return [{key: row[key] for key in COLUMNS} for row in rows]


def parse_options() -> argparse.Namespace:
    """The command line; hidden options are for child processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=50_000)
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--sample", type=int, default=2_000)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    for name, kind in (("way", str), ("table", str), ("address", str)):
        parser.add_argument(f"--{name}", type=kind, help=argparse.SUPPRESS)
    for name in ("first", "last", "pid"):
        parser.add_argument(f"--{name}", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    options = parse_options()
    if options.child:
        return child(options)
    sys.path.insert(0, str(measure.SOURCE))
    if (reason := test_server().why_unavailable()) is not None:
        print(f"neo4j_load skipped: {reason}")
        return None
    rows = compare(options)
    with tempfile.TemporaryDirectory() as folder:
        rows.append(import_offline(options, Path(folder)))
    rows = with_factors(rows)
    measure.print_table(rows, COLUMNS)
    libraries = ("neo4j", "pyarrow", "ladybug")
    path = measure.write_results(
        "neo4j_load", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")
    return None


if __name__ == "__main__":
    main()
