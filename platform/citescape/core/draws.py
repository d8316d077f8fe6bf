"""Random numbers that depend on what they are for, not on what was drawn before.

Every number is a hash of (seed, key, draw): it is the same in every thread and order.
The hash is SplitMix64's finaliser (Steele, Lea and Flood 2014), once for each of the three.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.compiled import compiled

Ints = npt.NDArray[Any]

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
    """64 random bits: the `number`-th draw of a key.

    Args:
        seed: random seed.
        key: paper, node or other item that the number is drawn for.
        number: index of the draw, from 0.
    """
    bits = mix(np.uint64(seed) + _GOLDEN)
    bits = mix(bits + np.uint64(key) * _GOLDEN + _GOLDEN)
    return mix(bits + np.uint64(number) * _GOLDEN + _GOLDEN)


@compiled
def draw_below(size: int, seed: int, key: int, number: int) -> np.int64:
    """A whole number of 0 .. size - 1, all equally likely up to size / 2**32.

    Args:
        size: number of possible values.
        seed: random seed.
        key: item that the number is drawn for.
        number: index of the draw, from 0.
    """
    return np.int64(((draw(seed, key, number) >> _S32) * np.uint64(size)) >> _S32)


_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


def hash_ids(ids: pa.StringArray) -> Ints:
    """(papers,) uint64 of each id (FNV-1a of its bytes), the same in every corpus.

    Codes are positions among the papers of one corpus, and change when a paper is added or removed.
    """
    _, offsets, text = ids.buffers()
    bounds = np.frombuffer(offsets, np.int32)[ids.offset : ids.offset + len(ids) + 1]
    return hash_bytes(bounds, np.frombuffer(text or b"", np.uint8))


@compiled
def hash_bytes(bounds: Ints, text: Ints) -> Ints:
    """FNV-1a (uint64) of text[bounds[k] : bounds[k + 1]] for each k."""
    hashes = np.empty(len(bounds) - 1, np.uint64)
    for k in range(len(hashes)):
        value = _OFFSET
        for byte in text[bounds[k] : bounds[k + 1]]:
            value = (value ^ np.uint64(byte)) * _PRIME
        hashes[k] = value
    return hashes


@compiled
def draw_each(seed: int, keys: Ints, number: int) -> Ints:
    """One draw (uint64) of each key.

    Args:
        seed: random seed.
        keys: (n,) items that numbers are drawn for.
        number: which draw of each key, from 0.
    """
    drawn = np.empty(len(keys), np.uint64)
    for k in range(len(keys)):
        drawn[k] = draw(seed, keys[k], number)
    return drawn


@compiled
def draw_ties(seed: int, anchor: np.uint64, keys: Ints) -> Ints:
    """(papers,) uint64: order of papers of equal rank, the lowest first.

    By id, papers with a DOI would come before those without one, and those of one publisher before
    those of another.

    Args:
        seed: random seed.
        anchor: hash of the anchor's id, by `hash_ids`.
        keys: (papers,) hashes of the ids of the papers.
    """
    ties = np.empty(len(keys), np.uint64)
    for k in range(len(keys)):
        ties[k] = draw(seed, anchor, keys[k])
    return ties
