"""Scores of whole shortlists, and their MRR. No cited papers are injected here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from citescape.core.progress import Progress, silent
from citescape.search.ranker import NONE
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.davinci import RerankModule
from citescape.training.reranking.pairs import PairReader, plan_widths
from citescape.training.reranking.shortlists import Ints, Shortlists
from citescape.training.reranking.signals import compute_signals
from citescape.training.session import autocast

Floats = npt.NDArray[np.float32]
Model = Callable[[Any, torch.Tensor], torch.Tensor]
BUDGET = {"cpu": 4096, "cuda": 65_536}
"""Tokens of a forward pass, padding included, by kind of device."""
_QUERIES = 16
"""Number of queries whose pairs are sorted by length together."""


@dataclass(frozen=True)
class Scoring:
    """A model that scores pairs."""

    model: Model
    """Function of pairs, as padded by their reader, and of signals (B,); gives scores (B,)."""
    device: torch.device
    precision: torch.dtype
    config: RerankConfig
    """Settings of the signals."""


def make_scoring(
    module: RerankModule, config: RerankConfig, *, device: torch.device, precision: torch.dtype
) -> Scoring:
    """The scoring of a module, which is moved to the device and set to evaluation mode.

    Args:
        module: model.
        config: settings of the signals.
        device: device that computes.
        precision: precision of matrix products.
    """
    module.to(device).eval()
    return Scoring(module, device, precision, config)


def score_shortlists(
    scoring: Scoring,
    reader: PairReader,
    shortlists: Shortlists,
    *,
    retrieved: Shortlists | None = None,
    rows: Ints | None = None,
    progress: Progress = silent,
) -> Floats:
    """Scores (rows, k) float32 of candidates; minus infinity for no candidate.

    Args:
        scoring: model and settings.
        reader: reader of the pairs.
        shortlists: candidates to score.
        retrieved: the same queries with all candidates, for the signals; None if these are all.
        rows: queries to score; None for all.
        progress: reports the progress.
    """
    rows = np.arange(len(shortlists)) if rows is None else rows
    scores = np.full((len(rows), shortlists.k), -np.inf, np.float32)
    for start in range(0, len(rows), _QUERIES):
        part = rows[start : start + _QUERIES]
        cells = np.nonzero(shortlists.papers[part] != NONE)
        signals = compute_signals(retrieved or shortlists, part, scoring.config)[cells]
        queries, papers = part[cells[0]], shortlists.papers[part][cells]
        values = np.empty(len(queries), np.float32)
        lengths = reader.lengths(queries, papers)
        with torch.inference_mode(), autocast(scoring.device, scoring.precision):
            for width, k in plan_widths(lengths, reader.most, BUDGET[scoring.device.type]):
                pairs = reader.pad(queries[k], papers[k], width=width, device=scoring.device)
                signal = torch.from_numpy(signals[k]).to(scoring.device)
                values[k] = scoring.model(pairs, signal).float().cpu().numpy()
        scores[start : start + _QUERIES][cells] = values
        progress(f"reranking: {start + len(part):,} of {len(rows):,} queries")
    return scores


def compute_mrr(shortlists: Shortlists) -> float:
    """Mean over queries of 1 / rank of the first cited paper; 0 if none is in the list."""
    relevant = shortlists.is_relevant
    ranks = relevant.argmax(1) + 1
    return float(np.where(relevant.any(1), 1 / ranks, 0).mean()) if len(shortlists) else 0.0
