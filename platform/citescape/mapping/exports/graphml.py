"""Writes GraphML (http://graphml.graphdrawing.org) for igraph, networkx, Cytoscape, yEd, R."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np
import pyarrow as pa

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.markup import (
    TYPES,
    describe,
    escape,
    format_values,
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
    """Writes the network.

    GraphML requires ids that are XML names, which DOIs are not: nodes are n0, n1, ... in the order
    of ids of papers; the id of the paper is the attribute `name`, its title `label`. The kind of
    the edges is the default value of their attribute `kind`.
    """
    nodes = pa.table({"name": content.network.ids, "label": content.titles})
    for name in content.attributes.column_names:
        nodes = nodes.append_column(name, content.attributes[name])
    edges = content.edges()
    node_keys = name_keys(nodes, "n")
    edge_keys = name_keys(edges.drop_columns(["source", "target"]), "e")

    write_text(sink, *_HEAD, f"<desc>{escape(describe(content))}</desc>")
    for table, keys, unit in ((nodes, node_keys, "node"), (edges, edge_keys, "edge")):
        for name, key in keys.items():
            own = f'<key id="{key}" for="{unit}" attr.name="{escape(name)}"'
            write_text(sink, f'{own} attr.type="{TYPES[table.schema.field(name).type]}"/>')
    write_text(
        sink,
        '<key id="kind" for="edge" attr.name="kind" attr.type="string">',
        f"<default>{escape(content.kind)}</default></key>",
        '<graph id="network" edgedefault="undirected">',
    )

    start = 0
    for rows in slices(nodes):
        numbers = as_texts(pa.array(np.arange(start, start + len(rows))))
        data = format_values(rows, node_keys, before=_VALUE, after="</data>")
        write_rows(sink, wrap('<node id="n', numbers, '">'), *data, "</node>\n")
        start += len(rows)
    for rows in slices(edges):
        source, target = (as_texts(rows[name]) for name in ("source", "target"))
        values = rows.drop_columns(["source", "target"])
        data = format_values(values, edge_keys, before=_VALUE, after="</data>")
        ends = (wrap('<edge source="n', source, '" target="n'), wrap("", target, '">'))
        write_rows(sink, *ends, *data, "</edge>\n")
    write_text(sink, "</graph>", "</graphml>")
