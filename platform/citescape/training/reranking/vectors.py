"""Vectors of queries and candidates by the retriever's encoder. Does not import torch."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PairVectors:
    """Vectors of queries and candidates, from the retriever."""

    queries: Floats
    """(queries, parts, d): of a context, and of title and abstract of its paper; zeros for missing
    texts."""
    candidates: Floats
    """(papers, d) of title and abstract."""
    encoder: str
    """SHA-256 of the encoder's files."""

    def select_rows(self, queries: Ints, candidates: Ints) -> PairVectors:
        """Vectors of some rows."""
        return PairVectors(self.queries[queries], self.candidates[candidates], self.encoder)

    @staticmethod
    def join(parts: Sequence[PairVectors]) -> PairVectors:
        """All queries of several parts with the same candidates."""
        queries = np.concatenate([part.queries for part in parts])
        return PairVectors(queries, parts[0].candidates, parts[0].encoder)

    @property
    def dimensions(self) -> int:
        """Number of dimensions of the state of a pair, see `VectorPairs`."""
        _, parts, size = self.queries.shape
        return int((2 * parts + 1) * size)

    @cached_property
    def sha256(self) -> str:
        """Hash of all numbers and the encoder, 64 digits."""
        digest = hashlib.sha256(self.encoder.encode())
        for array in (self.queries, self.candidates):
            digest.update(repr(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()
