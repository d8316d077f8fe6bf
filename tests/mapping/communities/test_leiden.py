"""The Leiden algorithm: results of both engines, and no side effects."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.communities.leiden import (
    ENGINES,
    find_communities,
    label_papers,
    prepare,
    scale_edges,
    split,
)
from citescape.mapping.communities.quality import QUALITIES, compute_quality
from citescape.networks.network import Network, build_network
from tests.mapping.communities.planted import plant_network
from tests.mapping.communities.small_networks import bridge, names, network, networks

BOTH = pytest.mark.parametrize("engine", sorted(ENGINES))


def is_connected(found: Network, clustering: Clustering) -> bool:
    graph = nx.from_scipy_sparse_array(found.weights)
    members = [np.flatnonzero(clustering.labels == k).tolist() for k in range(len(clustering))]
    return all(nx.is_connected(graph.subgraph(members_of_one)) for members_of_one in members)


@BOTH
@pytest.mark.parametrize(("quality", "resolution"), [("cpm", 0.2), ("modularity", 1.0)])
def test_two_triangles_are_separated(engine: str, quality: str, resolution: float) -> None:
    found = find_communities(prepare(bridge(), engine=engine), resolution, quality=quality)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]


@BOTH
def test_planted_communities_are_found(engine: str) -> None:
    planted = plant_network(8, 25, inside=0.6, outside=0.02)
    found = find_communities(prepare(planted, engine=engine), 0.2, seed=3)
    assert adjusted_rand_score(np.arange(200) % 8, found.labels) == 1.0
    assert found.sizes.tolist() == [25] * 8


def plant_unequal(mixed: float, seed: int) -> tuple[Network, np.ndarray]:
    """Communities of 15 to 120 papers with power-law degrees and a share of random links.

    Similar to the benchmark graphs of Lancichinetti, Fortunato and Radicchi (2008).
    """
    generator = np.random.default_rng(seed)
    truth = np.repeat(np.arange(6), [120, 80, 60, 40, 25, 15])
    members = [np.flatnonzero(truth == k) for k in range(6)]
    edges = {
        (min(paper, other), max(paper, other))
        for paper in range(len(truth))
        for _ in range(int(5 * (1 - generator.random()) ** -0.5))
        for other in [int(generator.choice(members[truth[paper]]))]
        if other != paper
    }
    count = int(mixed * len(edges))
    apart = generator.integers(0, len(truth), (count, 2)).tolist()
    return network(len(truth), [*sorted(edges), *((a, b) for a, b in apart if a != b)]), truth


@pytest.mark.parametrize("seed", [0, 1])
def test_communities_of_unequal_size_and_strength_are_found(seed: int) -> None:
    found, truth = plant_unequal(0.1, seed)
    prepared = prepare(found)
    for quality, resolution in (("cpm", 0.03), ("modularity", 1.0)):
        clustering = find_communities(prepared, resolution, quality=quality)
        assert adjusted_rand_score(truth, clustering.labels) > 0.95


@BOTH
@settings(max_examples=60)
@given(networks(12, cores=True), st.data())
def test_communities_are_connected_for_any_start(
    engine: str, found: Network, data: st.DataObject
) -> None:
    size = len(found)
    begun = data.draw(st.lists(st.integers(-1, 4), min_size=size, max_size=size))
    quality = data.draw(st.sampled_from(sorted(QUALITIES)))
    clustering = find_communities(
        prepare(found, engine=engine),
        data.draw(st.sampled_from([0.01, 0.3, 1.0, 5.0])),
        quality=quality,
        seed=data.draw(st.integers(0, 9)),
        iterations=data.draw(st.sampled_from([1, 2, -1])),
        start=data.draw(st.sampled_from([None, np.array(begun, np.int32)])),
    )
    assert is_connected(found, clustering)
    assert (clustering.labels[found.in_core] >= 0).all()
    assert clustering.sizes.sum() == found.in_core.sum()
    assert (clustering.sizes > 0).all()


@BOTH
@settings(max_examples=60)
@given(networks(12), st.sampled_from([0.05, 0.5, 2.0]), st.sampled_from(sorted(QUALITIES)))
def test_quality_is_at_least_that_of_singletons(
    engine: str, found: Network, resolution: float, quality: str
) -> None:
    clustering = find_communities(prepare(found, engine=engine), resolution, quality=quality)
    alone = np.arange(len(found), dtype=np.int32)
    ours, theirs = (
        compute_quality(found, labels, resolution, quality=quality)
        for labels in (clustering.labels, alone)
    )
    assert ours >= theirs - 1e-12


@pytest.mark.parametrize(("quality", "resolution"), [("cpm", 0.08), ("modularity", 1.5)])
def test_engines_reach_the_same_quality(quality: str, resolution: float) -> None:
    planted = plant_network(12, 30, inside=0.3, outside=0.03, seed=5)
    best = {}
    for engine in ENGINES:
        prepared = prepare(planted, engine=engine)
        found = [
            find_communities(prepared, resolution, quality=quality, seed=seed).labels
            for seed in range(5)
        ]
        best[engine] = max(
            compute_quality(planted, labels_of_engine, resolution, quality=quality)
            for labels_of_engine in found
        )
    assert best["igraph"] == pytest.approx(best["leidenalg"], rel=1e-4)


def test_small_networks_get_the_optimal_clustering() -> None:
    """Compared with all 203 partitions of six papers."""
    generator = np.random.default_rng(1)
    for _ in range(20):
        edges = [(i, j) for i in range(6) for j in range(i) if generator.random() < 0.6]
        found = network(6, edges, generator.integers(1, 9, len(edges)).tolist())
        best = max(compute_quality(found, np.array(partition), 1.5) for partition in partitions(6))
        tried = [find_communities(prepare(found), 1.5, seed=seed).labels for seed in range(5)]
        assert max(compute_quality(found, partition, 1.5) for partition in tried) == pytest.approx(
            best
        )


def partitions(count: int) -> list[list[int]]:
    """Labels of every partition: each paper joins an earlier community or starts a new one."""
    if count == 0:
        return [[]]
    return [
        [*rest, label]
        for rest in partitions(count - 1)
        for label in range(max(rest, default=-1) + 2)
    ]


FINGERPRINTS = """
from tests.mapping.communities.planted import plant_network
from citescape.mapping.communities.leiden import ENGINES, find_communities, prepare
found = plant_network(9, 20, inside=.2, outside=.05)
made = {
    engine: [find_communities(prepare(found, engine=engine), .08, seed=s).fingerprint()
             for s in (0, 1)]
    for engine in sorted(ENGINES)
}
"""


def test_the_same_seed_gives_the_same_labels_in_another_process() -> None:
    """The other process has a different hash seed."""
    here: dict[str, Any] = {}
    exec(FINGERPRINTS, here)
    hashed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    there = subprocess.run(
        [sys.executable, "-c", f"{FINGERPRINTS}print(made)"],
        env={**os.environ, "PYTHONHASHSEED": hashed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert eval(there) == here["made"]
    assert set(here["made"]) == set(ENGINES)
    for first, second in here["made"].values():
        assert first != second, "seeds that make no difference prove nothing"


def test_global_random_state_is_not_used() -> None:
    import igraph

    prepared = prepare(plant_network(9, 20, inside=0.2, outside=0.05))
    random.seed(7)
    expected = [random.random() for _ in range(4)]
    random.seed(7)
    drawn, found = [], []
    for _ in range(4):
        drawn.append(random.random())
        np.random.default_rng().random()
        found.append(find_communities(prepared, 0.08, seed=3).fingerprint())
    assert drawn == expected
    assert len(set(found)) == 1
    random.seed(7)
    first = igraph.Graph.Erdos_Renyi(50, 0.1).get_edgelist()
    find_communities(prepared, 0.08, seed=3)
    random.seed(7)
    assert igraph.Graph.Erdos_Renyi(50, 0.1).get_edgelist() == first


def test_threads_do_not_share_random_numbers() -> None:
    from concurrent.futures import ThreadPoolExecutor

    prepared = prepare(plant_network(9, 20, inside=0.2, outside=0.05))
    alone = [find_communities(prepared, 0.08, seed=seed).fingerprint() for seed in range(12)]
    with ThreadPoolExecutor(4) as pool:
        beside = pool.map(
            lambda seed: find_communities(prepared, 0.08, seed=seed).fingerprint(), range(12)
        )
    assert list(beside) == alone


def test_the_order_of_edges_does_not_matter() -> None:
    planted = plant_network(9, 20, inside=0.2, outside=0.05)
    first, second, weights = planted.upper()
    shuffled = np.random.default_rng(2).permutation(len(first))
    ends = (second[shuffled], first[shuffled])
    again = build_network(planted.ids, ends, weights[shuffled])
    labels = [find_communities(prepare(first), 0.08).labels for first in (planted, again)]
    assert (labels[0] == labels[1]).all()


@BOTH
def test_a_start_is_improved(engine: str) -> None:
    """Starting from a clustering never lowers its quality."""
    planted = plant_network(12, 30, inside=0.3, outside=0.03, seed=5)
    prepared = prepare(planted, engine=engine)
    first = find_communities(prepared, 0.08, seed=0, iterations=1)
    second = find_communities(prepared, 0.08, seed=1, iterations=1, start=first.labels)
    before, after = (
        compute_quality(planted, clustering.labels, 0.08) for clustering in (first, second)
    )
    assert after >= before
    settled = find_communities(prepared, 0.08, iterations=-1)
    again = find_communities(prepared, 0.08, seed=9, iterations=-1, start=settled.labels)
    assert compute_quality(planted, again.labels, 0.08) >= compute_quality(
        planted, settled.labels, 0.08
    )


@BOTH
def test_papers_outside_the_core_follow_the_core(engine: str) -> None:
    """2 links 0 and 1; 3 and 4, outside the core, are linked; 5 is alone, 6 is outside the core."""
    core = [True, True, False, False, False, True, False]
    found = network(7, [(0, 2), (1, 2), (3, 4)], core=core)
    clustering = find_communities(prepare(found, engine=engine), 0.3)
    assert clustering.labels.tolist() == [0, 0, 0, -1, -1, 1, -1]
    assert clustering.sizes.tolist() == [2, 1]


@pytest.mark.parametrize("resolution", [0.05, 0.2])
def test_a_coarser_level_keeps_communities_whole(resolution: float) -> None:
    planted = plant_network(16, 12, inside=0.5, outside=0.08, seed=2)
    below = find_communities(prepare(planted), 0.3)
    prepared = prepare(planted, within=below)
    above = find_communities(prepared, resolution)
    assert len(prepared) == len(below) > len(above) > 1
    parents = {(a, b) for a, b in zip(below.labels.tolist(), above.labels.tolist(), strict=True)}
    assert len(parents) == len(below)
    started = find_communities(prepared, resolution, start=above.labels)
    assert compute_quality(planted, started.labels, resolution) >= compute_quality(
        planted, above.labels, resolution
    )


def test_a_coarser_level_uses_sizes_in_papers() -> None:
    """Moving whole communities changes the quality of the network of papers."""
    planted = plant_network(10, 10, inside=0.6, outside=0.1, seed=3)
    below = find_communities(prepare(planted), 0.4)
    prepared = prepare(planted, within=below)
    for quality, resolution in (("cpm", 0.15), ("modularity", 0.8)):
        above = find_communities(prepared, resolution, quality=quality)
        best = compute_quality(planted, above.labels, resolution, quality=quality)
        nodes = np.unique(above.labels[np.unique(below.labels, return_index=True)[1]])
        assert best >= compute_quality(planted, below.labels, resolution, quality=quality)
        for first in nodes:
            for second in nodes[nodes > first]:
                merged = np.where(above.labels == second, first, above.labels)
                assert best >= compute_quality(planted, merged, resolution, quality=quality)


@BOTH
def test_networks_without_edges_have_singletons(engine: str) -> None:
    clustering = find_communities(prepare(network(4, []), engine=engine), 0.5)
    assert clustering.labels.tolist() == [0, 1, 2, 3]


@given(networks(10), st.data())
def test_splitting_gives_connected_parts(found: Network, data: st.DataObject) -> None:
    size = len(found)
    drawn = np.array(data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size)))
    parts = split(found.weights, drawn)
    graph = nx.from_scipy_sparse_array(found.weights)
    expected = {
        frozenset(part)
        for label in set(drawn.tolist())
        for part in nx.connected_components(graph.subgraph(np.flatnonzero(drawn == label).tolist()))
    }
    assert {frozenset(np.flatnonzero(parts == k).tolist()) for k in set(parts)} == expected
    assert list(dict.fromkeys(parts.tolist())) == sorted(set(parts.tolist()))


def test_edges_are_scaled_individually() -> None:
    prepared = prepare(network(4, [(0, 1), (1, 2), (2, 3)], [2.0, 4.0, 8.0]))
    scaled = scale_edges(prepared, np.array([0.5, 0.0, 1.0]))
    assert scaled.weights.toarray().tolist() == [
        [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 8], [0, 0, 8, 0]
    ]  # fmt: skip
    assert scaled.edges.tolist() == [1.0, 8.0]
    assert label_papers(scaled, np.array([0, 0, 1, 1])).sizes.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"resolution": 0.0}, "resolution is 0.0; expected a number above 0"),
        ({"resolution": float("nan")}, "resolution is nan; expected a number above 0"),
        ({"resolution": float("inf")}, "resolution is inf; expected a number above 0"),
        ({"iterations": 0}, "iterations is 0; expected 1 or more, or -1"),
        ({"quality": "map"}, "quality is 'map'; expected one of: cpm, modularity"),
        ({"start": np.zeros(2, np.int32)}, r"a start of shape \(2,\) for a network of 6 papers"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    given = {"resolution": 0.2, **settings}
    with pytest.raises(ConfigError, match=message):
        find_communities(prepare(bridge()), given.pop("resolution"), **given)


def test_unknown_and_missing_engines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="engine is 'x'; expected one of: igraph, leidenalg"):
        prepare(bridge(), engine="x")
    empty = Network(names(0), csr_array((0, 0)))
    with pytest.raises(ConfigError, match="the network has no papers; expected at least 1"):
        prepare(empty)
    monkeypatch.setitem(sys.modules, "leidenalg", None)
    with pytest.raises(ConfigError, match=r"leidenalg not installed.*'citescape\[map\]'"):
        prepare(bridge(), engine="leidenalg")
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(ConfigError, match=r"igraph not installed.*'citescape\[map\]'"):
        prepare(bridge())
