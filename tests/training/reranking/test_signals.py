"""Retrieval signals of rerankers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from citescape.training.reranking.config import ABLATIONS, RerankConfig
from citescape.training.reranking.signals import FOLLOWS, compute_prior, compute_signals
from tests.training.reranking.conftest import plant

CONFIGS = {parts.signal: RerankConfig(ablation=name) for name, parts in ABLATIONS.items()}


def test_the_prior_of_the_first_ranks() -> None:
    np.testing.assert_allclose(compute_prior(np.array([1, 2]), 0.95), [0.95, 0.9025], rtol=1e-6)


@given(st.floats(0.8, 0.99), st.integers(2, 301))
def test_the_prior_decreases_with_rank(decay: float, ranks: int) -> None:
    prior = compute_prior(np.arange(1, ranks + 1), decay)
    assert (np.diff(prior) < 0).all()
    assert (prior > 0).all()
    assert (prior < 1).all()


def test_signals_of_retrieved_and_missing_candidates() -> None:
    lists, rows = plant(5), np.array([3, 1])
    k, scores = lists.k, lists.scores[rows]

    def compute(signal: str) -> np.ndarray:
        return compute_signals(lists, rows, CONFIGS[signal])

    expected = 0.95 ** np.arange(1, k + 2)
    np.testing.assert_allclose(compute("prior"), np.tile(expected, (2, 1)), rtol=1e-6)
    np.testing.assert_array_equal(compute("raw")[:, :k], scores)
    np.testing.assert_array_equal(compute("raw")[:, k], scores.min(1))
    np.testing.assert_allclose(compute("softmax")[:, :k], softmax(scores, axis=1), rtol=1e-5)
    np.testing.assert_array_equal(compute("softmax")[:, k], compute("softmax")[:, k - 1])
    assert not compute("").any()


@pytest.mark.parametrize("signal", sorted(FOLLOWS))
def test_signals_do_not_depend_on_the_length_of_lists(signal: str) -> None:
    """Includes the softmax (A3), whose sum is over the first k of longer lists."""
    lists, rows, config = plant(4), np.arange(4), replace(CONFIGS[signal], k=5)
    result = compute_signals(lists, rows, config)
    np.testing.assert_array_equal(result[:, :5], compute_signals(lists.cut(5), rows, config)[:, :5])
    if signal == "softmax":
        powers = np.exp(lists.scores)
        expected = powers / powers[:, :5].sum(1, keepdims=True)
        np.testing.assert_allclose(result[:, :-1], expected, rtol=1e-5)


@pytest.mark.parametrize("signal", sorted(FOLLOWS))
def test_padding_does_not_change_signals(signal: str) -> None:
    lists = plant(4)
    papers, scores = lists.papers.copy(), lists.scores.copy()
    papers[:, 5:], scores[:, 5:] = -1, 7.0
    papers[2], scores[2] = -1, np.nan
    short = replace(lists, papers=papers, scores=scores)
    rows = np.arange(4)
    result = compute_signals(short, rows, CONFIGS[signal])
    alone = compute_signals(lists.cut(5), rows, CONFIGS[signal])
    np.testing.assert_allclose(result[[0, 1, 3], :5], alone[[0, 1, 3], :5], rtol=1e-6)
    assert np.isfinite(result).all()
