"""Nodes and edges as two tables, with their ids; and Parquet files of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.texts import slices


def slices_of_edges(content: AttributedNetwork) -> Iterator[pa.Table]:
    """Edges in slices: source and target (ids), weight, kind, and what links say; one at least."""
    edges, ids = content.edges(), content.network.ids
    for rows in slices(edges) if len(edges) else (edges,):
        ends = {name: ids.take(rows[name].combine_chunks()) for name in ("source", "target")}
        kind = pa.repeat(pa.scalar(content.kind, pa.string()), len(rows))
        others = {name: rows[name] for name in rows.column_names[3:]}
        yield pa.table({**ends, "weight": rows["weight"], "kind": kind, **others})


def write_node_parquet(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes the nodes; key `citescape` of the schema's metadata says what they were made of."""
    pq.write_table(_marked(content.nodes, content), sink, compression="zstd")


def write_edge_parquet(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes the edges, likewise."""
    writer: pq.ParquetWriter | None = None
    for part in slices_of_edges(content):
        rows = _marked(part, content)
        writer = writer or pq.ParquetWriter(sink, rows.schema, compression="zstd")
        writer.write_table(rows)
    if writer:
        writer.close()


def _marked(table: pa.Table, content: AttributedNetwork) -> pa.Table:
    told = {**content.about, "kind": content.kind, "unit": content.unit}
    return table.replace_schema_metadata({"citescape": json.dumps(told)})
