"""Writes VOSviewer files (https://www.vosviewer.com): JSON, or map and network files.

In addition to the rules of the manual, VOSviewer Online rejects files in which only some items have
a weight or a place, or with a cluster above 1,000. Such values are omitted for all items, with a
note.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from citescape.mapping.exports.attributed import TITLES, AttributedNetwork
from citescape.mapping.exports.markup import describe
from citescape.mapping.exports.places import find_placed
from citescape.mapping.exports.texts import as_texts, slices, wrap

WEIGHTS: Mapping[str, str] = {
    "importance": "Importance",
    "citations": "Citations",
    "mentions": "Mentions",
    "background": "Background",
    "method": "Method",
    "result": "Result",
    "size": "Papers",
}
"""Column -> name of the weight, which may give the size of items."""
SCORES: Mapping[str, str] = {
    "year": "Publication year",
    "mean_year": "Mean publication year",
    "diversity": "Interdisciplinarity",
}
"""Column -> name of the score, which may give the colour of items."""
MAX_CLUSTERS = 1000
MIN_ITEMS = 3
"""Limits of VOSviewer."""
MANY_ITEMS = 5000
"""Number of items above which VOSviewer is slow."""
_MAX_AUTHORS = 3
"""Maximum number of authors in a description."""
_TABBED = pyarrow.csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="needed")


def read_items(content: AttributedNetwork) -> pa.Table:
    """Converts nodes to items, one row each, with the columns of VOSviewer's map files.

    Columns: id (number of the row, from 1), label, description, url, and, if VOSviewer accepts
    them, x, y, cluster (from 1); `weight<...>`, 0 or more, never missing; `score<...>`, null if
    unknown. Papers are labelled `Surname (year)`, as documents in VOSviewer; the title is in the
    description.
    """
    labels, nodes = content.titles, content.nodes
    if content.unit == "paper":  # `Surname (year)`; null without authors
        first = pc.replace_substring_regex(nodes["authors"].combine_chunks(), "(, |; ).*", "")
        first = pc.if_else(pc.equal(first, ""), None, first)
        year = wrap(" (", as_texts(nodes["year"]), ")")
        labels = pc.coalesce(pc.binary_join_element_wise(first, year, ""), labels)
    columns = {
        "id": pa.array(np.arange(1, len(nodes) + 1)),
        "label": labels,
        "description": pa.array(_descriptions(content), pa.string()),
    }
    names = ["url", "x", "y"] if accepts_places(content) else ["url"]
    columns |= {name: nodes[name] for name in names if name in nodes.column_names}
    if content.membership:
        numbers = content.membership.labels + 1
        missing = (numbers < 1) | (numbers > MAX_CLUSTERS)
        columns["cluster"] = pa.array(numbers, mask=missing)

    columns["weight<Links>"] = pa.array(content.network.degrees)
    columns["weight<Total link strength>"] = pa.array(content.network.strengths)
    for name, title in WEIGHTS.items():
        if name in nodes.column_names:  # importance may be below 0, a weight may not
            values = pc.fill_null(nodes[name].combine_chunks(), 0)
            zero = pa.scalar(0, values.type)
            columns[f"weight<{title}>"] = pc.max_element_wise(values, zero)
    for name, title in SCORES.items():
        if name in nodes.column_names:
            columns[f"score<{title}>"] = nodes[name]
    return pa.table(columns)


def accepts_places(content: AttributedNetwork) -> bool:
    """Whether places can be written: every item has one, and not all are equal."""
    if not find_placed(content.nodes).all() or not len(content.network):
        return False
    return any(pc.count_distinct(content.nodes[name]).as_py() > 1 for name in ("x", "y"))


def find_limits(content: AttributedNetwork) -> list[str]:
    """Notes on limits of VOSviewer."""
    notes = []
    if len(content.network) < MIN_ITEMS:
        notes.append(f"VOSviewer opens networks of {MIN_ITEMS} items or more")
    if len(content.network) > MANY_ITEMS:
        notes.append(
            f"VOSviewer is slow with more than {MANY_ITEMS:,} items; --largest {MANY_ITEMS} keeps "
            "the largest"
        )
    placed = int(find_placed(content.nodes).sum())
    if placed and not accepts_places(content):
        lacking = len(content.network) - placed
        notes.append(
            f"{content.unit}s without a place on the map: {lacking:,}; VOSviewer accepts "
            "places for all items only, so no places are written; --placed excludes these items"
            if lacking
            else "all items have the same place, which VOSviewer rejects: no places are written"
        )
    if not accepts_places(content) and not content.network.edges:
        notes.append("VOSviewer cannot lay out items without links or places")
    if content.membership and int(content.membership.labels.max(initial=0)) >= MAX_CLUSTERS:
        notes.append(
            f"VOSviewer supports {MAX_CLUSTERS:,} clusters: further communities are omitted; "
            "choose a coarser level with --level"
        )
    return notes


def write_json(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes items, links, names of clusters, and the terminology.

    The id of an item is the number of its row, from 1; its description has the id of the paper.
    """
    sink.write(b'{"network":{"items":[\n')
    between = ""
    for item in _item_objects(content):
        sink.write((between + dump(item)).encode())
        between = ",\n"
    sink.write(b'\n],"links":[\n')
    between = ""
    for links in slices(content.edges().select(["source", "target", "weight"])):
        source, target = (as_texts(pc.add(links[name], 1)) for name in ("source", "target"))
        parts = ('{"source_id":', source, ',"target_id":', target, ',"strength":')
        texts = pc.binary_join_element_wise(*parts, as_texts(links["weight"]), "}", "")
        sink.write((between + ",\n".join(texts.to_pylist())).encode())
        between = ",\n"

    clusters: list[dict[str, Any]] = []
    if content.membership:
        names = content.membership.titles.to_pylist()
        used = np.unique(content.membership.labels).tolist()
        used = [label for label in used if 0 <= label < MAX_CLUSTERS]
        clusters = [{"cluster": label + 1, "label": names[label]} for label in used]
    unit, title = content.unit, f"{content.kind} network of {content.unit}s"
    terms = {"item": unit, "items": f"{unit}s", "cluster": "community", "clusters": "communities"}
    info = {"title": title, "description": escape(describe(content))}
    about = {"config": {"terminology": terms}, "info": info}
    sink.write(f"\n],{dump({'clusters': clusters})[1:-1]}}},{dump(about)[1:-1]}}}\n".encode())


def write_map(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes VOSviewer's map file, one line per item: id, label, description, url, x, y, ...

    Texts are in double quotes, since labels may contain commas; a double quote within a text
    becomes a single quote, which all versions support.
    """
    items = read_items(content)
    sink.write(("\t".join(items.column_names) + "\n").encode())
    columns = {name: items[name] for name in items.column_names}
    for name, column in columns.items():
        if column.type == pa.string():
            columns[name] = pc.replace_substring(column, '"', "'")
    for rows in slices(pa.table(columns)):
        pyarrow.csv.write_csv(rows, sink, _TABBED)


def write_links(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes VOSviewer's network file: ids of both items and strength of each edge, no header."""
    for edges in slices(content.edges()):
        ends = {name: pc.add(edges[name], 1) for name in ("source", "target")}
        pyarrow.csv.write_csv(pa.table({**ends, "weight": edges["weight"]}), sink, _TABBED)


def dump(value: object) -> str:
    """Formats JSON on one line; NaN and infinity are errors."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _descriptions(content: AttributedNetwork) -> Iterator[str]:
    """HTML: title, authors, venue and year, id."""
    names = [TITLES[content.unit], "authors", "venue", "year", "size", "field", "id"]
    nodes = content.nodes.select([name for name in names if name in content.nodes.column_names])
    for rows in slices(nodes):
        for node in rows.to_pylist():
            title = node.get("title") or node.get("label")
            authors = (node.get("authors") or "").split("; ")
            people = "; ".join(authors[:_MAX_AUTHORS]) + (
                " et al." if len(authors) > _MAX_AUTHORS else ""
            )
            details = (node[name] for name in ("venue", "year", "field") if node.get(name))
            papers = f"{node['size']:,} papers" if node.get("size") is not None else ""
            lines = [f"<b>{escape(title)}</b>" if title else ""]
            texts = (people, ", ".join(map(str, details)), papers, node["id"])
            lines += [escape(text) for text in texts]
            yield "<br>".join(line for line in lines if line)


def _item_objects(content: AttributedNetwork) -> Iterator[dict[str, Any]]:
    """Items as JSON objects without missing values; `weight<Links>` is `Links` of `weights`."""
    items = read_items(content)
    places = {name: ("", name) for name in items.column_names}
    for name in items.column_names:
        for group in ("weight", "score"):
            if name.startswith(f"{group}<"):
                places[name] = (f"{group}s", name[len(group) + 1 : -1])
    for rows in slices(items):
        for row in rows.to_pylist():
            item: dict[str, Any] = {}
            for name, value in row.items():
                if value is not None:
                    group, own = places[name]
                    (item.setdefault(group, {}) if group else item)[own] = value
            yield item
