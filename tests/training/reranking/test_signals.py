"""What a reranker is told of the retrieval."""

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

TOLD = {parts.signal: RerankConfig(ablation=name) for name, parts in ABLATIONS.items()}


def test_the_prior_of_the_first_ranks() -> None:
    np.testing.assert_allclose(compute_prior(np.array([1, 2]), 0.95), [0.95, 0.9025], rtol=1e-6)


@given(st.floats(0.8, 0.99), st.integers(2, 301))
def test_the_prior_falls_with_every_rank(decay: float, ranks: int) -> None:
    prior = compute_prior(np.arange(1, ranks + 1), decay)
    assert (np.diff(prior) < 0).all()
    assert (prior > 0).all()
    assert (prior < 1).all()


def test_signals_of_candidates_and_of_one_not_retrieved() -> None:
    lists, rows = plant(5), np.array([3, 1])
    k, scores = lists.k, lists.scores[rows]

    def messages(signal: str) -> np.ndarray:
        return compute_signals(lists, rows, TOLD[signal])

    expected = 0.95 ** np.arange(1, k + 2)
    np.testing.assert_allclose(messages("prior"), np.tile(expected, (2, 1)), rtol=1e-6)
    np.testing.assert_array_equal(messages("raw")[:, :k], scores)
    np.testing.assert_array_equal(messages("raw")[:, k], scores.min(1))
    np.testing.assert_allclose(messages("softmax")[:, :k], softmax(scores, axis=1), rtol=1e-5)
    np.testing.assert_array_equal(messages("softmax")[:, k], messages("softmax")[:, k - 1])
    assert not messages("").any()


@pytest.mark.parametrize("signal", sorted(FOLLOWS))
def test_longer_lists_tell_the_same_of_the_candidates_of_the_training(signal: str) -> None:
    """Also the softmax (A3): its sum is over the first k, however many are listed."""
    lists, rows, config = plant(4), np.arange(4), replace(TOLD[signal], k=5)
    result = compute_signals(lists, rows, config)
    np.testing.assert_array_equal(result[:, :5], compute_signals(lists.cut(5), rows, config)[:, :5])
    if signal == "softmax":
        powers = np.exp(lists.scores)
        expected = powers / powers[:, :5].sum(1, keepdims=True)
        np.testing.assert_allclose(result[:, :-1], expected, rtol=1e-5)


@pytest.mark.parametrize("signal", sorted(FOLLOWS))
def test_places_without_a_candidate_change_nothing(signal: str) -> None:
    lists = plant(4)
    papers, scores = lists.papers.copy(), lists.scores.copy()
    papers[:, 5:], scores[:, 5:] = -1, 7.0
    papers[2], scores[2] = -1, np.nan
    short = replace(lists, papers=papers, scores=scores)
    rows = np.arange(4)
    result = compute_signals(short, rows, TOLD[signal])
    alone = compute_signals(lists.cut(5), rows, TOLD[signal])
    np.testing.assert_allclose(result[[0, 1, 3], :5], alone[[0, 1, 3], :5], rtol=1e-6)
    assert np.isfinite(result).all()
