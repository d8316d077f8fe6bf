"""Triangles and clustering, compared with networkx and igraph."""

from __future__ import annotations

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.networks.network import Network
from citescape.networks.triangles import count_triangles, local_clustering, transitivity
from tests.networks.graphs import as_networkx, make, networks, scale_free


def test_triangles_by_hand() -> None:
    """A triangle with a tail: a-b, b-c, c-a, c-d; e is isolated."""
    network = make(5, [(0, 1), (1, 2), (2, 0), (2, 3)])
    triangles = count_triangles(network)
    assert triangles.tolist() == [1, 1, 1, 0, 0]
    assert local_clustering(network.degrees, triangles) == (1 + 1 + 1 / 3 + 0 + 0) / 5
    assert transitivity(network.degrees, triangles) == 3 * 1 / (1 + 1 + 3)


@settings(max_examples=80)
@given(networks())
def test_triangles_equal_networkx(network: Network) -> None:
    graph = as_networkx(network)
    triangles = count_triangles(network)
    assert triangles.tolist() == [nx.triangles(graph)[k] for k in range(len(network))]
    local = local_clustering(network.degrees, triangles)
    whole = transitivity(network.degrees, triangles)
    assert local == (pytest.approx(nx.average_clustering(graph)) if len(network) else None)
    if any(degree > 1 for _, degree in graph.degree):
        assert whole == pytest.approx(nx.transitivity(graph))
    else:
        assert whole is None


def test_hubs_as_igraph_counts_them() -> None:
    network = scale_free(3000, seed=1)
    graph = igraph.Graph(len(network), edges=np.stack(network.upper()[:2], axis=1))
    triangles = count_triangles(network)
    assert triangles.sum() > 3000
    assert local_clustering(network.degrees, triangles) == pytest.approx(
        graph.transitivity_avglocal_undirected(mode="zero"), rel=1e-12
    )
    assert transitivity(network.degrees, triangles) == pytest.approx(
        graph.transitivity_undirected(), rel=1e-12
    )


@settings(max_examples=50)
@given(networks(), st.randoms())
def test_the_order_of_papers_does_not_matter(network: Network, chance: object) -> None:
    places = list(range(len(network)))
    chance.shuffle(places)  # type: ignore[attr-defined]
    rows, second, _ = network.upper()
    mixed = make(len(network), [(places[a], places[b]) for a, b in zip(rows, second, strict=True)])
    first, again = count_triangles(network), count_triangles(mixed)
    assert first.tolist() == again[places].tolist()
    assert local_clustering(network.degrees, first) == local_clustering(mixed.degrees, again)
    assert transitivity(network.degrees, first) == transitivity(mixed.degrees, again)


def test_the_number_of_threads_does_not_matter() -> None:
    network = scale_free(500, seed=2)
    assert (count_triangles(network, threads=1) == count_triangles(network, threads=5)).all()


def test_complete_and_empty_networks() -> None:
    whole = make(6, [(a, b) for a in range(6) for b in range(a)])
    assert count_triangles(whole).tolist() == [5 * 4 // 2] * 6
    assert local_clustering(whole.degrees, count_triangles(whole)) == 1
    assert transitivity(whole.degrees, count_triangles(whole)) == 1
    empty = make(3, [])
    assert local_clustering(empty.degrees, count_triangles(empty)) == 0
    assert transitivity(empty.degrees, count_triangles(empty)) is None
