"""VOSviewer (https://www.vosviewer.com): items with places, clusters, weights and scores.

Besides what its manual says, VOSviewer Online refuses files where some items lack a weight or a
place that others have, or a cluster is above 1,000; such things are left out for all, and said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
"""Column -> the weight's name: what may size an item."""
SCORES: Mapping[str, str] = {
    "year": "Publication year",
    "mean_year": "Mean publication year",
    "diversity": "Interdisciplinarity",
}
"""Column -> the score's name: what may colour an item."""
MOST_CLUSTERS = 1000
FEWEST_ITEMS = 3
MANY_ITEMS = 5000
"""VOSviewer is slow beyond."""
_NAMED = 3
"""Authors that a description names."""


def read_items(content: AttributedNetwork) -> pa.Table:
    """Nodes as items, a row each; columns as VOSviewer's map files name them.

    Columns: id (the number of the row, from 1), label, description, url, and, where VOSviewer
    takes them, x, y, cluster (from 1); `weight<...>`, 0 or more, none missing; `score<...>`, null
    where not known. Papers are labelled `Surname (year)`, as VOSviewer labels documents; the title
    stands in the description. Topics are labelled by what they are about.
    """
    labels, nodes = content.titles, content.nodes
    if content.unit == "paper":
        labels = pc.coalesce(_by_author(nodes), labels)
    columns = {
        "id": pa.array(np.arange(1, len(nodes) + 1)),
        "label": labels,
        "description": pa.array(_descriptions(content), pa.string()),
        **{name: nodes[name] for name in ("url",) if name in nodes.column_names},
        **({"x": nodes["x"], "y": nodes["y"]} if takes_places(content) else {}),
        **_cluster(content),
        **{f"weight<{name}>": values for name, values in _weights(content).items()},
        **{f"score<{SCORES[name]}>": nodes[name] for name in _there(content, SCORES)},
    }
    return pa.table(columns)


def takes_places(content: AttributedNetwork) -> bool:
    """Whether the map can go along: every item has a place, and not all have the same."""
    if not find_placed(content.nodes).all() or not len(content.network):
        return False
    return any(pc.count_distinct(content.nodes[name]).as_py() > 1 for name in ("x", "y"))


def find_limits(content: AttributedNetwork) -> list[str]:
    """What VOSviewer would not take, or what it cannot show, in words."""
    said = []
    if len(content.network) < FEWEST_ITEMS:
        said.append(f"VOSviewer opens networks of {FEWEST_ITEMS} items or more")
    if len(content.network) > MANY_ITEMS:
        said.append(
            f"VOSviewer is slow with more than {MANY_ITEMS:,} items; --largest {MANY_ITEMS} keeps "
            "the largest"
        )
    placed = int(find_placed(content.nodes).sum())
    if placed and not takes_places(content):
        lacking = len(content.network) - placed
        said.append(
            f"{content.unit}s without a place on the map: {lacking:,}; VOSviewer takes places for "
            "all items or none, so none are written; --placed leaves those out instead"
            if lacking
            else "all items lie on one place, which VOSviewer does not take: none is written"
        )
    if not takes_places(content) and not content.network.edges:
        said.append("VOSviewer can lay out nothing without links or places")
    if content.membership and int(content.membership.labels.max(initial=0)) >= MOST_CLUSTERS:
        said.append(
            f"VOSviewer knows {MOST_CLUSTERS:,} clusters: communities beyond have none; name a "
            "coarser one with --level"
        )
    return said


def write_json(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes items, links, names of clusters, and the words for what they are.

    The id of an item is the number of its row, from 1; its description has the paper's own id.
    """
    sink.write(b'{"network":{"items":[\n')
    between = ""
    for item in _item_objects(content):
        sink.write((between + dump(item)).encode())
        between = ",\n"
    sink.write(b'\n],"links":[\n')
    between = ""
    for links in slices(content.edges().select(["source", "target", "weight"])):
        sink.write((between + ",\n".join(_link_objects(links).to_pylist())).encode())
        between = ",\n"
    rest = {"clusters": list(_clusters(content))}
    sink.write(f"\n],{dump(rest)[1:-1]}}},{dump(_told(content))[1:-1]}}}\n".encode())


def dump(value: object) -> str:
    """JSON on one line, in which NaN and infinity are errors."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _there(content: AttributedNetwork, names: Mapping[str, str]) -> list[str]:
    return [name for name in names if name in content.nodes.column_names]


def _cluster(content: AttributedNetwork) -> dict[str, pa.Array]:
    if content.membership is None:
        return {}
    numbers = content.membership.labels + 1
    return {"cluster": pa.array(numbers, mask=(numbers < 1) | (numbers > MOST_CLUSTERS))}


def _weights(content: AttributedNetwork) -> dict[str, pa.Array]:
    """Importance may be below 0 where it counts the likeness of titles; a weight may not."""
    columns = {
        "Links": pa.array(content.network.degrees),
        "Total link strength": pa.array(content.network.strengths),
    }
    for name in _there(content, WEIGHTS):
        values = pc.fill_null(content.nodes[name].combine_chunks(), 0)
        columns[WEIGHTS[name]] = pc.max_element_wise(values, pa.scalar(0, values.type))
    return columns


def _by_author(nodes: pa.Table) -> pa.StringArray:
    """(papers,) `Surname (year)`; null where no author is known."""
    first = pc.replace_substring_regex(nodes["authors"].combine_chunks(), "(, |; ).*", "")
    first = pc.if_else(pc.equal(first, ""), None, first)
    year = wrap(" (", as_texts(nodes["year"]), ")")
    return pc.binary_join_element_wise(first, year, "")


def _descriptions(content: AttributedNetwork) -> Iterator[str]:
    """HTML: title, authors, where and when, id."""
    names = [TITLES[content.unit], "authors", "venue", "year", "size", "field", "id"]
    held = content.nodes.select([name for name in names if name in content.nodes.column_names])
    for rows in slices(held):
        yield from map(_description, rows.to_pylist())


def _description(node: dict[str, Any]) -> str:
    title = node.get("title") or node.get("label")
    authors = (node.get("authors") or "").split("; ")
    people = "; ".join(authors[:_NAMED]) + (" et al." if len(authors) > _NAMED else "")
    where = ", ".join(str(node[name]) for name in ("venue", "year", "field") if node.get(name))
    papers = f"{node['size']:,} papers" if node.get("size") is not None else ""
    lines = [f"<b>{escape(title)}</b>" if title else ""]
    lines += [escape(line) for line in (people, where, papers, node["id"])]
    return "<br>".join(line for line in lines if line)


def _item_objects(content: AttributedNetwork) -> Iterator[dict[str, Any]]:
    """Items as JSON has them; what is not known is left out."""
    items = read_items(content)
    places = {name: _place(name) for name in items.column_names}
    for rows in slices(items):
        for row in rows.to_pylist():
            item: dict[str, Any] = {}
            for name, value in row.items():
                if value is not None:
                    group, own = places[name]
                    (item.setdefault(group, {}) if group else item)[own] = value
            yield item


def _place(name: str) -> tuple[str, str]:
    """Where an item has a column: `weight<Links>` is `Links` of its `weights`."""
    for group in ("weight", "score"):
        if name.startswith(f"{group}<"):
            return f"{group}s", name[len(group) + 1 : -1]
    return "", name


def _link_objects(links: pa.Table) -> pa.StringArray:
    source, target = (as_texts(pc.add(links[name], 1)) for name in ("source", "target"))
    parts = ('{"source_id":', source, ',"target_id":', target, ',"strength":')
    return pc.binary_join_element_wise(*parts, as_texts(links["weight"]), "}", "")


def _clusters(content: AttributedNetwork) -> Iterator[dict[str, Any]]:
    """Clusters of which there are items."""
    if content.membership is None:
        return
    names = content.membership.called.to_pylist()
    for label in np.unique(content.membership.labels).tolist():
        if 0 <= label < MOST_CLUSTERS:
            yield {"cluster": label + 1, "label": names[label]}


def _told(content: AttributedNetwork) -> dict[str, Any]:
    unit, title = content.unit, f"{content.kind} network of {content.unit}s"
    words = {"item": unit, "items": f"{unit}s", "cluster": "community", "clusters": "communities"}
    info = {"title": title, "description": escape(describe(content))}
    return {"config": {"terminology": words}, "info": info}
