"""GraphML, read by networkx and igraph and validated against a schema."""

from __future__ import annotations

import io
import math
from pathlib import Path
from tempfile import NamedTemporaryFile

import igraph
import networkx as nx
import numpy as np
import pyarrow as pa
from hypothesis import given
from lxml import etree

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.graphml import write_graphml
from citescape.networks.network import build_network
from tests.mapping.exports.contents import contents, edges_of, few, rows_of

SCHEMA = etree.XMLSchema(file=str(Path(__file__).with_name("graphml.xsd")))


def written(content: AttributedNetwork) -> bytes:
    sink = io.BytesIO()
    write_graphml(content, sink)
    return sink.getvalue()


def expected_nodes(content: AttributedNetwork) -> dict[str, dict[str, object]]:
    """Expected nodes: `name` is the id of the paper, `label` its title or id."""
    found = {}
    for id_, known in rows_of(content).items():
        known["name"] = known.pop("id")
        known["label"] = known.pop("title", id_)
        found[id_] = known
    return found


@few
@given(contents())
def test_networkx_reads_the_same_network(content: AttributedNetwork) -> None:
    text = written(content)
    SCHEMA.assertValid(etree.fromstring(text))
    graph = nx.read_graphml(io.BytesIO(text))
    assert list(graph) == [f"n{k}" for k in range(len(content.network))]
    nodes = {graph.nodes[node]["name"]: dict(graph.nodes[node]) for node in graph}
    assert nodes == expected_nodes(content)
    ids = content.network.ids.to_pylist()
    edges = {
        tuple(ids[int(end[1:])] for end in sorted(pair, key=lambda end: int(end[1:]))): dict(data)
        for *pair, data in graph.edges(data=True)
    }
    assert edges == edges_of(content)
    assert graph.graph["edge_default"] == {"kind": "knn"}


@few
@given(contents(least=1))
def test_igraph_reads_the_same_network(content: AttributedNetwork) -> None:
    graph = read_igraph(written(content))
    nodes = expected_nodes(content)
    assert graph.vs["name"] == list(nodes)
    for vertex, known in zip(graph.vs, nodes.values(), strict=True):
        held = vertex.attributes()
        held.pop("id")
        present = {name: value for name, value in held.items() if is_known(value)}
        assert present == {k: v for k, v in known.items() if k in present}
        assert all(is_blank(v) for k, v in known.items() if k not in present)
    pairs = {
        (graph.vs[edge.source]["name"], graph.vs[edge.target]["name"]): edge.attributes()
        for edge in graph.es
    }
    for pair, known in edges_of(content).items():
        assert pairs[pair]["weight"] == known["weight"]
        assert (pairs[pair]["citing"] or None) == known.get("citing")
        assert pairs[pair]["kind"] == "knn"


def read_igraph(text: bytes) -> igraph.Graph:
    with NamedTemporaryFile(suffix=".graphml") as file:
        file.write(text)
        file.flush()
        return igraph.Graph.Read_GraphML(file.name)


def is_known(value: object) -> bool:
    """False for the values that igraph uses for missing ones: NaN, empty text or False."""
    return not is_blank(value) and not (isinstance(value, float) and math.isnan(value))


def is_blank(value: object) -> bool:
    return value in ("", None, False)


def test_an_empty_network() -> None:
    none = pa.array([], pa.string())
    empty = build_network(none, (np.array([], int), np.array([], int)), np.array([]))
    nodes = pa.table({"id": none, "title": none})
    text = written(AttributedNetwork(empty, nodes, pa.table({}), "knn"))
    SCHEMA.assertValid(etree.fromstring(text))
    assert len(nx.read_graphml(io.BytesIO(text))) == 0
