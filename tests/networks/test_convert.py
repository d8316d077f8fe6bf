"""Conversion of networks to graphs of other libraries."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from citescape.networks.convert import to_igraph, to_networkx, to_pyg
from citescape.networks.network import Network, build_network

IDS = ["a", "b", "c", "d"]
EDGES = {("a", "b"): 0.5, ("b", "c"): 2.0}


@pytest.fixture
def network() -> Network:
    """Two edges; `c` is outside the core, `d` without any edge."""
    ends = (np.array([0, 1]), np.array([1, 2]))
    core = np.array([True, True, False, True])
    return build_network(pa.array(IDS), ends, np.array([*EDGES.values()]), core=core)


def test_conversion_to_networkx(network: Network) -> None:
    graph = to_networkx(network)
    assert list(graph) == IDS
    assert {(a, b): value for a, b, value in graph.edges(data="weight")} == EDGES
    assert [graph.nodes[id_]["core"] for id_ in IDS] == [True, True, False, True]


def test_conversion_to_igraph(network: Network) -> None:
    pytest.importorskip("igraph")
    graph = to_igraph(network)
    assert graph.vs["name"] == IDS
    names = [tuple(graph.vs[end]["name"] for end in edge.tuple) for edge in graph.es]
    assert dict(zip(names, graph.es["weight"], strict=True)) == EDGES


def test_conversion_to_pyg(network: Network) -> None:
    pytest.importorskip("torch_geometric")
    data = to_pyg(network)
    ends = [(IDS[a], IDS[b]) for a, b in data.edge_index.T.tolist()]
    assert dict(zip(ends, data.edge_weight.tolist(), strict=True)) == {
        **EDGES, **{(b, a): value for (a, b), value in EDGES.items()}
    }  # fmt: skip
    assert (data.num_nodes, data.ids, data.core.tolist()) == (4, IDS, [True, True, False, True])
