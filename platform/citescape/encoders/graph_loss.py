"""Losses over shared negatives, with their gradients by score written out.

A positive with score p stands against candidates j with scores x_j; m_j says how often candidate j
counts (its edge's weight; 0 where it is the positive itself). With the weight w of the edge:

    softmax   w * (log(exp(p) + sum_j m_j exp(x_j)) - p)
    ranking   w * sum_j m_j max(0, margin - p + x_j)

So an edge of weight w changes as much as w copies of it would, both as a positive and among the
negatives of others. Automatic differentiation would pass several times over all scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from citescape.encoders.graph_config import GraphConfig


@dataclass(frozen=True)
class Gradients:
    """The loss summed over edges, and its derivatives."""

    loss: Tensor
    """() float"""
    positives: Tensor
    """(k, c)"""
    candidates: list[Tensor]
    """(k, c, m) for each block of candidates."""


@dataclass(frozen=True)
class Candidates:
    """A block of candidates that a chunk shares."""

    scores: Tensor
    """(k, c, m)"""
    counts: Tensor
    """(k, 1, m): how often each counts."""
    same: Tensor
    """(k, c, m) bool: it is the positive itself."""


def differentiate(
    positives: Tensor, weights: Tensor, blocks: Sequence[Candidates], *, config: GraphConfig
) -> Gradients:
    """Loss and gradients of the configured loss.

    Args:
        positives: (k, c) scores of the edges.
        weights: (k, c) of the edges.
        blocks: their candidates.
        config: names the loss, its margin or temperature.
    """
    if config.loss == "ranking":
        return _ranking(positives, weights, blocks, margin=config.margin)
    return _softmax(positives, weights, blocks, scale=1 / config.scale)


def _softmax(
    positives: Tensor, weights: Tensor, blocks: Sequence[Candidates], *, scale: float
) -> Gradients:
    tops = [block.scores.amax(-1) for block in blocks if block.scores.shape[-1]]
    top = torch.stack([positives, *tops]).amax(0)  # (k, c)
    own = ((positives - top) * scale).exp()
    shares = [
        ((block.scores - top.unsqueeze(-1)) * scale)
        .exp_()
        .mul_(block.counts)
        .masked_fill_(block.same, 0)
        for block in blocks
    ]
    total = own + sum(share.sum(-1) for share in shares)  # (k, c)
    loss = (weights * (total.log() - (positives - top) * scale)).sum()
    factor = weights * scale / total  # (k, c)
    return Gradients(
        loss,
        factor * own - weights * scale,
        [share.mul_(factor.unsqueeze(-1)) for share in shares],
    )


def _ranking(
    positives: Tensor, weights: Tensor, blocks: Sequence[Candidates], *, margin: float
) -> Gradients:
    loss, towards = torch.zeros_like(positives), torch.zeros_like(positives)
    pulls: list[Tensor] = []
    for block in blocks:
        short = (block.scores + (margin - positives).unsqueeze(-1)).masked_fill_(block.same, -1)
        pull = (short > 0) * block.counts
        loss += (short * pull).sum(-1)
        towards += pull.sum(-1)
        pulls.append(pull.mul_(weights.unsqueeze(-1)))
    return Gradients((loss * weights).sum(), -towards * weights, pulls)
