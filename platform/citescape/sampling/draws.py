"""Random numbers that depend on what they are for, not on what was drawn before.

Every number is a hash of (seed, anchor, draw): whichever thread or order asks for it, it is the
same. The hash is SplitMix64's finaliser (Steele, Lea and Flood 2014), once for each of the three.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.features.compiled import compiled

Ints = npt.NDArray[Any]
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
ORDER, SPLIT, SHARE = -1, -2, -3
"""Draws of an anchor that are for no triplet: its turn, its side of the split, its subset."""


@compiled
def mix(value: np.uint64) -> np.uint64:
    """64 bits each of which depends on all bits of `value`."""
    value = (value ^ (value >> _S30)) * _FIRST
    value = (value ^ (value >> _S27)) * _SECOND
    return value ^ (value >> _S31)


@compiled
def draw(seed: int, anchor: int, number: int) -> np.uint64:
    """64 random bits: the `number`-th draw of an anchor."""
    bits = mix(np.uint64(seed) + _GOLDEN)
    bits = mix(bits + np.uint64(anchor) * _GOLDEN + _GOLDEN)
    return mix(bits + np.uint64(number) * _GOLDEN + _GOLDEN)


@compiled
def draw_below(size: int, seed: int, anchor: int, number: int) -> np.int64:
    """A whole number of 0 .. size - 1, all equally likely up to size / 2**32."""
    return np.int64(((draw(seed, anchor, number) >> _S32) * np.uint64(size)) >> _S32)


@compiled
def draw_keys(seed: int, anchors: Ints, number: int) -> Ints:
    """One draw (uint64) of each anchor: sorted by it, anchors stand in random order."""
    keys = np.empty(len(anchors), np.uint64)
    for k in range(len(anchors)):
        keys[k] = draw(seed, anchors[k], number)
    return keys


def shuffle_anchors(anchors: Ints, *, seed: int, purpose: int) -> Ints:
    """The anchors in random order, which depends on seed and purpose only."""
    # `mix` maps no two numbers to one, so no two anchors have one key: any kind of sort will do
    shuffled: Ints = anchors[np.argsort(draw_keys(seed, anchors, purpose))]
    return shuffled
