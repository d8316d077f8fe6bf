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
"""Squared distance below which the gradient of the root is 0; at 0 it would be infinite."""


@dataclass(frozen=True)
class Batch:
    """Vectors of papers, and triplets of these papers."""

    vectors: torch.Tensor
    """(papers, d)."""
    anchor: torch.Tensor
    """(triplets,) rows of `vectors`."""
    positive: torch.Tensor
    negative: torch.Tensor
    taught: torch.Tensor | None = None
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
    chosen = losses[own] if isinstance(own, str) else partial(compute_own_loss, function=own)
    if not config.teacher:
        return chosen
    of_triplets = None if config.teacher_only else chosen
    return partial(compute_joint_loss, of_triplets=of_triplets, weight=config.teacher_weight)


def compute_own_loss(batch: Batch, *, function: OwnLoss) -> torch.Tensor:
    """A loss of your own: a function of vectors (triplets, d) of anchors, positives, negatives.

    Raises:
        ConfigError: it does not return a scalar tensor.
    """
    roles = (batch.anchor, batch.positive, batch.negative)
    loss = function(*(batch.vectors[role] for role in roles))
    if not isinstance(loss, torch.Tensor) or loss.ndim:
        found = f"shape {tuple(loss.shape)}" if isinstance(loss, torch.Tensor) else type(loss)
        raise ConfigError(f"{name_object(function)} returns {found}; expected a scalar tensor")
    return loss


def measure(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Euclidean distance (n,) of rows a, b (n, d); where it is 0 the gradient is 0 too."""
    squared: torch.Tensor = ((a - b) ** 2).sum(-1)
    return squared.clamp(min=_NEAREST).sqrt() * (squared > 0)


def compute_triplet_loss(batch: Batch, *, margin: float) -> torch.Tensor:
    """Mean over triplets of max(||a - p|| - ||a - n|| + margin, 0)  (CIA, Eq. 2; SciNCL, 3.1)."""
    anchor = batch.vectors[batch.anchor]
    near = measure(anchor, batch.vectors[batch.positive])
    far = measure(anchor, batch.vectors[batch.negative])
    return (near - far + margin).clamp(min=0).mean()


def compute_in_batch_loss(batch: Batch, *, margin: float) -> torch.Tensor:
    """The triplet loss against the negatives of all triplets of the batch.

    The anchor and its positives in the batch are not negatives of the anchor.
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
    left_out = _related(batch, papers) & (papers[None] != batch.positive[:, None])
    scores = scores.masked_fill(left_out, float("-inf"))
    return torch.nn.functional.cross_entropy(scores, batch.positive)


def compute_teacher_loss(batch: Batch) -> torch.Tensor:
    """Mean over pairs (i, j) of (cos(t_i, t_j) - cos(g_i, g_j))^2  (SciNCL, appendix F.9, Eq. 1).

    Over all n x n pairs of the n papers with a vector of the teacher, a paper with itself included;
    0 if n is 0. t is the text's vector, g the graph's: their dimensions may differ.
    """
    if batch.taught is None:
        raise ConfigError("a teacher is named, but none was given; expected its vectors")
    known = ~batch.taught.isnan().any(1)
    if not known.any():
        return batch.vectors.sum() * 0
    text = torch.nn.functional.normalize(batch.vectors[known], dim=1)  # (n, d)
    graph = torch.nn.functional.normalize(batch.taught[known], dim=1)  # (n, e)
    return ((text @ text.T - graph @ graph.T) ** 2).mean()


def compute_joint_loss(batch: Batch, *, of_triplets: Loss | None, weight: float) -> torch.Tensor:
    """L_triplet + w L_ST  (SciNCL, appendix F.9, Eq. 2, where w is 1); or w L_ST alone."""
    taught = weight * compute_teacher_loss(batch)
    return taught if of_triplets is None else of_triplets(batch) + taught


def _related(batch: Batch, papers: torch.Tensor) -> torch.Tensor:
    """True (triplets, k) where a paper is the triplet's anchor, or its positive in the batch."""
    same = batch.anchor[:, None] == batch.anchor[None]  # (T, T): one anchor
    is_positive = batch.positive[:, None] == papers[None]  # (T, k)
    positive_of = same.float() @ is_positive.float() > 0
    return positive_of | (batch.anchor[:, None] == papers[None])
