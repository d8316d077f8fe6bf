"""The k best of many papers, so that most papers are excluded early."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.search.exact import METRICS
from citescape.search.neighbours import find_neighbours, iter_neighbours
from citescape.search.vectors import Vectors


def vectors(values: np.ndarray) -> Vectors:
    ids = [f"p{row:05d}" for row in range(len(values))]
    return Vectors(pa.table({"id": pa.array(ids)}), np.asarray(values, np.float32))


def plain_scores(values: np.ndarray, rows: np.ndarray, metric: str) -> np.ndarray:
    """(rows, n) scores in single precision, -infinity for the paper itself."""
    double = values.astype(np.float64)
    if metric == "l2":
        scores = -np.sqrt(((double[rows, None] - double[None]) ** 2).sum(2))
    else:
        scores = (double[rows, None] * double[None]).sum(2)
        lengths = np.sqrt((double**2).sum(1))
        scores = scores / (lengths[rows, None] * lengths) if metric == "cosine" else scores
    scores[np.arange(len(rows)), rows] = -np.inf
    return scores.astype(np.float32)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(300, 3000),
    st.sampled_from([1, 3, 20, 70]),
    st.sampled_from(sorted(METRICS)),
)
def test_search_among_thousands_with_ties(seed: int, papers: int, k: int, metric: str) -> None:
    """Small integers: sums are exact, and there are many ties at rank k."""
    values = np.random.default_rng(seed).integers(1, 4, size=(papers, 5))
    rows = np.arange(0, papers, papers // 10)
    found = find_neighbours(vectors(values), k, metric=metric, queries=rows, method="exact")
    scores = plain_scores(values, rows, metric)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    assert np.array_equal(found.scores, np.take_along_axis(scores, order, axis=1))
    assert np.array_equal(found.indices, order)


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_more_candidates_than_a_block(metric: str) -> None:
    """All papers are identical, so that all are candidates."""
    alike = vectors(np.ones((900, 33)))
    found = find_neighbours(alike, 3, metric=metric, method="exact", threads=1)
    expected = [[k for k in range(4) if k != row][:3] for row in range(900)]
    assert found.indices.tolist() == expected


def test_blocks_and_threads_do_not_matter() -> None:
    index = vectors(np.random.default_rng(5).normal(size=(2500, 100)))
    whole = next(iter_neighbours(index, 40, threads=1, queries=np.arange(300)))
    for size, threads in ((10_000, 2), (1_000_000, 3)):
        blocks = list(
            iter_neighbours(index, 40, threads=threads, block_bytes=size, queries=np.arange(300))
        )
        assert np.array_equal(np.concatenate([block.indices for block in blocks]), whole.indices)
        assert np.array_equal(np.concatenate([block.scores for block in blocks]), whole.scores)
