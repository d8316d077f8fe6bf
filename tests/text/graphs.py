"""Copies of a graph that was loaded once, for tests that write to it."""

from __future__ import annotations

from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, TABLE


def copy_graph(source: GraphStore, target: GraphStore) -> None:
    """Copies nodes and relationships of a ladybug store into an empty store of any engine."""
    changes = []
    for name, table in TABLE.items():
        columns = ", ".join(f"x.`{column}` AS `{column}`" for column in table.columns)
        if name in NODE:
            match, key = f"MATCH (x:{name})", "x.id AS id"
        else:
            match, key = f"MATCH (a)-[x:{name}]->(b)", "a.id AS `from`, b.id AS `to`"
        rows = source.read(f"{match} RETURN {', '.join(filter(None, (key, columns)))}")
        if name == "Meta":  # an empty store has some of them
            target.write(query("schema/write_meta"), rows)
        elif rows.num_rows:
            changes.append(Change("insert", name, rows.select(table.arrow.names)))
    target.apply(changes)
