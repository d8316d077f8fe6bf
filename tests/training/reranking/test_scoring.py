"""Reranked shortlists and their metrics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.search.ranker import NONE
from citescape.training.reranking.scoring import compute_mrr
from citescape.training.reranking.shortlists import Shortlists, reorder
from tests.training.reranking.conftest import find_ranks, plant
from tests.training.reranking.test_shortlists import shortlists


def score(lists: Shortlists, seed: int) -> np.ndarray:
    """Random scores with few values, so that many are tied."""
    chance = np.random.default_rng(seed)
    scores = chance.integers(0, 3, lists.papers.shape).astype(np.float32)
    return np.where(lists.filled, scores, -np.inf).astype(np.float32)


@given(shortlists(), st.integers(0, 9))
def test_ties_keep_their_order(lists: Shortlists, seed: int) -> None:
    scores = score(lists, seed)
    result = reorder(lists, scores)
    for row in range(len(lists)):
        there = [k for k in range(lists.k) if lists.papers[row, k] != NONE]
        order = sorted(there, key=lambda k: (-scores[row, k], k))
        expected = lists.papers[row, order].tolist()
        assert result.papers[row].tolist() == expected + [NONE] * (lists.k - len(expected))
        assert result.scores[row, : len(order)].tolist() == scores[row, order].tolist()


@given(shortlists(), st.integers(0, 9), st.sampled_from([0.0, 0.3, 1.0]))
def test_reranking_keeps_the_retrieved_papers(lists: Shortlists, seed: int, weight: float) -> None:
    """Recall at k equals that of the retrieval for each query."""
    result = reorder(lists, score(lists, seed), weight=weight)
    np.testing.assert_array_equal(np.sort(result.papers, 1), np.sort(lists.papers, 1))
    np.testing.assert_array_equal(result.is_relevant.sum(1), lists.is_relevant.sum(1))
    missed = [rank > lists.k for rank in find_ranks(lists)]
    assert [rank > result.k for rank in find_ranks(result)] == missed


def test_weights_interpolate_between_two_orders() -> None:
    lists = plant(20)
    scores = np.random.default_rng(1).random(lists.papers.shape).astype(np.float32)
    np.testing.assert_array_equal(reorder(lists, scores, weight=0).papers, lists.papers)
    low, high = scores.min(1, keepdims=True), scores.max(1, keepdims=True)
    own = (scores - low) / (high - low)
    mixed = 0.4 * own + 0.6 * (lists.scores - 0.5) / 0.4
    expected = np.take_along_axis(lists.papers, np.argsort(-mixed, 1, kind="stable"), 1)
    np.testing.assert_array_equal(reorder(lists, scores, weight=0.4).papers, expected)
    scaled = reorder(lists, 5 * scores + 3, weight=0.4)
    np.testing.assert_array_equal(scaled.papers, expected)


@given(shortlists())
def test_mrr_uses_the_first_cited_paper(lists: Shortlists) -> None:
    total = 0.0
    for row in range(len(lists)):
        cited = lists.relevant[lists.offsets[row] : lists.offsets[row + 1]].tolist()
        ranks = [k + 1 for k, code in enumerate(lists.papers[row].tolist()) if code in cited]
        total += 1 / ranks[0] if ranks else 0
    assert compute_mrr(lists) == pytest.approx(total / len(lists))


def test_empty_lists_are_scored() -> None:
    lists = plant(3)
    empty = replace(lists, papers=np.full_like(lists.papers, NONE))
    scores = np.full(lists.papers.shape, -np.inf, np.float32)
    for weight in (1.0, 0.5):
        assert (reorder(empty, scores, weight=weight).papers == NONE).all()
    assert compute_mrr(empty) == 0
