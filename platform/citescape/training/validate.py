"""Validation of an encoder: the share of held-out triplets that it orders rightly."""

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
"""Number of triplets in memory at one time."""


def choose_validation(triplets: Triplets, *, anchors: int) -> Triplets:
    """The validation triplets of at most `anchors` anchors; the same for every seed of training."""
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
    parts = []
    training = tower.module.training
    tower.module.eval()
    for start in range(0, len(triplets), _TRIPLETS):
        rows: Ints = np.arange(start, min(start + _TRIPLETS, len(triplets)))
        part = make_part(triplets, rows)
        vectors = encode_papers(tower, part.papers, device)
        anchor = vectors[torch.from_numpy(part.anchor).to(device)]
        ends = [vectors[torch.from_numpy(p).to(device)] for p in (part.positive, part.negative)]
        parts.append([measure(anchor, end).double().cpu().numpy() for end in ends])
    tower.module.train(training)
    near, far = np.concatenate(parts, axis=1)  # (triplets,) each

    right = (near < far) + 0.5 * (near == far)
    easy = triplets.negative_reason == RANDOM
    with np.errstate(invalid="ignore"):  # where training diverged: the loss is NaN
        figures = {"loss": float(np.maximum(near - far + margin, 0).mean())}
    for name, some in (("accuracy", slice(None)), ("hard", ~easy), ("easy", easy)):
        if len(right[some]):
            figures[name] = float(right[some].mean())
    return figures


def encode_papers(tower: Tower, papers: Any, device: torch.device) -> torch.Tensor:
    """Vectors (papers, d), in the order of the papers, without gradient."""
    passes, order = tower.inputs(papers, device)
    with torch.inference_mode():
        vectors = torch.cat([tower.module([inputs]) for inputs in passes])
    placed = torch.empty_like(vectors)
    placed[torch.from_numpy(order).to(device)] = vectors
    return placed
