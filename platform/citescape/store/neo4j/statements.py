"""Cypher for the rows of any table, in the form that is fastest in Neo4j.

Relationships are found by index seeks of both ends: by default the planner seeks one and reads the
other end of all its relationships, seven times slower on CITES and without bound on a hub.
"""

from __future__ import annotations

from collections.abc import Sequence

from citescape.store import statements
from citescape.store.schema import NodeTable, RelTable


def insert_text(table: NodeTable | RelTable) -> str:
    """Inserts rows, or updates existing ones; returns their number."""
    if isinstance(table, NodeTable):
        return f"{statements.merge_text(table)} RETURN count(*)"
    setting = f" SET {_assignments(list(table.columns))}" if table.columns else ""
    return f"{_ends(table)} MERGE (a)-[x:{table.name}]->(b){setting} RETURN count(*)"


def update_text(table: NodeTable | RelTable, columns: Sequence[str]) -> str:
    """Sets the given columns of rows that exist."""
    if isinstance(table, NodeTable):
        return statements.update_text(table, columns)
    names = [name for name in columns if name not in ("from", "to")]
    return f"{_match(table)} SET {_assignments(names)}"


def delete_text(table: NodeTable | RelTable) -> str:
    """Deletes rows; nodes with their relationships."""
    if isinstance(table, NodeTable):
        return statements.delete_text(table)
    return f"{_match(table)} DELETE x"


def by_position(text: str, names: Sequence[str]) -> str:
    """``row.title`` as ``row[3]``, where title is the fourth column.

    Raises:
        ConfigError: the statement is not a write over rows, or needs another column.
    """
    return statements.row_values(text, names, lambda name: f"row[{names.index(name)}]")


def _match(table: RelTable) -> str:
    """Matches relationships; without WITH the planner may read all relationships of one end."""
    return f"{_ends(table)} WITH row, a, b MATCH (a)-[x:{table.name}]->(b)"


def _ends(table: RelTable) -> str:
    return (
        "UNWIND $rows AS row "
        f"MATCH (a:{table.source} {{id: row.from}}) USING INDEX a:{table.source}(id) "
        f"MATCH (b:{table.target} {{id: row.to}}) USING INDEX b:{table.target}(id)"
    )


def _assignments(names: Sequence[str]) -> str:
    return ", ".join(f"x.{name} = row.{name}" for name in names)
