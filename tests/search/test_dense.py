from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.search.dense import Dense
from citescape.search.vectors import Vectors

IDS = pa.array([f"p{k}" for k in range(9)])


def ranker(metric: str, *, seed: int = 0) -> Dense:
    """p2 has no vector, p5 has a zero vector, p7 has NaN."""
    values = np.random.default_rng(seed).normal(size=(8, 4)).astype(np.float32)
    values[4], values[6, 1] = 0, np.nan
    papers = pa.table({"id": IDS.filter(pa.array([k != 2 for k in range(9)]))})
    return Dense("made", IDS, Vectors(papers, values), metric)


def compare(first: np.ndarray, second: np.ndarray, metric: str) -> float:
    first, second = first.astype(np.float64), second.astype(np.float64)
    if metric == "l2":
        return -float(np.sqrt(((first - second) ** 2).sum()))
    product = float(first @ second)
    return product if metric == "dot" else product / np.sqrt((first @ first) * (second @ second))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["cosine", "dot", "l2"]), st.integers(1, 9))
def test_nearest_papers_of_a_pool(seed: int, metric: str, k: int) -> None:
    own = ranker(metric, seed=seed)
    pool = np.array([0, 2, 3, 4, 5, 7, 8])
    known = [0, 3, 4, 8]
    queries = np.array([8, 1, 2, 3, 7, 6])
    found = own.among(pool).search(queries, k)
    for query, papers, scores in zip(queries, found.papers, found.scores, strict=True):
        query_vector, values = own.places[query], own.vectors.values
        others = [p for p in known if p != query and query not in (2, 7)]
        expected = sorted(
            (-compare(values[query_vector], values[own.places[p]], metric), p) for p in others
        )
        expected = expected[:k]
        assert papers.tolist() == [p for _, p in expected] + [-1] * (k - len(expected))
        there = papers >= 0
        assert scores[there] == pytest.approx([-score for score, _ in expected], rel=1e-5)
    pairs = np.array([(q, p) for q in (8, 1, 3) for p in known])
    scored = own.among(pool).score(pairs[:, 0], pairs[:, 1])
    both = [own.vectors.values[own.places[pair]] for pair in pairs]
    assert scored == pytest.approx([compare(*pair, metric) for pair in both])


def test_papers_without_vectors_score_minus_infinity() -> None:
    own = ranker("cosine")
    assert np.flatnonzero(own.lacks(np.arange(9))).tolist() == [2, 5, 7]
    scores = own.among(np.arange(9)).score(np.array([0, 2, 0]), np.array([2, 0, 1]))
    assert np.isneginf(scores).tolist() == [True, True, False]


def test_a_pool_without_vectors_has_no_results() -> None:
    found = ranker("l2").among(np.array([2, 5])).search(np.array([0]), 3)
    assert found.papers.tolist() == [[-1, -1, -1]]


def test_a_paper_outside_the_pool_is_not_scored() -> None:
    with pytest.raises(ConfigError, match="are not in the pool"):
        ranker("l2").among(np.array([0])).score(np.array([0]), np.array([1]))


def test_results_become_rankings() -> None:
    found = ranker("l2").among(np.array([0, 1, 3])).search(np.array([3, 2, 4]), 2)
    rankings = found.to_rankings(IDS)
    assert rankings.queries.to_pylist() == ["p3", "p4"]
    assert np.diff(rankings.indptr).tolist() == [2, 2]
    assert set(rankings.documents.to_pylist()) <= {"p0", "p1", "p3"}
