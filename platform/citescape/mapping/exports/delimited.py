"""CSV, as RFC 4180 has it: a file of nodes and one of edges, for spreadsheets and data frames.

UTF-8 without a byte order mark, which some readers take for a part of the first name.
"""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv

from citescape.core.spreadsheets import disarm
from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.tables import slices_of_edges
from citescape.mapping.exports.texts import slices

_LINES = pyarrow.csv.WriteOptions(include_header=False, eol="\r\n")


def write_nodes(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a line a node, after the names of the columns."""
    _write_header(content.nodes, sink)
    for rows in slices(content.nodes):
        pyarrow.csv.write_csv(disarm(rows), sink, _LINES)


def write_edges(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a line an edge, after the names of the columns."""
    for number, edges in enumerate(slices_of_edges(content)):
        if number == 0:
            _write_header(edges, sink)
        pyarrow.csv.write_csv(disarm(edges), sink, _LINES)


def _write_header(table: pa.Table, sink: BinaryIO) -> None:
    pyarrow.csv.write_csv(table.slice(0, 0), sink, pyarrow.csv.WriteOptions(eol="\r\n"))
