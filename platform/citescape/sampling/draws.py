"""Random orders of papers that depend on their ids, a seed and a purpose, not on their corpus."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.draws import draw_each

Ints = npt.NDArray[Any]
SPLIT, SHARE = -1, -2
"""Draws of a paper outside triplets: for its side of the split, for its place in a subset."""
_EPOCHS = -3


def shuffle_anchors(anchors: Ints, keys: Ints, *, seed: int, purpose: int) -> Ints:
    """The anchors in random order, which depends on keys, seed and purpose only.

    Args:
        anchors: codes.
        keys: (papers,) of `hash_ids`.
        seed: random seed.
        purpose: `SPLIT`, `SHARE` or `epoch_purpose`.
    """
    drawn = draw_each(seed, keys[anchors], purpose)
    shuffled: Ints = anchors[np.lexsort((anchors, drawn))]
    return shuffled


def epoch_purpose(epoch: int) -> int:
    """The purpose of the order of anchors in an epoch (0, 1, ...)."""
    return _EPOCHS - epoch
