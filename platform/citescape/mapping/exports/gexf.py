"""Writes GEXF 1.3 (https://gexf.net) for Gephi: typed attributes, places, sizes, colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.markup import (
    TYPES,
    describe,
    escape,
    format_values,
    name_keys,
    write_text,
)
from citescape.mapping.exports.places import choose_colours, compute_sizes, scale_places
from citescape.mapping.exports.texts import (
    as_texts,
    escape_markup,
    slices,
    wrap,
    write_rows,
)

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">',
)
_SPACING = 100.0
"""Mean distance of nodes; sizes are 4 to 40."""
_NULL = pa.scalar(None, pa.string())
_VALUE = '<attvalue for="{key}" value="'


def write_gexf(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes the network.

    The id of a node is that of the paper, its label the title; other values are attributes. With a
    map, nodes have positions, scaled so that they do not overlap in Gephi (the attributes x and y
    have the units of the map). Areas are proportional to importance received, else to citations;
    colours are communities. The kind of the edges is the default value of their attribute `kind`.

    Edges of a citation network are directed, from the citing to the cited paper. Papers that cite
    each other have two edges, each with half of the weight; the other attributes of both edges are
    sums over both citations.
    """
    ids = escape_markup(content.network.ids)
    write_text(sink, *_HEAD, *_opening(content))

    appearance = pc.binary_join_element_wise(*_appearance(content), "")
    nodes = pa.table({"id": ids, "label": escape_markup(content.titles), "appearance": appearance})
    for rows, attributes in zip(slices(nodes), slices(content.attributes), strict=True):
        id_, label = wrap('<node id="', rows["id"], '" label="'), wrap("", rows["label"], '">')
        values = _attribute_values(attributes)
        write_rows(sink, id_, label, values, wrap("", rows["appearance"], "</node>\n"))

    edges = _direct(content.edges()) if content.directed else content.edges()
    write_text(sink, "</nodes>", f'<edges count="{len(edges)}">')
    for rows in slices(edges):
        source, target = (ids.take(rows[name].combine_chunks()) for name in ("source", "target"))
        links = rows.drop_columns(["source", "target", "weight"])
        write_rows(
            sink,
            wrap('<edge source="', source, '" target="'),
            wrap("", target, '" weight="'),
            wrap("", as_texts(rows["weight"]), '">'),
            _attribute_values(links),
            "</edge>\n",
        )
    write_text(sink, "</edges>", "</graph>", "</gexf>")


def find_undirected(content: AttributedNetwork) -> list[str]:
    """Notes on a network of citations whose edges have no direction."""
    if not content.of_citations or content.directed:
        return []
    return [
        f"edges are undirected: {content.uncited:,} of {content.network.edges:,} are not citations "
        "in the graph; rebuild the network for directed edges"
    ]


def _direct(edges: pa.Table) -> pa.Table:
    """Citations as edges from the citing to the cited paper; see `write_gexf`."""
    if "citing" not in edges.column_names:
        return edges  # the network has no edges
    mutual = pc.equal(edges["citing"], "both")
    halves = pc.if_else(mutual, pc.divide(edges["weight"], 2), edges["weight"])
    edges = edges.set_column(edges.column_names.index("weight"), "weight", halves)
    back = edges.filter(pc.not_equal(edges["citing"], "source"))
    back = back.rename_columns({"source": "target", "target": "source"}).select(edges.column_names)
    one_way = pc.if_else(pc.equal(back["citing"], "both"), "both", "source")
    back = back.set_column(back.column_names.index("citing"), "citing", one_way)
    return pa.concat_tables([edges.filter(pc.not_equal(edges["citing"], "target")), back])


def _opening(content: AttributedNetwork) -> Iterator[str]:
    yield "<meta><creator>citescape</creator>"
    yield f"<description>{escape(describe(content))}</description></meta>"
    direction = "directed" if content.directed else "undirected"
    yield f'<graph defaultedgetype="{direction}" idtype="string">'
    yield '<attributes class="node">'
    yield from _declare(content.attributes, name_keys(content.attributes))
    yield "</attributes>"
    yield '<attributes class="edge">'
    yield '<attribute id="kind" title="kind" type="string">'
    yield f"<default>{escape(content.kind)}</default></attribute>"
    yield from _declare(content.links, name_keys(content.links))
    yield "</attributes>"
    yield f'<nodes count="{len(content.network)}">'


def _declare(table: pa.Table, keys: Mapping[str, str]) -> Iterator[str]:
    for field in table.schema:
        title, kind = escape(field.name), TYPES[field.type]
        yield f'<attribute id="{keys[field.name]}" title="{title}" type="{kind}"/>'


def _appearance(content: AttributedNetwork) -> Iterator[pa.StringArray]:
    """(nodes,) colour, place and size as markup; empty if unknown."""
    yield pa.array([""] * len(content.network), pa.string())
    if content.membership:
        colours = choose_colours(content.membership.labels)
        red, green, blue = (as_texts(pa.array(channel)) for channel in colours.T)
        parts = ('<viz:color r="', red, '" g="', green, '" b="', blue, '"/>')
        yield pc.binary_join_element_wise(*parts, "")
    places = scale_places(content.nodes, _SPACING * max(len(content.network), 1) ** 0.5)
    if places:
        x, y = (as_texts(pa.array(np.round(side, 3), from_pandas=True)) for side in places)
        yield pc.fill_null(
            pc.binary_join_element_wise('<viz:position x="', x, '" y="', y, '" z="0"/>', ""), ""
        )
    if content.sizes is not None:
        sizes = as_texts(pa.array(np.round(compute_sizes(content.sizes), 3)))
        yield wrap('<viz:size value="', sizes, '"/>')


def _attribute_values(rows: pa.Table) -> pa.StringArray | str:
    """(rows,) all attributes of a node or an edge as markup; empty without attributes."""
    values = format_values(rows, name_keys(rows), before=_VALUE, after='"/>')
    if not values:
        return ""
    inner = pc.binary_join_element_wise(*values, "")
    return wrap("<attvalues>", pc.if_else(pc.equal(inner, ""), _NULL, inner), "</attvalues>")
