"""Random numbers that depend on what they are for, not on what was drawn before.

Every number is a hash of (seed, key, draw): whichever thread or order asks for it, it is the same.
The hash is SplitMix64's finaliser (Steele, Lea and Flood 2014), once for each of the three.
"""

from __future__ import annotations

import numpy as np

from citescape.compiled import compiled

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@compiled
def mix(value: np.uint64) -> np.uint64:
    """64 bits each of which depends on all bits of `value`."""
    value = (value ^ (value >> _S30)) * _FIRST
    value = (value ^ (value >> _S27)) * _SECOND
    return value ^ (value >> _S31)


@compiled
def draw(seed: int, key: int | np.uint64, number: int) -> np.uint64:
    """64 random bits: the `number`-th draw of a paper, node or whatever the key stands for."""
    bits = mix(np.uint64(seed) + _GOLDEN)
    bits = mix(bits + np.uint64(key) * _GOLDEN + _GOLDEN)
    return mix(bits + np.uint64(number) * _GOLDEN + _GOLDEN)


@compiled
def draw_below(size: int, seed: int, key: int, number: int) -> np.int64:
    """A whole number of 0 .. size - 1, all equally likely up to size / 2**32."""
    return np.int64(((draw(seed, key, number) >> _S32) * np.uint64(size)) >> _S32)
