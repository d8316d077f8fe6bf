"""Writes nodes and edges as two tables in CSV (RFC 4180) or Parquet.

CSV is UTF-8 without a byte order mark, which some readers add to the name of the first column.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from citescape.core.spreadsheets import disarm
from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.texts import slices

_LINES = pyarrow.csv.WriteOptions(include_header=False, eol="\r\n")


def slice_edges(content: AttributedNetwork) -> Iterator[pa.Table]:
    """Edges in at least one slice: source and target (ids), weight, kind, attributes."""
    edges, ids = content.edges(), content.network.ids
    for rows in slices(edges) if len(edges) else (edges,):
        ends = {name: ids.take(rows[name].combine_chunks()) for name in ("source", "target")}
        kind = pa.repeat(pa.scalar(content.kind, pa.string()), len(rows))
        others = {name: rows[name] for name in rows.column_names[3:]}
        yield pa.table({**ends, "weight": rows["weight"], "kind": kind, **others})


def write_node_csv(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a header and one line per node."""
    _write_header(content.nodes, sink)
    for rows in slices(content.nodes):
        pyarrow.csv.write_csv(disarm(rows), sink, _LINES)


def write_edge_csv(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a header and one line per edge."""
    for number, edges in enumerate(slice_edges(content)):
        if number == 0:
            _write_header(edges, sink)
        pyarrow.csv.write_csv(disarm(edges), sink, _LINES)


def _write_header(table: pa.Table, sink: BinaryIO) -> None:
    pyarrow.csv.write_csv(table.slice(0, 0), sink, pyarrow.csv.WriteOptions(eol="\r\n"))


def write_node_parquet(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes the nodes; the schema metadata `citescape` has the sources."""
    pq.write_table(_add_metadata(content.nodes, content), sink, compression="zstd")


def write_edge_parquet(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes the edges, with the same metadata as the nodes."""
    writer: pq.ParquetWriter | None = None
    for part in slice_edges(content):
        rows = _add_metadata(part, content)
        writer = writer or pq.ParquetWriter(sink, rows.schema, compression="zstd")
        writer.write_table(rows)
    if writer:
        writer.close()


def _add_metadata(table: pa.Table, content: AttributedNetwork) -> pa.Table:
    about = {**content.about, "kind": content.kind, "unit": content.unit}
    return table.replace_schema_metadata({"citescape": json.dumps(about)})
