from __future__ import annotations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.networks.citations import Citations
from citescape.ranking.sgc import find_ends, smooth
from citescape.search.dense import Dense
from citescape.search.vectors import Vectors

SIZE = 30
IDS = pa.array([f"p{k:02}" for k in range(SIZE)])


def vectors(seed: int) -> Dense:
    values = np.random.default_rng(seed).normal(size=(SIZE, 4)).astype(np.float32)
    return Dense("text", IDS, Vectors(pa.table({"id": IDS}), values), source="text")


def citations(seed: int) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.random.default_rng(seed).integers(SIZE, size=(60, 2))
    pairs = np.unique(pairs[pairs[:, 0] > pairs[:, 1]], axis=0).astype(np.int32)
    return pairs[:, 0], pairs[:, 1]


def by_networkx(ends: tuple[np.ndarray, np.ndarray], values: np.ndarray) -> np.ndarray:
    """S^2 X by dense matrices."""
    graph = nx.Graph()
    graph.add_nodes_from(range(SIZE))
    graph.add_edges_from(zip(*(end.tolist() for end in ends), strict=True))
    looped = nx.to_numpy_array(graph) + np.eye(SIZE)
    scale = np.diag(looped.sum(axis=1) ** -0.5)
    step = scale @ looped @ scale
    return step @ step @ values


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_two_steps_ignore_citations_of_queries(seed: int) -> None:
    inner, (citing, cited) = vectors(seed), citations(seed)
    queries = np.unique(citing)[-3:]
    found = smooth(inner, (citing, cited), queries)
    kept = ~np.isin(citing, queries)
    expected = by_networkx((citing[kept], cited[kept]), inner.vectors.values)
    np.testing.assert_allclose(found.vectors.values, expected, rtol=1e-4, atol=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_citations_of_queries_do_not_matter(seed: int) -> None:
    inner, (citing, cited) = vectors(seed), citations(seed)
    queries = np.unique(citing)[-4:]
    asks = np.isin(citing, queries)
    others = np.where(asks, np.random.default_rng(seed).integers(SIZE, size=len(cited)), cited)
    first, second = (smooth(inner, (citing, ends), queries) for ends in (cited, others))
    np.testing.assert_array_equal(first.vectors.values, second.vectors.values)
    assert first.describe() == second.describe()
    with_them = smooth(inner, (citing, cited), np.empty(0, np.int64))
    assert with_them.describe() != first.describe()


def test_the_order_of_citations_does_not_matter() -> None:
    inner, (citing, cited) = vectors(0), citations(0)
    order = np.random.default_rng(1).permutation(len(citing))
    none = np.empty(0, np.int64)
    first, second = (
        smooth(inner, (citing, cited), none),
        smooth(inner, (citing[order], cited[order]), none),
    )
    np.testing.assert_array_equal(first.vectors.values, second.vectors.values)
    assert first.describe() == second.describe()


def test_isolated_papers_keep_vectors_and_missing_vectors_are_filled() -> None:
    inner = vectors(0)
    inner.vectors.values[1] = 0
    assert inner.lacks(np.arange(3)).tolist() == [False, True, False]
    ends = (np.array([1, 5], np.int32), np.array([0, 4], np.int32))
    found = smooth(inner, ends, np.array([5]), name="own")
    assert found.name == "own"
    for alone in (2, 4, 5):
        assert found.vectors.values[alone].tolist() == inner.vectors.values[alone].tolist()
    assert not found.lacks(np.arange(3)).any()
    # S = [[1/2, 1/2], [1/2, 1/2]] for any number of steps
    assert found.vectors.values[1] == pytest.approx(inner.vectors.values[0] / 2)
    assert (found.traits.citations, found.traits.dimension) == (True, 4)


def test_without_citations_nothing_is_smoothed() -> None:
    ends = (np.array([1], np.int32), np.array([0], np.int32))
    with pytest.raises(ConfigError, match="none of 1 citations"):
        smooth(vectors(0), ends, np.array([1]))


def test_citations_between_papers_of_a_corpus() -> None:
    known = Citations(
        pa.array(["a", "b", "p03", "p07"]),
        np.array([0, 1, 3, 4, 5]),
        np.array([1, 2, 3, 3, 0], np.int32),
        np.ones(5),
    )
    citing, cited = find_ends(known, IDS)
    assert (citing.tolist(), cited.tolist()) == ([3], [7])
