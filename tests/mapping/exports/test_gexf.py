"""GEXF, read by networkx and validated against a schema."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from lxml import etree

from citescape.mapping.exports import texts
from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.gexf import find_undirected, write_gexf
from citescape.mapping.exports.places import choose_colours, compute_sizes, scale_places
from citescape.networks.kinds import KINDS
from citescape.networks.network import build_network
from tests.mapping.exports.contents import contents, edges_of, few, rows_of

SCHEMA = etree.XMLSchema(file=str(Path(__file__).with_name("gexf.xsd")))


def written(content: AttributedNetwork) -> bytes:
    sink = io.BytesIO()
    write_gexf(content, sink)
    return sink.getvalue()


def read(text: bytes) -> nx.Graph[str]:
    graph: nx.Graph[str] = nx.read_gexf(io.BytesIO(text))
    return graph


@few
@given(contents())
def test_networkx_reads_the_same_network(content: AttributedNetwork) -> None:
    text = written(content)
    SCHEMA.assertValid(etree.fromstring(text))
    graph = read(text)
    nodes, edges = rows_of(content), edges_of(content)
    assert set(graph) == set(nodes)
    for id_, known in nodes.items():
        expected = {**known, "label": known.get("title", id_)}
        expected.pop("id")
        expected.pop("title", None)
        found: dict[str, Any] = dict(graph.nodes[id_])
        found.pop("viz")
        assert found == expected
    ends = {tuple(sorted(pair, key=str.encode)): data for *pair, data in graph.edges(data=True)}
    assert {
        pair: {k: v for k, v in data.items() if k != "id"} for pair, data in ends.items()
    } == edges
    assert graph.graph["edge_default"] == {"kind": "knn"}


@few
@given(contents(least=2))
def test_nodes_have_positions_sizes_and_colours(content: AttributedNetwork) -> None:
    graph = read(written(content))
    assert content.membership
    colours = choose_colours(content.membership.labels)
    sizes = compute_sizes(content.nodes["importance"].to_numpy())
    placed = scale_places(content.nodes, 100 * len(content.network) ** 0.5)
    for k, id_ in enumerate(content.network.ids.to_pylist()):
        drawn = graph.nodes[id_]["viz"]
        red, green, blue = colours[k].tolist()
        assert drawn["color"] == {"r": red, "g": green, "b": blue, "a": 1.0}
        assert drawn["size"] == pytest.approx(sizes[k], abs=0.001)
        lies = placed is not None and not np.isnan(placed[0][k])
        assert ("position" in drawn) == lies
        if placed and lies:
            assert drawn["position"]["x"] == pytest.approx(placed[0][k], abs=0.001)
            assert drawn["position"]["y"] == pytest.approx(placed[1][k], abs=0.001)


def test_missing_values_are_left_out() -> None:
    ids = pa.array(["a", "b"])
    tied = build_network(ids, (np.array([0]), np.array([1])), np.array([0.5]))
    nodes = pa.table({"id": ids, "title": pa.nulls(2, pa.string())})
    text = written(AttributedNetwork(tied, nodes, pa.table({}), "coupling"))
    SCHEMA.assertValid(etree.fromstring(text))
    assert b"viz:" not in text.split(b"version=")[1]
    assert b"attvalues" not in text
    assert read(text).nodes["a"] == {"label": "a"}
    assert read(text).edges["a", "b"]["weight"] == 0.5


def cited(citing: list[str | None], kind: str = "method", unit: str = "paper") -> AttributedNetwork:
    """Edges a-b, b-c and c-d; `citing` names the citing end of each."""
    ids = pa.array(["a", "b", "c", "d"])
    tied = build_network(ids, (np.arange(3), np.arange(1, 4)), np.array([3.0, 2.0, 1.0]))
    nodes = pa.table({"id": ids, "title": ids, "label": ids})
    links = pa.table({"citing": pa.array(citing, pa.string()), "mentions": [4, 5, None]})
    return AttributedNetwork(tied, nodes, links, kind, unit)


def test_edges_point_from_the_citing_to_the_cited_paper() -> None:
    text = written(cited(["source", "both", "target"]))
    SCHEMA.assertValid(etree.fromstring(text))
    assert b'defaultedgetype="directed"' in text
    assert b'<edges count="4">' in text
    graph = read(text)
    assert graph.is_directed()
    assert not graph.is_multigraph()
    edges = graph.edges(data=True)
    assert {(first, second): (edge["weight"], edge["citing"]) for first, second, edge in edges} == {
        ("a", "b"): (3.0, "source"),
        ("b", "c"): (1.0, "both"),
        ("c", "b"): (1.0, "both"),
        ("d", "c"): (1.0, "source"),
    }
    assert graph.edges["c", "b"]["mentions"] == graph.edges["b", "c"]["mentions"] == 5


@pytest.mark.parametrize(
    ("content", "notes"),
    [
        (cited(["source", "both", "target"], "knn"), 0),
        (cited(["source", "both", "target"], unit="topic"), 0),
        (cited(["source", None, "target"]), 1),
    ],
)
def test_mixed_edges_are_undirected(content: AttributedNetwork, notes: int) -> None:
    assert not read(written(content)).is_directed()
    assert len(find_undirected(content)) == notes


def test_kinds_of_citation_networks() -> None:
    kinds = {kind for kind in KINDS if cited(["source", "both", "target"], kind).directed}
    assert kinds == {"citation", "extended", "importance", "background", "method", "result"}


def test_an_empty_network() -> None:
    none = pa.array([], pa.string())
    empty = build_network(none, (np.array([], int), np.array([], int)), np.array([]))
    nodes = pa.table({"id": none, "title": none})
    text = written(AttributedNetwork(empty, nodes, pa.table({}), "knn"))
    SCHEMA.assertValid(etree.fromstring(text))
    assert len(read(text)) == 0


def test_rows_are_written_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of 400 papers, written 128 at a time."""
    monkeypatch.setattr(texts, "_ROWS", 128)
    size = 400
    ids = pa.array([f"p{k:06d}" for k in range(size)])
    places = np.arange(size - 1)
    tied = build_network(ids, (places, places + 1), np.ones(size - 1))
    nodes = pa.table({"id": ids, "title": ids, "year": pa.array(np.arange(size))})
    graph = read(written(AttributedNetwork(tied, nodes, pa.table({}), "knn")))
    assert graph.number_of_edges() == size - 1
    assert graph.nodes["p000399"]["year"] == 399
    assert graph.has_edge("p000127", "p000128")
