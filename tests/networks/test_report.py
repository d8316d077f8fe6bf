"""The structure report: by hand, compared with networkx and igraph, and undefined values."""

from __future__ import annotations

import math
from dataclasses import asdict, replace

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.networks.network import Network, find_density
from citescape.networks.random_network import build_random_network
from citescape.networks.report import (
    NetworkReport,
    describe_network,
    find_largest_component,
    report_table,
)
from tests.networks.graphs import as_networkx, make, networks, scale_free


def describe_alone(network: Network) -> NetworkReport:
    return describe_network(network, beside_random=False)


def test_structure_by_hand() -> None:
    """A triangle with a tail, a pair, and a paper alone."""
    network = make(7, [(0, 1), (1, 2), (2, 0), (2, 3), (4, 5)], [1, 2, 3, 4, 5])
    report = describe_alone(network)
    assert (report.papers, report.core, report.edges) == (7, 7, 5)
    assert report.mean_degree == 2 * 5 / 7
    assert report.density == 2 * 5 / (7 * 6)
    assert (report.components, report.connected) == (3, False)
    assert (report.largest, report.largest_share, report.isolated) == (4, 4 / 7, 1)
    assert report.local_clustering == (1 + 1 + 1 / 3) / 7
    assert report.transitivity == 3 / 5
    assert report.mean_strength == pytest.approx(2 * (1 + 2 + 3 + 4 + 5) / 7)
    assert report.path_length is not None
    assert report.path_length.mean == (1 + 1 + 2 + 1 + 2 + 1) / 6
    assert report.random is None


@settings(max_examples=50)
@given(networks())
def test_structure_equals_networkx(network: Network) -> None:
    report, graph = describe_alone(network), as_networkx(network)
    size = len(network)
    parts = sorted(nx.connected_components(graph), key=lambda part: (-len(part), min(part)))
    assert (report.papers, report.edges) == (size, graph.number_of_edges())
    assert report.components == len(parts)
    assert report.connected == (len(parts) == 1)
    assert report.largest == max(map(len, parts), default=0)
    assert report.isolated == nx.number_of_isolates(graph)
    assert find_largest_component(network)[1].tolist() == (sorted(parts[0]) if parts else [])
    if size:
        assert report.mean_degree == np.mean([degree for _, degree in graph.degree])
        assert report.local_clustering == pytest.approx(nx.average_clustering(graph))
        assert report.mean_strength == pytest.approx(network.strengths.mean())
    if size > 1:
        assert report.density == pytest.approx(nx.density(graph))
    if report.largest > 1:
        assert report.path_length is not None
        expected = nx.average_shortest_path_length(graph.subgraph(parts[0]))
        assert report.path_length.mean == pytest.approx(expected)
    else:
        assert report.path_length is None


def test_structure_equals_igraph() -> None:
    network = scale_free(400, seed=6)
    graph = igraph.Graph(len(network), edges=np.stack(network.upper()[:2], axis=1))
    report = describe_network(network, pairs=400 * 399 // 2, beside_random=False)
    assert report.components == len(graph.connected_components())
    assert report.largest == graph.connected_components().giant().vcount()
    assert report.density == pytest.approx(graph.density())
    assert report.local_clustering == pytest.approx(
        graph.transitivity_avglocal_undirected(mode="zero")
    )
    assert report.transitivity == pytest.approx(graph.transitivity_undirected())
    assert report.path_length is not None
    assert report.path_length.mean == pytest.approx(graph.average_path_length())


def test_published_figures_follow_from_papers_and_edges() -> None:
    """CIA, Table 6: of lists of 20, 149,247,911 are mutual; mean degree 31.02, density 9.33e-7.

    The random network's clustering, 9.43e-7, is near the density, which is its expectation.
    """
    papers, mutual = 33_230_001, 149_247_911
    edges, citations = 20 * papers - mutual, 674_919_425
    assert edges == 515_352_109
    assert f"{2 * edges / papers:.2f}" == "31.02"
    assert f"{find_density(papers, edges):.2e}" == "9.33e-07"
    assert f"{2 * citations / papers:.2f}" == "40.62"
    assert f"{find_density(papers, citations):.2e}" == "1.22e-06"


UNDEFINED = {
    "no papers": (
        0,
        ("mean_degree", "density", "largest_share", "local_clustering", "transitivity"),
    ),
    "one paper": (1, ("density", "transitivity")),
    "papers alone": (4, ("transitivity",)),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined_values_are_none(name: str) -> None:
    papers, undefined = UNDEFINED[name]
    report = describe_network(make(papers, []))
    for network in (report, report.random):
        assert network is not None
        assert (network.components, network.isolated, network.edges) == (papers, papers, 0)
        assert network.path_length is None
        undefined_fields = {field for field, value in asdict(network).items() if value is None}
        never = {"random", "path_length", *({"mean_strength"} if network is report.random else ())}
        assert (
            undefined_fields - never
            == {*undefined, *({"mean_strength"} if papers == 0 else ())} - never
        )
    assert report.largest == min(papers, 1)
    assert report.connected == (papers == 1)


def test_equal_components_are_described_by_lowest_id() -> None:
    """Two components of three papers: a chain and a triangle."""
    triangle = make(7, [(6, 0), (0, 3), (3, 6), (1, 2), (2, 4)])
    assert find_largest_component(triangle)[1].tolist() == [0, 3, 6]
    chain = make(7, [(0, 3), (3, 6), (1, 2), (2, 4), (4, 1)])
    length = describe_alone(chain).path_length
    assert length is not None
    assert length.mean == 4 / 3


def test_the_random_network_of_a_report() -> None:
    network = scale_free(2000, seed=7)
    report = describe_network(network, pairs=300, seed=5)
    twin = build_random_network(network, seed=5)
    assert report.random == replace(
        describe_network(twin, pairs=300, seed=5, beside_random=False), mean_strength=None
    )
    assert report.random is not None
    assert report.random.edges == pytest.approx(network.edges, abs=4 * math.sqrt(network.edges))
    assert (report.transitivity or 0) > 10 * (report.random.transitivity or 0)
    assert describe_network(network, pairs=300, seed=5) == report
    assert describe_network(network, pairs=300, seed=6) != report


def test_weights_affect_only_strength() -> None:
    network = scale_free(300, seed=8)
    scaled = csr_array(network.weights * 3.0)
    report = describe_alone(network)
    expected = asdict(report) | {"mean_strength": pytest.approx(3 * (report.mean_strength or 0))}
    assert asdict(describe_alone(Network(network.ids, scaled))) == expected


def test_papers_outside_the_core_count() -> None:
    core = np.arange(5) < 2
    report = describe_alone(replace(make(5, [(0, 1), (1, 2), (2, 3)]), core=core))
    assert (report.papers, report.core, report.isolated) == (5, 2, 1)


def test_pairs_must_be_positive() -> None:
    with pytest.raises(ConfigError, match="pairs is 0"):
        describe_network(make(3, [(0, 1)]), pairs=0)


def test_a_report_as_rows() -> None:
    network = make(4, [(0, 1), (1, 2)])
    rows = report_table(
        {"a": describe_network(network), "b": describe_alone(make(0, []))}
    ).to_pylist()
    assert [(row["network"], row["random"]) for row in rows] == [
        ("a", False),
        ("a", True),
        ("b", False),
    ]
    first, _, last = rows
    assert (first["path_length"], first["path_length_error"]) == ((1 + 2 + 1) / 3, 0)
    assert (first["path_length_pairs"], last["path_length_pairs"]) == (3, 0)
    assert (last["papers"], last["density"], last["path_length"]) == (0, None, None)
