"""Vectors of an encoding that may be interrupted at any moment: complete chunks on disk.

The run's unfinished folder holds `vectors.f32`, the chunks one after the other, and `tokens.i64`,
the number of tokens of each. A chunk counts once its tokens are written, after its vectors are
synced; any bytes after the last such chunk are cut off.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from citescape.search.vectors import Floats

_VECTORS, _TOKENS = "vectors.f32", "tokens.i64"
_COUNT = np.dtype(np.int64)


@dataclass(frozen=True)
class Journal:
    """The complete chunks of an encoding."""

    folder: Path
    sizes: tuple[int, ...]
    """Vectors of each chunk, done or not."""
    dimensions: int

    @property
    def done(self) -> int:
        """Number of complete chunks."""
        tokens, vectors = (self._size(name) for name in (_TOKENS, _VECTORS))
        chunks = min(tokens // _COUNT.itemsize, len(self.sizes))
        while self._bytes(chunks) > vectors:
            chunks -= 1
        return chunks

    @property
    def tokens(self) -> int:
        """Number of tokens in the complete chunks."""
        path = self.folder / _TOKENS
        return int(np.fromfile(path, _COUNT, self.done).sum()) if path.exists() else 0

    def cut(self) -> None:
        """Cuts off the bytes after the last complete chunk."""
        done = self.done
        for name, size in ((_TOKENS, done * _COUNT.itemsize), (_VECTORS, self._bytes(done))):
            with (self.folder / name).open("ab") as file:
                file.truncate(size)

    def add(self, vectors: Floats, tokens: int) -> None:
        """Appends the next chunk and syncs it to disk."""
        with (self.folder / _VECTORS).open("ab") as file:
            _write(file, np.ascontiguousarray(vectors, np.float32))
        with (self.folder / _TOKENS).open("ab") as file:
            _write(file, np.array([tokens], _COUNT))

    def vectors(self) -> Floats:
        """(texts, d) memory-mapped vectors, after all chunks are complete."""
        shape = (sum(self.sizes), self.dimensions)
        return np.memmap(self.folder / _VECTORS, np.float32, "r", shape=shape)

    def _bytes(self, chunks: int) -> int:
        return 4 * self.dimensions * sum(self.sizes[:chunks])

    def _size(self, name: str) -> int:
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0


def open_journal(folder: Path, *, sizes: tuple[int, ...], dimensions: int) -> Journal:
    """Opens the journal of a run, a new one or that of an interrupted encoding.

    Args:
        folder: unfinished folder of the run.
        sizes: number of vectors of each chunk.
        dimensions: numbers per vector.
    """
    journal = Journal(folder, sizes, dimensions)
    journal.cut()
    return journal


def _write(file: IO[bytes], array: np.ndarray) -> None:
    file.write(array.tobytes())
    file.flush()
    os.fsync(file.fileno())
