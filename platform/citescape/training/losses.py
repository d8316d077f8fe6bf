"""Losses over triplets of vectors. Distances are Euclidean, not squared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch

from citescape.core.errors import ConfigError
from citescape.encoders.own import OwnLoss, name_object
from citescape.training.config import TrainConfig

_NEAREST = 1e-12
"""Squared distance below which the gradient of the root is 0; at 0 it is infinite."""


@dataclass(frozen=True)
class Batch:
    """Vectors of papers, and triplets of these papers."""

    vectors: torch.Tensor
    """(papers, d)."""
    anchor: torch.Tensor
    """(triplets,) rows of `vectors`."""
    positive: torch.Tensor
    negative: torch.Tensor
    teacher: torch.Tensor | None = None
    """(papers, e) vectors of the teacher; NaN for papers without one."""


Loss = Callable[[Batch], torch.Tensor]


def make_loss(config: TrainConfig) -> Loss:
    """The loss of a configuration."""
    losses: dict[str, Loss] = {
        "triplet": partial(compute_triplet_loss, margin=config.margin),
        "in-batch": partial(compute_in_batch_loss, margin=config.margin),
        "softmax": partial(compute_softmax_loss, temperature=config.temperature),
    }
    own = config.loss
    loss = losses[own] if isinstance(own, str) else partial(compute_own_loss, function=own)
    if not config.teacher:
        return loss
    triplet_loss = None if config.teacher_only else loss
    return partial(compute_joint_loss, triplet_loss=triplet_loss, weight=config.teacher_weight)


def compute_own_loss(batch: Batch, *, function: OwnLoss) -> torch.Tensor:
    """A loss of your own: a function of the vectors (triplets, d) of each role.

    Raises:
        ConfigError: the function does not return a scalar tensor.
    """
    roles = (batch.anchor, batch.positive, batch.negative)
    loss = function(*(batch.vectors[role] for role in roles))
    if not isinstance(loss, torch.Tensor) or loss.ndim:
        result = f"shape {tuple(loss.shape)}" if isinstance(loss, torch.Tensor) else type(loss)
        raise ConfigError(f"{name_object(function)} returns {result}; expected a scalar tensor")
    return loss


def measure(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Euclidean distance (n,) of rows a, b (n, d); at distance 0 the gradient is 0."""
    squared: torch.Tensor = ((a - b) ** 2).sum(-1)
    return squared.clamp(min=_NEAREST).sqrt() * (squared > 0)


def compute_triplet_loss(batch: Batch, *, margin: float) -> torch.Tensor:
    """Mean over triplets of max(||a - p|| - ||a - n|| + margin, 0)  (CIA, Eq. 2; SciNCL, 3.1)."""
    anchor = batch.vectors[batch.anchor]
    near = measure(anchor, batch.vectors[batch.positive])
    far = measure(anchor, batch.vectors[batch.negative])
    return (near - far + margin).clamp(min=0).mean()


def compute_in_batch_loss(batch: Batch, *, margin: float) -> torch.Tensor:
    """The triplet loss with the negatives of all triplets of the batch.

    The anchor and its positives are not negatives of the anchor.
    """
    anchor = batch.vectors[batch.anchor]
    near = measure(anchor, batch.vectors[batch.positive])  # (T,)
    others = torch.unique(batch.negative)
    far = measure(anchor[:, None], batch.vectors[others][None])  # (T, N)
    counted = ~_related(batch, others)
    hinge = (near[:, None] - far + margin).clamp(min=0) * counted
    return (hinge.sum(1) / counted.sum(1).clamp(min=1)).mean()


def compute_softmax_loss(batch: Batch, *, temperature: float) -> torch.Tensor:
    """Mean over triplets of -log softmax of the positive among all papers of the batch.

    Scores are cosines over the temperature; the anchor and its other positives are excluded.
    """
    unit = torch.nn.functional.normalize(batch.vectors, dim=1)
    scores = unit[batch.anchor] @ unit.T / temperature  # (T, papers)
    papers = torch.arange(len(unit), device=unit.device)
    excluded = _related(batch, papers) & (papers[None] != batch.positive[:, None])
    scores = scores.masked_fill(excluded, float("-inf"))
    return torch.nn.functional.cross_entropy(scores, batch.positive)


def compute_teacher_loss(batch: Batch) -> torch.Tensor:
    """Mean over pairs (i, j) of (cos(t_i, t_j) - cos(g_i, g_j))^2  (SciNCL, appendix F.9, Eq. 1).

    Over all n x n pairs of the n papers with a vector of the teacher, (i, i) included; 0 for n = 0.
    t is the vector of the text, g that of the graph: their dimensions may differ.
    """
    if batch.teacher is None:
        raise ConfigError(
            "the configuration names a teacher; found no vectors of it, expected some"
        )
    known = ~batch.teacher.isnan().any(1)
    if not known.any():
        return batch.vectors.sum() * 0
    text = torch.nn.functional.normalize(batch.vectors[known], dim=1)  # (n, d)
    graph = torch.nn.functional.normalize(batch.teacher[known], dim=1)  # (n, e)
    return ((text @ text.T - graph @ graph.T) ** 2).mean()


def compute_joint_loss(batch: Batch, *, triplet_loss: Loss | None, weight: float) -> torch.Tensor:
    """L_triplet + w L_teacher  (SciNCL, appendix F.9, Eq. 2, with w = 1).

    Args:
        batch: vectors, triplets, vectors of the teacher.
        triplet_loss: None for the teacher's loss alone.
        weight: w, 0 or more.
    """
    loss = weight * compute_teacher_loss(batch)
    return loss if triplet_loss is None else triplet_loss(batch) + loss


def _related(batch: Batch, papers: torch.Tensor) -> torch.Tensor:
    """True (triplets, k) where a paper is the triplet's anchor, or its positive in the batch."""
    same = batch.anchor[:, None] == batch.anchor[None]  # (T, T)
    is_positive = batch.positive[:, None] == papers[None]  # (T, k)
    positive_of = same.float() @ is_positive.float() > 0
    return positive_of | (batch.anchor[:, None] == papers[None])
