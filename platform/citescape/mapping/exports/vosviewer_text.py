"""VOSviewer's map and network files: text with tabs between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.parts import Part
from citescape.mapping.exports.texts import slices
from citescape.mapping.exports.vosviewer import read_items

_TABBED = pyarrow.csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="needed")


def text_parts(_: AttributedNetwork) -> Mapping[str, Part]:
    """The two files by the ends of their names."""
    return {"-map.txt": write_map, "-network.txt": write_links}


def write_map(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a line an item: id, label, description, url, x, y, cluster, weights and scores.

    Texts stand in double quotes, since labels may hold commas; a double quote in one becomes a
    single one, which every version reads alike.
    """
    items = read_items(content)
    sink.write(("\t".join(items.column_names) + "\n").encode())
    columns = {name: _quoted(items[name]) for name in items.column_names}
    for rows in slices(pa.table(columns)):
        pyarrow.csv.write_csv(rows, sink, _TABBED)


def write_links(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a line an edge: ids of both items, strength; no header."""
    for edges in slices(content.edges()):
        ends = {name: pc.add(edges[name], 1) for name in ("source", "target")}
        pyarrow.csv.write_csv(pa.table({**ends, "weight": edges["weight"]}), sink, _TABBED)


def _quoted(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if column.type != pa.string():
        return column
    return pc.replace_substring(column, '"', "'")
