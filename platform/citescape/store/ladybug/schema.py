"""The schema of the graph as statements of ladybug."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from citescape.store.schema import NODES, RELS

TYPES = {
    pa.string(): "STRING",
    pa.int64(): "INT64",
    pa.float64(): "DOUBLE",
    pa.bool_(): "BOOL",
    pa.list_(pa.string()): "STRING[]",
    pa.list_(pa.int64()): "INT64[]",
    pa.list_(pa.float32()): "FLOAT[]",
}
"""Arrow type of a property -> type of ladybug."""


def create_texts() -> Iterator[tuple[str, str]]:
    """Name of every table and the statement that creates it, nodes before relationships."""
    for table in NODES:
        columns = "".join(f", {name} {TYPES[kind]}" for name, kind in table.columns.items())
        yield table.name, f"CREATE NODE TABLE {table.name}(id STRING PRIMARY KEY{columns})"
    for rel in RELS:
        columns = "".join(f", {name} {TYPES[kind]}" for name, kind in rel.columns.items())
        ends = f"FROM {rel.source} TO {rel.target}"
        yield rel.name, f"CREATE REL TABLE {rel.name}({ends}{columns})"
