"""Cypher for the rows of any table, generated from the schema; the same text for both engines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from citescape.core.errors import ConfigError, list_some
from citescape.store.schema import NodeTable, RelTable

UNWIND = re.compile(r"^\s*UNWIND\s+\$rows\s+AS\s+row\b", re.IGNORECASE)
"""The beginning of a write over rows."""
_VALUE = re.compile(r"\brow\.(?:`(\w+)`|(\w+))")


def row_values(text: str, columns: Sequence[str], form: Callable[[str], str]) -> str:
    """A write over rows with each ``row.column`` replaced by the result of `form`.

    Args:
        text: a statement that starts with `UNWIND $rows AS row`.
        columns: names of the columns of the rows.
        form: function from the name of a column to the text that replaces `row.column`.

    Raises:
        ConfigError: the statement is not a write over rows, or needs a missing column.
    """
    if not UNWIND.match(text):
        raise ConfigError("a write over rows must start with 'UNWIND $rows AS row'")
    missing = sorted({quoted or plain for quoted, plain in _VALUE.findall(text)} - set(columns))
    if missing:
        raise ConfigError(
            f"the statement needs column {', '.join(missing)}; given: {list_some(columns)}"
        )
    return _VALUE.sub(lambda found: form(found[1] or found[2]), text)


def key_columns(table: NodeTable | RelTable) -> list[str]:
    """The columns that identify a row: `id`, or `from` and `to`."""
    return ["id"] if isinstance(table, NodeTable) else ["from", "to"]


def _match(table: NodeTable | RelTable) -> str:
    if isinstance(table, NodeTable):
        return f"MATCH (x:{table.name} {{id: row.id}})"
    source, target = f"(:{table.source} {{id: row.from}})", f"(:{table.target} {{id: row.to}})"
    return f"MATCH {source}-[x:{table.name}]->{target}"


def update_text(table: NodeTable | RelTable, columns: Iterable[str]) -> str:
    """Sets the given columns of rows that exist."""
    names = [name for name in columns if name not in key_columns(table)]
    assignments = ", ".join(f"x.{name} = row.{name}" for name in names)
    return f"UNWIND $rows AS row {_match(table)} SET {assignments}"


def replace_text(table: RelTable, columns: Iterable[str]) -> str:
    """Complete rows that exist: given columns from `$rows`, the others from the graph."""
    given = set(columns)
    values = [f"{'row' if name in given else 'x'}.{name} AS {name}" for name in table.columns]
    ends = ["row.from AS `from`", "row.to AS `to`"]
    return f"UNWIND $rows AS row {_match(table)} RETURN {', '.join([*ends, *values])}"


def delete_text(table: NodeTable | RelTable) -> str:
    """Deletes rows; nodes with their relationships."""
    detach = "DETACH " if isinstance(table, NodeTable) else ""
    return f"UNWIND $rows AS row {_match(table)} {detach}DELETE x"


def merge_text(table: NodeTable) -> str:
    """Inserts or updates nodes: safe to repeat, and slower than a bulk load."""
    assignments = ", ".join(f"x.{name} = row.{name}" for name in table.columns)
    setting = f" SET {assignments}" if assignments else ""
    return f"UNWIND $rows AS row MERGE (x:{table.name} {{id: row.id}}){setting}"


def create_text(table: NodeTable | RelTable) -> str:
    """Inserts new rows; returns the number of those with both ends."""
    if isinstance(table, NodeTable):
        names, start, pattern = ["id", *table.columns], "", "(:{} {{{}}})"
    else:
        ends = f"(a:{table.source} {{id: row.from}}) MATCH (b:{table.target} {{id: row.to}})"
        names, start, pattern = list(table.columns), f"MATCH {ends} ", "(a)-[:{} {{{}}}]->(b)"
    values = ", ".join(f"{name}: row.{name}" for name in names)
    inserted = pattern.format(table.name, values)
    return f"UNWIND $rows AS row {start}CREATE {inserted} RETURN count(*) AS n"


def read_text(table: NodeTable | RelTable, columns: Iterable[str] | None = None) -> str:
    """All rows of a table with the given columns (default: all)."""
    names = list(columns) if columns is not None else list(table.columns)
    picked = [f"x.{name} AS {name}" for name in names if name not in key_columns(table)]
    if isinstance(table, NodeTable):
        return f"MATCH (x:{table.name}) RETURN {', '.join(['x.id AS id', *picked])}"
    ends = ["a.id AS `from`", "b.id AS `to`"]
    return (
        f"MATCH (a:{table.source})-[x:{table.name}]->(b:{table.target}) "
        f"RETURN {', '.join([*ends, *picked])}"
    )


def present_text(table: NodeTable) -> str:
    """The nodes with `$ids` that exist."""
    return f"UNWIND $ids AS node_id MATCH (x:{table.name} {{id: node_id}}) RETURN x.id AS id"


def nodes_text(table: NodeTable, columns: Iterable[str] | None = None) -> str:
    """The nodes with `$ids` and their properties (default: all)."""
    names = columns if columns is not None else table.columns
    picked = ", ".join(["x.id AS id", *(f"x.{name} AS {name}" for name in names if name != "id")])
    return f"UNWIND $ids AS node_id MATCH (x:{table.name} {{id: node_id}}) RETURN {picked}"


def linked_text(table: RelTable) -> str:
    """The relationships of one kind that leave the nodes with `$ids`, with their properties."""
    picked = "".join(f", x.{name} AS {name}" for name in table.columns)
    return f"{links_text(table)}{picked}"


def links_text(table: RelTable) -> str:
    """The relationships of one kind that leave the nodes with `$ids`."""
    return (
        f"UNWIND $ids AS node_id MATCH (a:{table.source} {{id: node_id}})-[x:{table.name}]->"
        f"(b:{table.target}) RETURN a.id AS `from`, b.id AS `to`"
    )


def forms_text(table: RelTable, columns: Iterable[str]) -> str:
    """How many relationships of one kind lead to the nodes with `$ids`, by their properties."""
    picked = "".join(f", x.{name} AS {name}" for name in columns)
    return (
        f"UNWIND $ids AS node_id MATCH (a:{table.source})-[x:{table.name}]->"
        f"(b:{table.target} {{id: node_id}}) RETURN b.id AS `to`{picked}, count(*) AS times"
    )


def prune_text(table: RelTable) -> str:
    """Deletes target nodes without any such relationship."""
    return (
        f"MATCH (x:{table.target}) "
        f"WHERE NOT EXISTS {{ MATCH (:{table.source})-[:{table.name}]->(x) }} DELETE x"
    )
