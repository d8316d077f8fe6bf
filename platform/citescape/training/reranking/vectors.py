"""Query and candidate as vectors, which the retriever's encoder made of each. No torch."""

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
    """Vectors of queries and candidates, as a retriever has them."""

    queries: Floats
    """(queries, parts, d): of a context, and of title and abstract of its paper; zeros where there
    is nothing to read."""
    candidates: Floats
    """(papers, d) of title and abstract."""
    encoder: str
    """SHA-256 of the encoder's files."""

    def take(self, queries: Ints, candidates: Ints) -> PairVectors:
        """Those of some rows."""
        return PairVectors(self.queries[queries], self.candidates[candidates], self.encoder)

    @staticmethod
    def join(parts: Sequence[PairVectors]) -> PairVectors:
        """Queries of several, one after another, of one set of candidates."""
        queries = np.concatenate([part.queries for part in parts])
        return PairVectors(queries, parts[0].candidates, parts[0].encoder)

    @property
    def dimensions(self) -> int:
        """Of the state of a pair, see `states.VectorPairs`."""
        _, parts, size = self.queries.shape
        return int((2 * parts + 1) * size)

    @cached_property
    def sha256(self) -> str:
        """Of all numbers and the encoder, 64 digits."""
        digest = hashlib.sha256(self.encoder.encode())
        for array in (self.queries, self.candidates):
            digest.update(repr(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()
