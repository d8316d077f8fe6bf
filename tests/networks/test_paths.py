"""Distances and their mean, compared with networkx."""

from __future__ import annotations

import math
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.networks.network import Network
from citescape.networks.paths import measure_distances, measure_path_length
from tests.networks.graphs import as_networkx, make, networks, scale_free


@settings(max_examples=80)
@given(networks(most=16))
def test_distances_in_any_graph(network: Network) -> None:
    """Includes distances of a paper to itself, and pairs without a path."""
    first, second = np.indices((len(network), len(network))).reshape(2, -1)
    lengths = dict(nx.all_pairs_shortest_path_length(as_networkx(network)))
    expected = [lengths[a].get(b, -1) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    assert measure_distances(network, (first, second)).tolist() == expected


def test_long_paths_hubs_and_threads() -> None:
    """A chain of 300 papers attached to a network of 700 with hubs."""
    graph = nx.powerlaw_cluster_graph(700, 3, 0.3, seed=5)
    graph.add_edges_from((k, k + 1) for k in range(699, 999))
    network = make(1000, list(graph.edges))
    first, second = np.random.default_rng(1).integers(0, 1000, (2, 1000))
    expected = [nx.shortest_path_length(graph, a, b) for a, b in zip(first, second, strict=True)]
    assert max(expected) > 200
    for threads in (1, 3):
        assert measure_distances(network, (first, second), threads=threads).tolist() == expected


def test_all_pairs_are_measured_if_few() -> None:
    network = make(5, [(0, 1), (1, 2), (2, 3)])
    measured = measure_path_length(network, np.arange(4), pairs=6)
    assert measured is not None
    assert (measured.mean, measured.standard_error) == ((1 + 2 + 3 + 1 + 2 + 1) / 6, 0)
    assert (measured.pairs, measured.exact) == (6, True)
    sampled = measure_path_length(network, np.arange(4), pairs=5)
    assert sampled is not None
    assert (sampled.pairs, sampled.exact) == (5, False)


def test_a_sample_and_its_standard_error() -> None:
    """Over many seeds, sampled means scatter about the exact mean as their errors predict."""
    network = scale_free(200, seed=3)
    papers = np.arange(200)
    exact = measure_path_length(network, papers, pairs=200 * 199 // 2)
    assert exact is not None
    assert exact.exact
    graph = as_networkx(network).subgraph(range(200))
    assert exact.mean == pytest.approx(nx.average_shortest_path_length(graph), rel=1e-12)
    sampled = [measure_path_length(network, papers, pairs=400, seed=seed) for seed in range(100)]
    off = [(sample_.mean - exact.mean) / sample_.standard_error for sample_ in sampled if sample_]  # type: ignore[operator]
    assert len(set(off)) > 90
    assert abs(np.mean(off)) < 4 / np.sqrt(100)
    assert 0.7 < np.std(off) < 1.3


def test_a_pair_has_two_different_papers() -> None:
    """In a complete network every distance is 1; that of a paper to itself would be 0."""
    network = make(12, [(a, b) for a in range(12) for b in range(a)])
    for seed in range(20):
        measured = measure_path_length(network, np.arange(12), pairs=65, seed=seed)
        assert measured is not None
        assert (measured.mean, measured.standard_error, measured.exact) == (1, 0, False)


def test_all_papers_are_equally_likely() -> None:
    """A star of 50: leaves have distance 2; the centre is in 2 of 50 pairs."""
    network = make(60, [(0, k) for k in range(1, 50)])
    measured = measure_path_length(network, np.arange(50), pairs=1000)
    assert measured is not None
    centre = 2 / 50
    error = math.sqrt(centre * (1 - centre) / 1000)
    assert measured.mean == pytest.approx(2 - centre, abs=4 * error)
    assert measured.standard_error == pytest.approx(error, rel=0.2)


def test_the_same_seed_gives_the_same_pairs() -> None:
    network, papers = scale_free(300, seed=4), np.arange(300)
    first = [measure_path_length(network, papers, pairs=50, seed=seed) for seed in (0, 0, 1)]
    assert first[0] == first[1] != first[2]


@given(st.integers(2, 40))
def test_path_length_of_a_chain(papers: int) -> None:
    """The mean distance on a chain of n papers is (n + 1) / 3."""
    network = make(papers, [(k, k + 1) for k in range(papers - 1)])
    measured = measure_path_length(network, np.arange(papers))
    assert measured is not None
    assert measured.mean == pytest.approx((papers + 1) / 3)
    assert measured.pairs == len(list(combinations(range(papers), 2)))


def test_networks_without_a_path_length() -> None:
    network = make(3, [(0, 1)])
    assert measure_path_length(network, np.array([2])) is None
    assert measure_path_length(network, np.array([], np.int64)) is None
    connected = measure_path_length(make(4, [(0, 1), (1, 2), (2, 3)]), np.arange(4), pairs=1)
    assert connected is not None
    assert (connected.pairs, connected.standard_error, connected.exact) == (1, None, False)
    with pytest.raises(ConfigError, match="pairs is 0; expected 1 or more"):
        measure_path_length(network, np.array([0, 1]), pairs=0)
    with pytest.raises(ConfigError, match="need connected papers; found papers without a path"):
        measure_path_length(network, np.arange(3))


def test_progress_counts_paths() -> None:
    progress: list[str] = []
    network = make(30, [(k, k + 1) for k in range(29)])
    measure_path_length(network, np.arange(30), pairs=400, progress=progress.append)
    assert progress == [f"measured {n} of 400 shortest paths" for n in (256, 400)]
