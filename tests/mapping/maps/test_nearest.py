"""Nearest points, from vectors and networks, and the share of them that a map keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.mapping.maps.nearest import (
    NearestPoints,
    list_nearest,
    measure_kept,
    read_nearest,
    search_nearest,
)
from citescape.mapping.maps.placing import NeighbourShare
from citescape.networks.nearest import link_nearest
from citescape.networks.network import build_network
from citescape.search.neighbours import find_neighbours
from citescape.search.ranker import NONE
from tests.mapping.maps.points import make_clustered_vectors, make_vectors, name_papers


def test_distances_are_one_minus_the_cosine() -> None:
    vectors = make_clustered_vectors(60)
    found = search_nearest(vectors, 7)
    units = vectors.values / np.linalg.norm(vectors.values, axis=1, keepdims=True)
    away = 1 - (units @ units.T).astype(np.float64)
    np.fill_diagonal(away, np.inf)
    expected = np.sort(away, axis=1)[:, :7]
    np.testing.assert_allclose(found.distances, expected, atol=1e-6)
    assert (found.counts == 7).all()
    assert search_nearest(vectors, 500).indices.shape == (60, 59)


def test_vectors_with_nan_or_infinity_are_refused() -> None:
    values = np.ones((20, 4))
    values[3, 1] = np.nan
    with pytest.raises(ConfigError, match=r"hold numbers that are not finite: doi:10\.1/000003"):
        search_nearest(make_vectors(values), 5)


@pytest.mark.parametrize("k", [3, 10])
def test_neighbours_are_read_from_a_knn_network(k: int) -> None:
    vectors = make_clustered_vectors(80)
    network = link_nearest(vectors.ids, find_neighbours(vectors, 10))
    known, sought = read_nearest(network, vectors.ids, k), search_nearest(vectors, k)
    assert known is not None
    np.testing.assert_array_equal(known.indices, sought.indices)
    np.testing.assert_allclose(known.distances, sought.distances, atol=1e-6)


def test_a_knn_network_with_too_few_neighbours_is_not_used() -> None:
    vectors = make_clustered_vectors(80)
    network = link_nearest(vectors.ids, find_neighbours(vectors, 4))
    assert read_nearest(network, vectors.ids, 40) is None
    assert read_nearest(network, name_papers(81), 2) is None
    few = name_papers(80)[::9]
    assert read_nearest(network, few, 4) is None  # their nearest points are missing


def test_strongest_edges_of_a_network() -> None:
    ends = (np.array([0, 0, 0, 1]), np.array([1, 2, 3, 2]))
    network = build_network(name_papers(5), ends, np.array([2.0, 4.0, 2.0, 1.0]))
    found = list_nearest(network, 2)
    assert found.indices.tolist() == [[2, 1], [0, 2], [0, 1], [0, NONE], [NONE, NONE]]
    inf = np.inf
    expected = [[0, 1 - 2 / 4], [0, 1 - 1 / 2], [0, 1 - 1 / 4], [0, inf], [inf, inf]]
    assert found.distances.tolist() == expected
    assert found.counts.tolist() == [2, 2, 2, 1, 0]


@given(st.integers(3, 40), st.integers(1, 12), st.integers(1, 12), st.integers(0, 9))
def test_kept_is_the_mean_share_of_neighbours(size: int, k: int, among: int, seed: int) -> None:
    """The number of neighbours is the same on the map; points with fewer neighbours use fewer."""
    chance = np.random.default_rng(seed)
    positions = chance.normal(size=(size, 2))
    lists = [chance.permutation(np.delete(np.arange(size), i))[:k] for i in range(size)]
    width = min(k, size - 1)
    indices = np.array([own[:width] for own in lists], np.int32)
    indices[0, width // 2 :] = NONE
    near = NearestPoints(indices, np.zeros(indices.shape))
    shares, by_chance = [], []
    for i in range(size):
        own = [int(j) for j in indices[i] if j != NONE][:among]
        away = {j: float(np.linalg.norm(positions[i] - positions[j])) for j in range(size)}
        seen = sorted((j for j in away if j != i), key=away.__getitem__)[: len(own)]
        if own:
            shares.append(len(set(own) & set(seen)) / len(own))
            by_chance.append(len(own) / (size - 1))
    found = measure_kept(positions, near, among=among)
    if size - 1 <= among:
        assert found is None
    else:
        assert found
        assert found.share == pytest.approx(np.mean(shares))
        assert found.chance == pytest.approx(np.mean(by_chance))


@pytest.mark.parametrize("size", [12, 15, 30, 300])
def test_random_positions_keep_neighbours_by_chance(size: int) -> None:
    chance = np.random.default_rng(0)
    near = search_nearest(make_clustered_vectors(size), 10)
    found = [measure_kept(chance.normal(size=(size, 2)), near) for _ in range(40)]
    shares = [share.share for share in found if share]
    assert np.mean(shares) == pytest.approx(10 / (size - 1), abs=0.02)
    assert {share.chance for share in found if share} == {10 / (size - 1)}


def test_too_few_points_have_no_share() -> None:
    assert measure_kept(np.zeros((11, 2)), search_nearest(make_clustered_vectors(11), 10)) is None
    nothing = NearestPoints(np.full((20, 3), NONE, np.int32), np.full((20, 3), np.inf))
    assert measure_kept(np.zeros((20, 2)), nothing) is None


def test_points_at_the_same_position() -> None:
    near = NearestPoints(np.array([[1], [0], [3], [2]], np.int32), np.zeros((4, 1)))
    positions = np.array([[0, 0], [0, 0], [9, 9], [9, 9.0]])
    assert measure_kept(positions, near, among=1) == NeighbourShare(1.0, 1 / 3)
