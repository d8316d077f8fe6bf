"""Triplets of each update, and papers of each forward pass.

The order follows from (seed, epoch) alone, so that training can continue from any update.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.draws import hash_ids
from citescape.sampling.draws import Ints, epoch_purpose, shuffle_anchors
from citescape.sampling.triplets import Triplets


@dataclass(frozen=True)
class UpdatePart:
    """A part of an update: triplets and their distinct papers, each of which is encoded once."""

    papers: npt.NDArray[Any]
    """(papers,) codes, ascending."""
    anchor: npt.NDArray[np.int64]
    """(triplets,) positions in `papers`."""
    positive: npt.NDArray[np.int64]
    negative: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.anchor)


def order_triplets(triplets: Triplets, *, seed: int, epoch: int) -> Ints:
    """Rows (triplets,) of an epoch: anchors in random order, with all triplets of each.

    Args:
        triplets: triplets to train on.
        seed: random seed.
        epoch: number of the epoch, from 0.
    """
    anchors = np.unique(triplets.anchor)
    keys, purpose = hash_ids(triplets.ids), epoch_purpose(epoch)
    shuffled = shuffle_anchors(anchors, keys, seed=seed, purpose=purpose)
    position = np.empty(len(triplets.ids), np.int64)
    position[shuffled] = np.arange(len(shuffled))
    return np.argsort(position[triplets.anchor], kind="stable")


def count_updates(triplets: int, batch: int) -> int:
    """Number of updates per epoch; the last may have fewer triplets."""
    return -(-triplets // batch)


def split_update(triplets: Triplets, rows: Ints, parts: int) -> Iterator[UpdatePart]:
    """The triplets of one update in parts of equal size; some are empty if rows are few.

    Args:
        triplets: triplets to train on.
        rows: triplets of the update.
        parts: number of parts.
    """
    for part in np.array_split(rows, parts):
        yield make_part(triplets, part)


def make_part(triplets: Triplets, rows: Ints) -> UpdatePart:
    """The triplets at some rows with their distinct papers."""
    roles = [getattr(triplets, role)[rows] for role in ("anchor", "positive", "negative")]
    papers, places = np.unique(np.concatenate(roles), return_inverse=True)
    anchor, positive, negative = places.reshape(3, -1)
    return UpdatePart(papers, anchor, positive, negative)


def plan_passes(lengths: npt.NDArray[Any], budget: int) -> list[npt.NDArray[Any]]:
    """Positions of the texts of each forward pass, sorted by length.

    `lengths` (texts,) and `budget` are in tokens, padding included; a text over the budget is a
    pass of its own.
    """
    order = np.argsort(lengths, kind="stable")
    passes: list[npt.NDArray[Any]] = []
    start = 0
    for end in range(1, len(order) + 1):
        full = end < len(order) and (end - start + 1) * lengths[order[end]] > budget
        if full or end == len(order):
            passes.append(order[start:end])
            start = end
    return passes
