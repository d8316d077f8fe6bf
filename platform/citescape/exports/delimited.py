"""CSV, as RFC 4180 has it: a file of nodes and one of edges, for spreadsheets and data frames.

UTF-8 without a byte order mark, which some readers take for a part of the first name.
"""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from citescape.exports.attributed import AttributedNetwork
from citescape.exports.tables import node_table, slices_of_edges
from citescape.exports.texts import slices

_LINES = pyarrow.csv.WriteOptions(include_header=False, eol="\r\n")
_FORMULA = "^([=+@＝＋－＠-])"


def write_nodes(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a line a node, after the names of the columns."""
    nodes = node_table(content)
    _write_header(nodes, sink)
    for rows in slices(nodes):
        pyarrow.csv.write_csv(disarm(rows), sink, _LINES)


def write_edges(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes a line an edge, after the names of the columns."""
    for number, edges in enumerate(slices_of_edges(content)):
        if number == 0:
            _write_header(edges, sink)
        pyarrow.csv.write_csv(disarm(edges), sink, _LINES)


def disarm(table: pa.Table) -> pa.Table:
    """Texts that a spreadsheet would run as a formula, with an apostrophe before them.

    These begin with = + - or @, also as wide characters. Numbers are left as they are.
    """
    columns = {
        field.name: pc.replace_substring_regex(table[field.name], _FORMULA, r"'\1")
        if field.type == pa.string()
        else table[field.name]
        for field in table.schema
    }
    return pa.table(columns)


def _write_header(table: pa.Table, sink: BinaryIO) -> None:
    pyarrow.csv.write_csv(table.slice(0, 0), sink, pyarrow.csv.WriteOptions(eol="\r\n"))
