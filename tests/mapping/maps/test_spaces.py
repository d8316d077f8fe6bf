"""Groups of points: means of vectors, sums of edges, and connected components."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.mapping.maps.fuzzy import join_nearest
from citescape.mapping.maps.spaces import NetworkSpace, VectorSpace, linked_space
from citescape.networks.network import build_network
from tests.mapping.maps.points import make_clustered_vectors, make_vectors, name_papers


def test_the_vector_of_a_group_is_the_mean_of_its_papers() -> None:
    vectors = make_clustered_vectors(20)
    labels = np.array([0, 1, 2, 1, -1] * 4, np.int32)
    space = VectorSpace(vectors).group(vectors.ids, labels, ["b", "a", "c", "empty"])
    assert space.ids.to_pylist() == ["a", "b", "c"]
    for name, label in (("a", 1), ("b", 0), ("c", 2)):
        row = space.ids.to_pylist().index(name)
        mean = vectors.values[labels == label].mean(axis=0)
        np.testing.assert_allclose(space.vectors.values[row], mean, rtol=1e-5)


def test_groups_with_a_zero_mean_have_no_position() -> None:
    vectors = make_vectors(np.array([[1, 0], [-1, 0], [0, 1.0]]))
    labels = np.array([0, 0, 1], np.int32)
    assert VectorSpace(vectors).group(vectors.ids, labels, ["a", "b"]).ids.to_pylist() == ["b"]


@given(st.integers(0, 200))
def test_edges_between_groups_are_association_strengths(seed: int) -> None:
    chance = np.random.default_rng(seed)
    first, second = chance.integers(0, 12, (2, 40))
    weights = chance.integers(1, 9, 40).astype(float)
    network = build_network(name_papers(12), (first, second), weights)
    labels = (np.arange(12) % 4 - (np.arange(12) == 7)).astype(np.int32)
    names = ["d", "a", "c", "b"]
    sums = np.zeros((4, 4))
    dense = network.weights.toarray()
    for i in range(12):
        for j in range(12):
            if labels[i] >= 0 and labels[j] >= 0 and labels[i] != labels[j]:
                sums[labels[i], labels[j]] += dense[i, j]
    strengths = sums.sum(axis=1)
    space = NetworkSpace(network).group(network.ids, labels, names)
    for row, name in enumerate(space.ids.to_pylist()):
        for column, across in enumerate(space.ids.to_pylist()):
            a, b = names.index(name), names.index(across)
            expected = sums[a, b] * sums.sum() / (strengths[a] * strengths[b])
            assert space.network.weights[row, column] == pytest.approx(expected)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_without_links_the_largest_group_is_placed(
    order: tuple[int, int],
) -> None:
    """Papers 0 to 9 form a group without edges; 10 to 13 form another group and are linked."""
    ends = (np.array([10, 11, 12]), np.array([11, 12, 13]))
    space = linked_space(build_network(name_papers(14), ends, np.ones(3)))
    labels = np.array(order, np.int32).repeat([10, 4])
    found = space.group(name_papers(14), labels, ["a", "b"])
    assert found.ids.to_pylist() == [["a", "b"][order[1]]]
    none = space.group(name_papers(10), labels[:10], ["a", "b"])
    assert len(none.ids) == 0


def test_groups_outside_the_network_have_no_position() -> None:
    network = build_network(name_papers(3), (np.array([0]), np.array([2])), np.ones(1))
    ids = pa.array([*name_papers(3).to_pylist(), "zzz"])
    labels = np.array([0, 1, 1, 2], np.int32)
    space = NetworkSpace(network).group(ids, labels, ["a", "b", "c"])
    assert space.ids.to_pylist() == ["a", "b"]


def test_only_the_largest_component_is_placed() -> None:
    ends = (np.array([0, 1, 2, 5]), np.array([1, 2, 3, 6]))
    network = build_network(name_papers(8), ends, np.ones(4))
    assert linked_space(network).ids == name_papers(4)
    nothing = build_network(name_papers(3), (np.array([0]), np.array([0])), np.ones(1))
    assert len(linked_space(nothing).ids) == 0


def test_distances_of_few_points() -> None:
    ends = (np.array([0, 1]), np.array([1, 2]))
    space = linked_space(build_network(name_papers(3), ends, np.array([2.0, 1.0])))
    expected = [[0, 1 - 2 / 2, 1], [1 - 2 / 2, 0, 1 - 1 / 2], [1, 1 - 1 / 2, 0]]
    assert space.distances().tolist() == expected


def test_vectors_and_networks_have_a_start() -> None:
    vectors = make_clustered_vectors(30)
    for space in (VectorSpace(vectors), linked_space(_ring(30))):
        joined = join_nearest(space.nearest(5, seed=0))
        assert space.start(joined, seed=0).shape == (30, 2)


def _ring(size: int):  # type: ignore[no-untyped-def]
    rows = np.arange(size)
    return build_network(name_papers(size), (rows, (rows + 1) % size), np.ones(size))
