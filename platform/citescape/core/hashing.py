"""Hashes of texts in Arrow columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.draws import hash_bytes

Hashes = npt.NDArray[np.uint64]


def hash_texts(texts: pa.ChunkedArray) -> Hashes:
    """64-bit hash of each text (FNV-1a of its bytes), the same on every machine.

    A null has the hash of the empty text.
    """
    column = texts.cast(pa.large_string()).combine_chunks()
    if not len(column):
        return np.zeros(0, np.uint64)
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int64)[column.offset : column.offset + len(column) + 1]
    letters = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return np.asarray(hash_bytes(offsets, letters), np.uint64)
