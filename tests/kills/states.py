"""State after a command, to be compared with the state after an undisturbed command.

Everything in the graph and every file must be equal, except values that depend on the clock:

- of Run nodes and of `run.json`: `started`, `seconds`, `timings`, `peak_memory_mb`, and among the
  counts `throughput` of trainings, and `tokens_per_second` and `kept_texts` of encodings, which are
  of the last attempt;
- the value of Meta `resolved`, which is drawn anew when references are matched;
- files of `tensorboard/`, of which each attempt leaves one with its time and process in its name.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.ingest.pending import RESOLVED
from citescape.runs.directory import RECORD
from citescape.store.graph_store import GraphStore, open_store
from tests.copies import read_tables
from tests.kills.corpus import STORE

CLOCK = ("started", "seconds", "timings", "peak_memory_mb")
ATTEMPT = ("throughput", "tokens_per_second", "kept_texts")
LOGS = "tensorboard"
State = dict[str, list[str]]
"""Rows of each table of the graph, and the contents of each file."""


def count_graph(store: GraphStore) -> tuple[int, int]:
    """Numbers of nodes and relationships with any label."""
    nodes = store.read("MATCH (n) RETURN count(n) AS n")["n"][0].as_py()
    return nodes, store.read("MATCH ()-[r]->() RETURN count(r) AS n")["n"][0].as_py()


def describe_state(tables: Mapping[str, pa.Table], counts: tuple[int, int], folder: Path) -> State:
    """Reads a whole graph, and all files in a folder except those of the graph.

    Those are the store and its log, in which the last commits stay until the next write.

    Args:
        tables: all rows of the graph.
        counts: numbers of nodes and relationships with any label.
        folder: working directory of the command.
    """
    state: State = {f"rows of {name}": list_rows(table) for name, table in tables.items()}
    state["nodes and relationships"] = list(map(str, counts))
    for name in list_files(folder) - {STORE, f"{STORE}.wal"}:
        state[name] = [read_contents(folder / name)]
    return state


def list_rows(table: pa.Table) -> list[str]:
    """Sorted rows of a table."""
    return sorted(repr(without_clock(row)) for row in table.to_pylist())


def without_clock(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Properties of a node or of `run.json`, without values that differ between equal runs."""
    if row.get("id") == RESOLVED:
        return {**row, "value": bool(row["value"])}
    if not {"versions", "counts"} <= row.keys():
        return row
    counts = row["counts"]
    counts = json.loads(counts) if isinstance(counts, str) else counts
    counts = {name: value for name, value in counts.items() if name not in ATTEMPT}
    return {**{name: row[name] for name in row if name not in CLOCK}, "counts": counts}


def read_contents(path: Path) -> str:
    """The record of a run, or the hash of another file, of a store that of its rows."""
    if path.name == RECORD:
        return repr(without_clock(json.loads(path.read_text(encoding="utf-8"))))
    if path.suffix == ".lbug":
        with closing(open_store(str(path), read_only=True)) as store:
            rows = (list_rows(table) for table in read_tables(store).values())
            return hashlib.blake2b(repr(list(rows)).encode()).hexdigest()
    return hashlib.blake2b(path.read_bytes()).hexdigest() if path.is_file() else "a folder"


def list_files(folder: Path) -> set[str]:
    """Files and folders at any depth, except those in `tensorboard/` and indexes of stores."""
    result = {path.relative_to(folder) for path in folder.rglob("*")}
    return {
        str(path)
        for path in result
        if LOGS not in path.parts[:-1] and not path.parts[0].endswith(".lbug.index")
    }


def compare_states(expected: State, actual: State) -> list[str]:
    """Differences: each table with the number of rows and an example, and each file."""
    unequal = []
    for name in sorted(expected.keys() | actual.keys()):
        lost = Counter(expected.get(name, ())) - Counter(actual.get(name, ()))
        added = Counter(actual.get(name, ())) - Counter(expected.get(name, ()))
        for word, rows in (("lacks", lost), ("has", added)):
            if rows:
                unequal.append(f"{name} {word} {rows.total()}, such as {next(iter(rows))[:500]}")
    return unequal


def damaged_runs(folder: Path, expected: State) -> list[str]:
    """Files of run directories that are missing, or differ from the expected ones."""
    damaged = []
    for name, contents in expected.items():
        parts, path = Path(name).parts, folder / name
        in_run = parts[0] == "runs" and len(parts) > 2 and folder.joinpath(*parts[:2]).exists()
        if (
            in_run
            and path.name != RECORD
            and (not path.exists() or [read_contents(path)] != contents)
        ):
            damaged.append(f"{name} is not whole after the kill")
    return damaged
