"""Random orders of papers that depend on their ids, a seed and a purpose, not on their corpus."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.compiled import compiled
from citescape.draws import draw

Ints = npt.NDArray[Any]
SPLIT, SHARE = -1, -2
"""Draws of a paper that are for no triplet: its side of the split, its place in a subset."""
_EPOCHS = -3
_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


def hash_ids(ids: pa.StringArray) -> Ints:
    """(papers,) uint64 of each id (FNV-1a of its bytes): what a paper is known by in every corpus.

    Its code is its place among the papers of one corpus, and another as soon as one comes or goes.
    """
    _, offsets, text = ids.buffers()
    bounds = np.frombuffer(offsets, np.int32)[ids.offset : ids.offset + len(ids) + 1]
    return hash_bytes(bounds, np.frombuffer(text or b"", np.uint8))


@compiled
def hash_bytes(bounds: Ints, text: Ints) -> Ints:
    """FNV-1a (uint64) of text[bounds[k] : bounds[k + 1]] for each k."""
    found = np.empty(len(bounds) - 1, np.uint64)
    for k in range(len(found)):
        value = _OFFSET
        for byte in text[bounds[k] : bounds[k + 1]]:
            value = (value ^ np.uint64(byte)) * _PRIME
        found[k] = value
    return found


@compiled
def draw_each(seed: int, keys: Ints, number: int) -> Ints:
    """The `number`-th draw (uint64) of each key."""
    drawn = np.empty(len(keys), np.uint64)
    for k in range(len(keys)):
        drawn[k] = draw(seed, keys[k], number)
    return drawn


@compiled
def draw_ties(seed: int, anchor: np.uint64, keys: Ints) -> Ints:
    """(papers,) uint64: which of papers that are equal to an anchor comes first, the lowest.

    A hash of (seed, anchor, paper), both of `hash_ids`. By id, papers with a DOI would come before
    those without one, and those of one publisher before those of another.
    """
    ties = np.empty(len(keys), np.uint64)
    for k in range(len(keys)):
        ties[k] = draw(seed, anchor, keys[k])
    return ties


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
