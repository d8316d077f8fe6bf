"""Works around a bug of ladybug 0.22: keys lost from a node table's string index.

When one commit about doubles a node table, one or two keys can get lost: the row exists, but a
lookup by id does not find it (40,000 rows, then 95,000: in 7 of 20 runs; pieces that grow the table
by at most half: in 0 of 84). https://github.com/LadybugDB/ladybug/issues/583 shows the same. So
nodes are committed in such pieces where a step need not be atomic, keys are looked up after each
commit, and a lost row is deleted and inserted again with its relationships.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from citescape.store.graph_store import Change
from citescape.store.schema import NODE, RELS, TABLE, NodeTable
from citescape.store.statements import read_text

REPAIR = "repair"
"""Meta row with deleted rows to insert again; empty once that is done."""

SMALLEST_PIECE = 2_000
_GROWTH = 0.5
_CHECK_ALL = 0.1
_RELATIONSHIPS, _BYTES = 1_000_000, 150 << 20
"""Largest number and size of relationships in one COPY, whose rows must fit the buffer pool."""


class Engine(Protocol):
    """The method of the store that this module needs."""

    def scan(self, text: str, /, **params: object) -> pa.Table:
        """Runs one statement and returns its rows."""
        ...


def pieces(engine: Engine, change: Change) -> Iterator[Change]:
    """An insertion cut so that each piece grows its node table by half at most.

    Relationships are cut too, into few equal pieces, since each commit rewrites the adjacency lists
    of all nodes that it touches.
    """
    if change.action != "insert":
        yield change
        return
    if change.table not in NODE:
        rows = change.rows
        count = ceil(max(rows.num_rows / _RELATIONSHIPS, rows.nbytes / _BYTES))
        for part in range(count):
            start, end = (rows.num_rows * place // count for place in (part, part + 1))
            yield Change("insert", change.table, rows.slice(start, end - start))
        return
    present = count_rows(engine, change.table)
    start = 0
    while start < change.rows.num_rows:
        size = max(int((present + start) * _GROWTH), SMALLEST_PIECE)
        if not present and not start:
            size = change.rows.num_rows
        yield Change("insert", change.table, change.rows.slice(start, size))
        start += size


def count_rows(engine: Engine, label: str) -> int:
    """Number of nodes of a label."""
    return int(engine.scan(f"MATCH (n:{label}) RETURN count(*) AS n")["n"][0].as_py())


def lost_rows(engine: Engine, change: Change) -> pa.Table:
    """Ids of a table that cannot be looked up after `change` was committed.

    All keys are looked up where the table grew by a tenth or more, else those inserted.
    """
    ids = change.rows.select(["id"])
    if ids.num_rows >= _CHECK_ALL * count_rows(engine, change.table):
        ids = engine.scan(f"MATCH (n:{change.table}) RETURN n.id AS id")
    text = f"LOAD FROM $rows MATCH (n:{change.table} {{id: id}}) RETURN n.id AS id"
    found = engine.scan(text, rows=ids)["id"]
    return ids.filter(pc.invert(pc.is_in(ids["id"], value_set=found)))


def repair(engine: Engine, table: NodeTable, lost: pa.Table) -> list[Change]:
    """Deletes lost rows; returns insertions of them and of their relationships.

    Args:
        engine: open database.
        table: nodes whose index lost keys.
        lost: (n,) the lost keys, column `id`.
    """

    def is_lost(rows: pa.Table, column: str) -> pa.ChunkedArray:
        return pc.is_in(rows[column], value_set=lost["id"])

    rows = engine.scan(read_text(table))
    changes = [Change("insert", table.name, rows.filter(is_lost(rows, "id")))]
    for rel in RELS:
        if table.name not in (rel.source, rel.target):
            continue
        links = engine.scan(read_text(rel))
        touched = [
            is_lost(links, end)
            for end, label in (("from", rel.source), ("to", rel.target))
            if label == table.name
        ]
        mask = touched[0] if len(touched) == 1 else pc.or_(*touched)
        changes.append(Change("insert", rel.name, links.filter(mask)))
    for key in lost["id"].to_pylist():
        # An expression in place of the property keeps the engine from using the index.
        engine.scan(f"MATCH (n:{table.name}) WHERE n.id + '' = $key DETACH DELETE n", key=key)
    return changes


def as_text(changes: Sequence[Change]) -> str:
    """Insertions as JSON, for the Meta row of a repair."""
    return json.dumps({change.table: change.rows.to_pylist() for change in changes})


def from_text(text: str) -> list[Change]:
    """Insertions from the Meta row of a repair."""
    return [
        Change("insert", name, pa.Table.from_pylist(rows, TABLE[name].arrow))
        for name, rows in json.loads(text).items()
    ]
