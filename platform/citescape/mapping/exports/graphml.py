"""GraphML (http://graphml.graphdrawing.org): for igraph, networkx, Cytoscape, yEd, Gephi, R."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.markup import (
    TYPES,
    data_texts,
    describe,
    escape,
    name_keys,
    write_text,
)
from citescape.mapping.exports.texts import as_texts, slices, wrap, write_rows

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
)
_VALUE = '<data key="{key}">'


def write_graphml(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes the whole network.

    GraphML wants ids that are names, which DOIs are not: nodes are n0, n1, ... in the order of
    their papers' ids, the paper's id is the attribute `name`, its title `label`. The kind of the
    edges is the default value of their attribute `kind`.
    """
    nodes, edges = _nodes(content), content.edges()
    write_text(sink, *_HEAD, *_opening(content, nodes, edges))
    for start, rows in _numbered(nodes):
        numbers = as_texts(pa.array(np.arange(start, start + len(rows))))
        data = data_texts(rows, name_keys(nodes, "n"), before=_VALUE, after="</data>")
        write_rows(sink, wrap('<node id="n', numbers, '">'), *data, "</node>\n")
    for rows in slices(edges):
        source, target = (as_texts(rows[name]) for name in ("source", "target"))
        values = rows.drop_columns(["source", "target"])
        data = data_texts(values, name_keys(values, "e"), before=_VALUE, after="</data>")
        ends = (wrap('<edge source="n', source, '" target="n'), wrap("", target, '">'))
        write_rows(sink, *ends, *data, "</edge>\n")
    write_text(sink, "</graph>", "</graphml>")


def _nodes(content: AttributedNetwork) -> pa.Table:
    own = pa.table({"name": content.network.ids, "label": content.titles})
    for name in content.attributes.column_names:
        own = own.append_column(name, content.attributes[name])
    return own


def _numbered(table: pa.Table) -> Iterator[tuple[int, pa.Table]]:
    start = 0
    for rows in slices(table):
        yield start, rows
        start += len(rows)


def _opening(content: AttributedNetwork, nodes: pa.Table, edges: pa.Table) -> Iterator[str]:
    yield f"<desc>{escape(describe(content))}</desc>"
    for table, what in ((nodes, "node"), (edges.drop_columns(["source", "target"]), "edge")):
        keys = name_keys(table, what[0])
        for field in table.schema:
            name, kind = escape(field.name), TYPES[field.type]
            key = f'<key id="{keys[field.name]}" for="{what}"'
            yield f'{key} attr.name="{name}" attr.type="{kind}"/>'
    yield '<key id="kind" for="edge" attr.name="kind" attr.type="string">'
    yield f"<default>{escape(content.kind)}</default></key>"
    yield '<graph id="network" edgedefault="undirected">'
