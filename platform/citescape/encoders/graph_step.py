"""One step of a graph embedding: vectors looked up, scores of all pairs in a chunk, gradients.

A positive with score p is compared with candidates j with scores x_j and weights m_j: that of their
edge, 0 for the positive itself. With the weight w of the positive's edge:

    softmax   w * (log(exp(p) + sum_j m_j exp(x_j)) - p)
    ranking   w * sum_j m_j max(0, margin - p + x_j)

An edge of weight w has the same effect as w copies of it, both as a positive and as a negative of
others. Gradients by score are explicit: automatic differentiation would pass over all scores
several times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.graph_edges import EdgeBatch, Floats
from citescape.encoders.graph_tables import EmbeddingTable

Gradients = tuple[Tensor, Tensor, list[Tensor]]
"""The loss () summed over edges, and its derivatives by the positives (k, c) and by the candidates
(k, c, m) of each block."""


@dataclass(frozen=True)
class CandidateBlock:
    """A block of candidates that a chunk shares."""

    scores: Tensor
    """(k, c, m)"""
    counts: Tensor
    """(k, 1, m): weight of each."""
    same: Tensor
    """(k, c, m) bool: the candidate is the positive."""


def compute_loss(
    tables: Sequence[EmbeddingTable],
    batch: EdgeBatch,
    config: GraphConfig,
    *,
    device: torch.device,
    draws: tuple[Floats, Floats] | None = None,
) -> tuple[float, list[tuple[Tensor, Tensor]]]:
    """The loss of a step, and for each table the rows (k,) that it reads and their vectors (k, d).

    The vectors carry their gradients.

    Args:
        tables: tables of sources and of targets, or a shared one.
        batch: edges and negatives of the step.
        config: loss, comparator, margin, temperature.
        device: device that computes.
        draws: result of `expect_draws`, which corrects softmax: the log of the expected number of
            draws of a candidate is subtracted from its score. None: no correction.
    """
    sides = [[batch.sources, batch.other_sources], [batch.targets, batch.other_targets]]
    sides = sides if len(tables) == 2 else [[*sides[0], *sides[1]]]
    read = [_look_up(*pair, config, device=device) for pair in zip(tables, sides, strict=True)]
    s, us, t, ut = (view for _, _, views in read for view in views)  # (k, c or u, d)
    inside, to_others = s @ t.mT, s @ ut.mT  # (k, c, c), (k, c, u)
    from_others = t @ us.mT  # (k, c, u)
    scores = [inside, to_others, from_others]
    with torch.no_grad():
        loss, gradients = _compare(batch, scores, config, draws=draws or (None, None))
    torch.autograd.backward(scores, gradients)
    return float(loss), [(rows, leaf) for rows, leaf, _ in read]


def _compare(
    batch: EdgeBatch,
    scores: Sequence[Tensor],
    config: GraphConfig,
    *,
    draws: tuple[Floats | None, Floats | None],
) -> tuple[Tensor, list[Tensor]]:
    """Loss of both ends, and its gradient by each of the three blocks of scores."""
    inside, to_others, from_others = scores
    device = inside.device
    weights = torch.from_numpy(batch.weights).to(device)
    one = torch.ones((), device=device)
    ends: list[Gradients] = []
    for own, others, near, far, expected in (
        (batch.targets, batch.other_targets, inside, to_others, draws[1]),
        (batch.sources, batch.other_sources, inside.mT, from_others, draws[0]),
    ):
        nodes, drawn = torch.from_numpy(own).to(device), torch.from_numpy(others).to(device)
        blocks = [
            CandidateBlock(near, weights.unsqueeze(1), nodes.unsqueeze(2) == nodes.unsqueeze(1)),
            CandidateBlock(far, one, nodes.unsqueeze(2) == drawn.unsqueeze(1)),
        ]
        positives = inside.diagonal(dim1=1, dim2=2)
        if expected is not None:
            logs, far_logs = (
                torch.from_numpy(expected[codes]).to(device) * config.scale
                for codes in (own, others)
            )
            positives = positives - logs
            blocks[0] = replace(blocks[0], scores=near - logs.unsqueeze(1))
            blocks[1] = replace(blocks[1], scores=far - far_logs.unsqueeze(1))
        if config.loss == "ranking":
            ends.append(_ranking(positives, weights, blocks, margin=config.margin))
        else:
            ends.append(_softmax(positives, weights, blocks, scale=1 / config.scale))
    (loss, positive, candidates), (loss_2, positive_2, candidates_2) = ends
    both = candidates[0] + candidates_2[0].mT
    both.diagonal(dim1=1, dim2=2).add_(positive + positive_2)
    return loss + loss_2, [both, candidates[1], candidates_2[1]]


def _softmax(
    positives: Tensor, weights: Tensor, blocks: Sequence[CandidateBlock], *, scale: float
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
    pulls = [share.mul_(factor.unsqueeze(-1)) for share in shares]
    return loss, factor * own - weights * scale, pulls


def _ranking(
    positives: Tensor, weights: Tensor, blocks: Sequence[CandidateBlock], *, margin: float
) -> Gradients:
    loss, towards = torch.zeros_like(positives), torch.zeros_like(positives)
    pulls: list[Tensor] = []
    for block in blocks:
        short = (block.scores + (margin - positives).unsqueeze(-1)).masked_fill_(block.same, -1)
        pull = (short > 0) * block.counts
        loss += (short * pull).sum(-1)
        towards += pull.sum(-1)
        pulls.append(pull.mul_(weights.unsqueeze(-1)))
    return (loss * weights).sum(), -towards * weights, pulls


def _look_up(
    table: EmbeddingTable,
    parts: Sequence[npt.NDArray[np.int64]],
    config: GraphConfig,
    *,
    device: torch.device,
) -> tuple[Tensor, Tensor, list[Tensor]]:
    """Rows that are read, their vectors as a leaf, and the vectors of each part (..., d)."""
    flat = torch.from_numpy(np.concatenate([part.reshape(-1) for part in parts]))
    rows, places = torch.unique(flat, return_inverse=True)
    leaf = table.gather(rows, device).requires_grad_()
    vectors = F.normalize(leaf, dim=1) if config.comparator == "cosine" else leaf
    split = places.to(device).split([part.size for part in parts])
    views = [
        F.embedding(place.reshape(part.shape), vectors)
        for place, part in zip(split, parts, strict=True)
    ]
    return rows, leaf, views
