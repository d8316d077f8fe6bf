"""VOSviewer JSON, compared with a schema and with the network."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.membership import Membership
from citescape.mapping.exports.vosviewer import find_limits, write_json
from citescape.networks.network import build_network
from tests.mapping.exports.contents import contents, few, rows_of

SCHEMA = json.loads(Path(__file__).with_name("vosviewer.schema.json").read_text(encoding="utf-8"))
CHECK = Draft202012Validator(SCHEMA)


def written(content: AttributedNetwork) -> Any:
    sink = io.BytesIO()
    write_json(content, sink)
    return json.loads(sink.getvalue())


def node_table(count: int, **columns: list[Any]) -> AttributedNetwork:
    """A ring of papers."""
    ids = pa.array([f"p{k:05d}" for k in range(count)])
    papers = np.arange(count)
    ring = build_network(ids, (papers, (papers + 1) % count), np.ones(count))
    authors = pa.array(["Müller, Eva; Li, Bo; Ng, C.; Ito, D."] * count, pa.string())
    year = pa.array([2020] * count)
    nodes = {"id": ids, "title": ids, "authors": authors, "year": year, **columns}
    return AttributedNetwork(ring, pa.table(nodes), pa.table({}), "coupling")


@few
@given(contents())
def test_files_follow_the_schema_of_vosviewer(content: AttributedNetwork) -> None:
    found = written(content)
    CHECK.validate(found)
    items, links = found["network"]["items"], found["network"]["links"]
    weights = [set(item["weights"]) for item in items]
    assert all(names == weights[0] for names in weights)  # VOSviewer refuses other files
    assert [item["id"] for item in items] == list(range(1, len(content.network) + 1))
    source, target, weight = content.network.upper()
    assert [(link["source_id"] - 1, link["target_id"] - 1, link["strength"]) for link in links] == [
        *zip(source.tolist(), target.tolist(), weight.tolist(), strict=True)
    ]
    placed = all(value is not None for value in content.nodes["x"].to_pylist())
    if not placed:
        assert not any("x" in item for item in items)


@few
@given(contents())
def test_items_have_all_known_attributes(content: AttributedNetwork) -> None:
    found, nodes = written(content), rows_of(content)
    degrees, strengths = content.network.degrees, content.network.strengths
    assert content.membership
    named = {cluster["cluster"]: cluster["label"] for cluster in found["network"]["clusters"]}
    for k, (item, known) in enumerate(zip(found["network"]["items"], nodes.values(), strict=True)):
        weights = item["weights"]
        assert weights["Links"] == degrees[k]
        assert weights["Total link strength"] == strengths[k]
        assert weights["Citations"] == known["citations"]
        assert weights["Importance"] == max(known["importance"], 0)  # type: ignore[call-overload]
        assert item.get("scores", {}).get("Publication year") == known.get("year")
        assert item.get("url") == known.get("url")
        text = item["description"]
        assert text.endswith(escape(str(known["id"])))
        assert escape(str(known.get("title", ""))) in text
        label = int(content.membership.labels[k])
        assert item.get("cluster") == (label + 1 if label >= 0 else None)
        if label >= 0:
            assert named[label + 1] == ["x", "c1", "<y>"][label]


def test_papers_are_labelled_by_author_and_year() -> None:
    item = written(node_table(3))["network"]["items"][0]
    assert item["label"] == "Müller (2020)"
    nameless = node_table(2, authors=[", ", None])
    assert [
        item_without_author["label"]
        for item_without_author in written(nameless)["network"]["items"]
    ] == ["p00000", "p00001"]
    assert "Müller, Eva; Li, Bo; Ng, C. et al.<br>2020<br>p00000" in item["description"]
    bare = replace(node_table(3), nodes=pa.table({
        "id": ["p00000", "p00001", "p00002"],
        "title": ["A title", None, "Other"],
        "authors": pa.array([None, None, "A Group"], pa.string()),
        "year": pa.array([2020, None, None]),
    }))  # fmt: skip
    labels = [item["label"] for item in written(bare)["network"]["items"]]
    assert labels == ["A title", "p00001", "A Group"]


def test_topics_have_labels() -> None:
    papers = node_table(3)
    nodes = {
        "id": papers.network.ids,
        "label": pa.array(["wheat; rust", None, "<rice>"]),
        "size": pa.array([1200, 2, 1]),
        "field": pa.array(["Agronomy", None, None], pa.string()),
        "mean_year": pa.array([2001.5, None, 2000.0]),
        "diversity": pa.array([0.25, None, 0.0]),
    }
    found = written(replace(papers, nodes=pa.table(nodes), unit="topic"))
    CHECK.validate(found)
    first, second, third = found["network"]["items"]
    assert [item["label"] for item in (first, second, third)] == ["wheat; rust", "p00001", "<rice>"]
    assert first["weights"]["Papers"] == 1200
    assert first["scores"] == {"Mean publication year": 2001.5, "Interdisciplinarity": 0.25}
    assert "scores" not in second
    assert first["description"] == "<b>wheat; rust</b><br>Agronomy<br>1,200 papers<br>p00000"
    assert third["description"].startswith("<b>&lt;rice&gt;</b>")
    assert found["config"]["terminology"]["items"] == "topics"


def test_coordinates_need_all_items() -> None:
    both = {"x": [0.0, 1.0, 2.0], "y": [5.0, 5.0, 5.0]}
    placed = node_table(3, **both)
    assert [item["x"] for item in written(placed)["network"]["items"]] == [0, 1, 2]
    assert find_limits(placed) == []
    lacking = node_table(3, x=pa.array([0.0, None, 2.0]), y=pa.array([5.0, None, 5.0]))
    assert not any("x" in item for item in written(lacking)["network"]["items"])
    (note,) = find_limits(lacking)
    assert note.startswith("papers without a place on the map: 1; VOSviewer accepts places for all")
    same = node_table(3, x=[1.0] * 3, y=[2.0] * 3)
    assert not any("x" in item for item in written(same)["network"]["items"])
    assert find_limits(same) == [
        "all items have the same place, which VOSviewer rejects: no places are written"
    ]


def test_limits_of_vosviewer_are_reported() -> None:
    assert find_limits(node_table(2)) == ["VOSviewer opens networks of 3 items or more"]
    assert "more than 5,000 items; --largest 5000" in find_limits(node_table(5001))[0]
    ids = pa.array(["a", "b", "c"])
    none = np.array([], int)
    alone = replace(node_table(3), network=build_network(ids, (none, none), np.array([])))
    assert find_limits(alone) == ["VOSviewer cannot lay out items without links or places"]


def test_clusters_beyond_a_thousand_have_no_number() -> None:
    count = 1002
    names = pa.array([f"c{k}" for k in range(count)])
    level = Membership(
        "fine", np.arange(count, dtype=np.int32), names, pa.nulls(count, pa.string())
    )
    content = replace(node_table(count), memberships=(level,), level="fine")
    found = written(content)
    CHECK.validate(found)
    clusters = [item.get("cluster") for item in found["network"]["items"]]
    assert clusters == [*range(1, 1001), None, None]
    assert len(found["network"]["clusters"]) == 1000
    assert "a coarser level with --level" in find_limits(content)[0]


def test_infinite_numbers_are_no_json() -> None:
    broken = node_table(3, citations=[1.0, float("inf"), 2.0])
    with pytest.raises(ValueError, match="not JSON compliant"):
        written(broken)
