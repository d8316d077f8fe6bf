"""How well an encoder orders triplets it has not learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from citescape.core.draws import hash_ids
from citescape.sampling.draws import SPLIT, Ints, shuffle_anchors
from citescape.sampling.triplets import RANDOM, Triplets
from citescape.training.batches import make_part
from citescape.training.losses import measure
from citescape.training.towers import Tower

_TRIPLETS = 256
"""Measured at one time."""


def choose_validation(triplets: Triplets, *, anchors: int) -> Triplets:
    """The validation triplets of at most so many anchors; the same for every seed of a training."""
    held = triplets.take(triplets.validation)
    every, keys = np.unique(held.anchor), hash_ids(triplets.ids)
    chosen = shuffle_anchors(every, keys, seed=0, purpose=SPLIT)[:anchors]
    return held.take(np.isin(held.anchor, chosen))


def validate(
    tower: Tower, triplets: Triplets, *, margin: float, device: torch.device
) -> dict[str, float]:
    """Figures over triplets: `loss`, and `accuracy` of all, of hard and of easy ones.

    Loss: mean of max(||a - p|| - ||a - n|| + margin, 0). Accuracy: share of triplets whose positive
    is nearer than the negative; equal distances count half. Easy: the negative was drawn at random.
    Empty for no triplets.
    """
    if not len(triplets):
        return {}
    near, far = _distances(tower, triplets, device)
    right = (near < far) + 0.5 * (near == far)
    easy = triplets.negative_reason == RANDOM
    with np.errstate(invalid="ignore"):  # of weights that ran away: the loss says it
        figures = {"loss": float(np.maximum(near - far + margin, 0).mean())}
    for name, rows in (("accuracy", slice(None)), ("hard", ~easy), ("easy", easy)):
        if len(right[rows]):
            figures[name] = float(right[rows].mean())
    return figures


def _distances(tower: Tower, triplets: Triplets, device: torch.device) -> tuple[Any, Any]:
    """Of anchor and positive, and of anchor and negative: (triplets,) float64 each."""
    parts = []
    training = tower.module.training
    tower.module.eval()
    for start in range(0, len(triplets), _TRIPLETS):
        rows: Ints = np.arange(start, min(start + _TRIPLETS, len(triplets)))
        part = make_part(triplets, rows)
        vectors = encode_papers(tower, part.papers, device)
        places = [torch.from_numpy(p).to(device) for p in (part.positive, part.negative)]
        anchor = vectors[torch.from_numpy(part.anchor).to(device)]
        parts.append([measure(anchor, vectors[p]).double().cpu().numpy() for p in places])
    tower.module.train(training)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value]


def encode_papers(tower: Tower, papers: Any, device: torch.device) -> torch.Tensor:
    """Vectors (papers, d), in the order of the papers, without gradient."""
    passes, order = tower.inputs(papers, device)
    with torch.inference_mode():
        vectors = torch.cat([tower.module([one]) for one in passes])
    placed = torch.empty_like(vectors)
    placed[torch.from_numpy(order).to(device)] = vectors
    return placed
