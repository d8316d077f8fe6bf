"""Random orders of papers that depend on their ids, a seed and a purpose, not on their corpus."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.draws import draw_each

Ints = npt.NDArray[Any]
SPLIT, SHARE = -1, -2
"""Draws of a paper that are for no triplet: its side of the split, its place in a subset."""
_EPOCHS = -3


def shuffle_anchors(anchors: Ints, keys: Ints, *, seed: int, purpose: int) -> Ints:
    """The anchors in random order: it depends on their keys, seed and purpose only.

    Args:
        anchors: codes.
        keys: (papers,) of `hash_ids`.
        seed: of the order.
        purpose: `SPLIT`, `SHARE`, or that of an epoch.
    """
    drawn = draw_each(seed, keys[anchors], purpose)
    shuffled: Ints = anchors[np.lexsort((anchors, drawn))]
    return shuffled


def epoch_purpose(epoch: int) -> int:
    """Of an anchor's turn in an epoch, 0 and up."""
    return _EPOCHS - epoch
