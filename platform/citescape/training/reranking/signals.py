"""Signals of the retrieval, one number per candidate. Does not import torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.shortlists import Shortlists

Floats = npt.NDArray[np.float32]
FOLLOWS: dict[str, tuple[str, ...]] = {
    "": (),
    "prior": ("system",),
    "raw": ("system", "word_weight"),
    "softmax": ("system", "word_weight"),
}
"""Signal -> settings of the retriever that it depends on: the system, the weight of words. With
other settings the same number has another meaning."""


def compute_prior(ranks: npt.NDArray[Any], decay: float) -> Floats:
    """Prior p = decay ** rank, for ranks from 1 (DAVINCI, Eq. 6); same shape, in (0, 1)."""
    prior: Floats = (decay ** ranks.astype(np.float64)).astype(np.float32)
    return prior


def compute_signals(shortlists: Shortlists, rows: npt.NDArray[Any], config: RerankConfig) -> Floats:
    """Signals (rows, k + 1) of the candidates, in the last column of a paper not retrieved.

    That paper has rank k + 1 (DAVINCI, section 3.4), and as score the lowest one of the list, an
    upper bound for papers outside the list.

    Args:
        shortlists: all retrieved candidates.
        rows: (rows,) queries.
        config: the signal, its decay, and the number of candidates of the softmax.
    """
    signal, k = config.parts.signal, shortlists.k
    if not signal:
        return np.zeros((len(rows), k + 1), np.float32)
    if signal == "prior":  # by rank: equal scores keep the retriever's order
        prior = compute_prior(np.arange(1, k + 2), config.decay)
        return np.broadcast_to(prior, (len(rows), k + 1))

    scores, filled = shortlists.scores[rows], shortlists.filled[rows]
    lowest = np.where(filled, scores, np.inf).min(1, initial=np.inf)
    lowest[~np.isfinite(lowest)] = 0
    raw: Floats = np.column_stack([np.where(filled, scores, 0), lowest]).astype(np.float32)
    if signal == "raw":
        return raw

    # softmax over the first `config.k` candidates, as in training; lists may be longer
    most = np.where(filled, scores, -np.inf).max(1, initial=-np.inf, keepdims=True)
    powers = np.exp(raw.astype(np.float64) - np.where(np.isfinite(most), most, 0))
    total = np.where(filled, powers[:, :-1], 0)[:, : config.k].sum(1, keepdims=True)
    shares: Floats = (powers / np.maximum(total, 1e-30)).astype(np.float32)
    return shares
