"""Hashes of texts in Arrow columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.compiled import compiled

Hashes = npt.NDArray[np.uint64]


def hash_texts(texts: pa.ChunkedArray) -> Hashes:
    """64-bit hash of each text, the same on every machine: FNV-1a, mixed as in MurmurHash3.

    A null has the hash of the empty text.
    """
    column = texts.cast(pa.large_string()).combine_chunks()
    if not len(column):
        return np.zeros(0, np.uint64)
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int64)[column.offset : column.offset + len(column) + 1]
    letters = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return _hash(offsets, letters)


@compiled
def _hash(offsets: npt.NDArray[np.int64], letters: npt.NDArray[np.uint8]) -> Hashes:
    found = np.empty(len(offsets) - 1, np.uint64)
    prime, first = np.uint64(0x100000001B3), np.uint64(0xCBF29CE484222325)
    half, one, two = np.uint64(33), np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
    for row in range(len(found)):
        value = first
        for place in range(offsets[row], offsets[row + 1]):
            value = (value ^ np.uint64(letters[place])) * prime
        value = (value ^ (value >> half)) * one
        value = (value ^ (value >> half)) * two
        found[row] = value ^ (value >> half)
    return found
