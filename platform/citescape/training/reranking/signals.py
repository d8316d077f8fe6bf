"""What a reranker is told of the retrieval, a number for each candidate. No torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.shortlists import Shortlists

Floats = npt.NDArray[np.float32]
Filled = npt.NDArray[np.bool_]


def compute_prior(ranks: npt.NDArray[Any], decay: float) -> Floats:
    """Prior p = decay ** rank of ranks from 1 (DAVINCI, Eq. 6); same shape, in (0, 1)."""
    prior: Floats = (decay ** ranks.astype(np.float64)).astype(np.float32)
    return prior


def _prior(scores: Floats, _filled: Filled, config: RerankConfig) -> Floats:
    """By place alone, so that equal scores rank as the retriever ordered them."""
    ranks = np.arange(1, scores.shape[1] + 2)
    return np.broadcast_to(compute_prior(ranks, config.decay), (len(scores), len(ranks)))


def _raw(scores: Floats, filled: Filled, _config: RerankConfig) -> Floats:
    lowest = np.where(filled, scores, np.inf).min(1, initial=np.inf)
    lowest[~np.isfinite(lowest)] = 0
    told: Floats = np.column_stack([np.where(filled, scores, 0), lowest]).astype(np.float32)
    return told


def _softmax(scores: Floats, filled: Filled, config: RerankConfig) -> Floats:
    """Over the k candidates of the training, however many are listed."""
    raw = _raw(scores, filled, config).astype(np.float64)
    most = np.where(filled, scores, -np.inf).max(1, initial=-np.inf, keepdims=True)
    powers = np.exp(raw - np.where(np.isfinite(most), most, 0))
    total = np.where(filled, powers[:, :-1], 0)[:, : config.k].sum(1, keepdims=True)
    shares: Floats = (powers / np.maximum(total, 1e-30)).astype(np.float32)
    return shares


SIGNALS: dict[str, Callable[[Floats, Filled, RerankConfig], Floats]] = {
    "": lambda scores, _filled, _config: np.zeros((len(scores), scores.shape[1] + 1), np.float32),
    "prior": _prior,
    "raw": _raw,
    "softmax": _softmax,
}
"""Name -> function of scores (queries, k), where there are candidates, and the settings."""

FOLLOWS: dict[str, tuple[str, ...]] = {
    "": (),
    "prior": ("system",),
    "raw": ("system", "words"),
    "softmax": ("system", "words"),
}
"""Name -> what of a retriever it follows: by which system, with which share of words. Of another
one the same number says something else."""


def compute_signals(shortlists: Shortlists, rows: npt.NDArray[Any], config: RerankConfig) -> Floats:
    """(rows, k + 1) of some queries' candidates, last of one that was not retrieved.

    That one has rank k + 1 (DAVINCI, section 3.4); where scores count it has the lowest of them,
    which no paper that was not retrieved can exceed.
    """
    signal = SIGNALS[config.parts.signal]
    return signal(shortlists.scores[rows], shortlists.filled[rows], config)
