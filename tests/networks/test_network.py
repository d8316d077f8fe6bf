"""Invariants of a network's matrix; networks from edges, and parts of networks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

from citescape.core.errors import ConfigError
from citescape.networks.network import Network, build_network, is_symmetric, read_links
from tests.networks.graphs import as_networkx, networks

IDS = pa.array(["a", "b", "c"])
SIZE = 6
EDGES = st.lists(
    st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), st.integers(1, 9)), max_size=15
)
"""Two ends, which may be equal, and a weight; edges may be repeated in both directions."""
Edge = tuple[int, int, int]


def build(edges: list[Edge], core: np.ndarray | None = None) -> Network:
    columns = np.array(edges, np.int32).reshape(-1, 3).T
    ids = pa.array([f"p{k}" for k in range(SIZE)])
    return build_network(ids, (columns[0], columns[1]), columns[2].astype(float), core=core)


def added(edges: list[Edge]) -> dict[tuple[int, int], float]:
    result: dict[tuple[int, int], float] = {}
    for first, second, weight in edges:
        if first != second:
            pair = min(first, second), max(first, second)
            result[pair] = result.get(pair, 0) + weight
    return result


def listed(network: Network) -> dict[tuple[int, int], float]:
    return {(int(a), int(b)): float(w) for a, b, w in zip(*network.upper(), strict=True)}


def test_each_edge_is_stored_twice_and_counted_once() -> None:
    network = Network(IDS, csr_array(np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0.0]])))
    assert (network.edges, network.weights.nnz) == (2, 4)
    assert network.degrees.tolist() == [1, 2, 1]
    assert network.strengths.tolist() == [2, 3, 1]
    assert network.in_core.all()


def test_indices_are_sorted() -> None:
    rows, columns = [0, 0, 1, 2], [2, 1, 0, 0]
    given_ = csr_array(coo_array(([1.0] * 4, (rows, columns)), shape=(3, 3)))
    given_.indices[:2], given_.has_sorted_indices = [2, 1], False
    assert Network(IDS, given_).weights.indices.tolist() == [1, 2, 0, 0]


def test_repeated_entries_are_one_edge() -> None:
    twice = csr_array((np.array([1.0, 2.0, 3.0]), [1, 1, 0], [0, 2, 3, 3]), shape=(3, 3))
    assert listed(Network(IDS, twice)) == {(0, 1): 3.0}


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros((2, 2)), r"3 papers needs weights of shape \(3, 3\); found \(2, 2\)"),
        (np.diag([0, 1.0, 0]), "no self-loops"),
        (np.array([[0, 1, 0], [2, 0, 0], [0, 0, 0.0]]), "symmetric"),
        (np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0.0]]), "symmetric"),
        (np.array([[0, 0, 0], [0, 0, 0], [0, 1.0, 0]]), "symmetric"),
        (np.array([[0, -1, 0], [-1, 0, 0], [0, 0, 0.0]]), "above 0; found others"),
        (np.array([[0, np.nan, 0], [np.nan, 0, 0], [0, 0, 0]]), "above 0; found others"),
        (np.array([[0, np.inf, 0], [np.inf, 0, 0], [0, 0, 0]]), "above 0; found others"),
    ],
)
def test_invalid_matrices_are_refused(weights: np.ndarray, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Network(IDS, csr_array(weights))


def test_explicit_zeros_are_refused() -> None:
    stored = csr_array((np.array([1.0, 0.0, 1.0, 0.0]), [1, 2, 0, 0], [0, 2, 3, 4]), shape=(3, 3))
    with pytest.raises(ConfigError, match="above 0; found others"):
        Network(IDS, stored)


def test_a_core_has_a_flag_for_each_paper() -> None:
    with pytest.raises(ConfigError, match=r"3 papers needs a core of shape \(3,\); found \(2,\)"):
        Network(IDS, csr_array((3, 3)), np.ones(2, np.bool_))


def test_an_empty_network() -> None:
    assert Network(IDS, csr_array((3, 3))).edges == 0
    nothing = Network(pa.array([], pa.string()), csr_array((0, 0)))
    assert (len(nothing), nothing.edges, len(nothing.degrees)) == (0, 0, 0)
    assert [len(column) for column in nothing.upper()] == [0, 0, 0]
    assert len(nothing.where(np.ones(0, np.bool_))) == 0


@settings(max_examples=80)
@given(EDGES)
def test_edges_in_any_direction_and_order(edges: list[Edge]) -> None:
    """Self-loops are dropped, weights of repeated edges are added, and each edge is listed once."""
    network = build(edges)
    assert listed(network) == added(edges)
    assert list(listed(network)) == sorted(listed(network))
    assert network.edges == len(added(edges))
    columns = np.array(edges, np.int32).reshape(-1, 3).T
    once = build_network(network.ids, (columns[0], columns[1]), None)
    assert listed(once) == dict.fromkeys(sorted(added(edges)), 1.0)
    dense = network.weights.toarray()
    assert network.degrees.tolist() == (dense > 0).sum(1).tolist()
    assert network.strengths.tolist() == dense.sum(1).tolist()
    turned = build([(b, a, w) for a, b, w in reversed(edges)])
    assert (turned.weights.toarray() == dense).all()


@settings(max_examples=80)
@given(EDGES, st.lists(st.booleans(), min_size=SIZE, max_size=SIZE))
def test_a_selection_of_papers_keeps_edges_between_them(
    edges: list[Edge], chosen: list[bool]
) -> None:
    keep, core = np.array(chosen), np.arange(SIZE) % 2 == 0
    result = build(edges, core).where(keep)
    rows = np.flatnonzero(keep).tolist()
    assert result.ids.to_pylist() == [f"p{k}" for k in rows]
    assert result.in_core.tolist() == [k % 2 == 0 for k in rows]
    assert listed(result) == {
        (rows.index(a), rows.index(b)): w
        for (a, b), w in added(edges).items()
        if a in rows and b in rows
    }


def symmetric(dense: np.ndarray) -> bool:
    matrix = csr_array(dense)
    return is_symmetric(matrix.indptr, matrix.indices, matrix.data)


def test_is_symmetric_compares_with_the_transpose() -> None:
    """All 4,096 matrices of four papers, also with two values for an entry."""
    places = np.array([(i, j) for i in range(4) for j in range(4) if i != j]).T
    for bits in product((0.0, 1.0), repeat=12):
        dense = np.zeros((4, 4))
        dense[places[0], places[1]] = bits
        assert symmetric(dense) == bool((dense == dense.T).all()), dense
        dense += dense.T
        assert symmetric(dense)
        dense[0, 3] += 1
        assert not symmetric(dense)


@given(networks())
def test_neighbours_in_kernels_ascend(network: Network) -> None:
    links, graph = read_links(network), as_networkx(network)
    assert (links.indptr.dtype, links.neighbours.dtype) == (np.int64, np.int32)
    for paper in range(len(network)):
        near = links.neighbours[links.indptr[paper] : links.indptr[paper + 1]]
        assert near.tolist() == sorted(graph[paper])
