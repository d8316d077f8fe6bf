"""Pairs of papers that are close in one triplet and far in another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.draws import mix
from citescape.sampling.draws import Ints
from citescape.sampling.triplets import Triplets

_FREE = np.int64(-1)


def find_contradictory(triplets: Triplets) -> npt.NDArray[np.bool_]:
    """(triplets,) true where one of the two pairs of a triplet is contradictory.

    A pair of papers is unordered; it is contradictory if it is anchor and positive in one triplet
    and anchor and negative in another (CIA, Algorithm 1, line 19).
    """
    return mark_contradictory(
        triplets.anchor, triplets.positive, triplets.negative, len(triplets.ids)
    )


@compiled
def mark_contradictory(anchor: Ints, positive: Ints, negative: Ints, papers: int) -> Ints:
    """The kernel: looks up negative pairs in a hash table of all positive pairs.

    Args:
        anchor: (triplets,) codes.
        positive: (triplets,) codes.
        negative: (triplets,) codes.
        papers: number of codes.
    """
    size = 16
    while size < 2 * len(anchor):
        size *= 2
    keys = np.full(size, _FREE)
    clash = np.zeros(size, np.bool_)
    near, far = np.empty(len(anchor), np.int64), np.empty(len(anchor), np.int64)
    for k in range(len(anchor)):
        key = pair_key(anchor[k], positive[k], papers)
        near[k] = find_slot(keys, key)
        keys[near[k]] = key
    for k in range(len(anchor)):
        far[k] = find_slot(keys, pair_key(anchor[k], negative[k], papers))
        clash[far[k]] = keys[far[k]] != _FREE
    marks = np.empty(len(anchor), np.bool_)
    for k in range(len(anchor)):
        marks[k] = clash[near[k]] or clash[far[k]]
    return marks


@compiled
def pair_key(a: int, b: int, papers: int) -> np.int64:
    """One number for an unordered pair of papers.

    Args:
        a: code of a paper.
        b: code of another paper.
        papers: number of codes.
    """
    return np.int64(np.int64(min(a, b)) * papers + max(a, b))


@compiled
def find_slot(keys: Ints, key: np.int64) -> np.int64:
    """The slot that holds the key, or the free slot where it belongs."""
    mask = len(keys) - 1
    slot = np.int64(mix(np.uint64(key)) & np.uint64(mask))
    while keys[slot] != _FREE and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot
