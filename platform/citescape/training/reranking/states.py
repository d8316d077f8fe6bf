"""What vectors tell of a pair of query and candidate, ready for the head of a reranker."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from citescape.training.reranking.vectors import Floats, Ints, PairVectors


class VectorPairs:
    """States (B, (2 parts + 1) d) of pairs.

    Products of each vector of the query with the candidate's, then the query's vectors, then the
    candidate's, each scaled to length sqrt(d). The sum of a product is d times a cosine: what the
    retriever ranks by is there to begin with.
    """

    most = 1
    """Length of a pair: it is read as one token."""

    def __init__(self, vectors: PairVectors) -> None:
        self._vectors = vectors

    def lengths(self, queries: Ints, candidates: Ints) -> npt.NDArray[np.int64]:
        """(B,) ones."""
        return np.ones(np.broadcast(queries, candidates).shape, np.int64)

    def pad(
        self, queries: Ints, candidates: Ints, *, width: int = 0, device: torch.device
    ) -> torch.Tensor:
        """The states of some rows; whatever the width, there is nothing to pad."""
        del width
        own = _scale(self._vectors.queries[queries], device)  # (B, parts, d)
        other = _scale(self._vectors.candidates[candidates], device)[:, None]
        return torch.cat([own * other, own, other], 1).flatten(1)


def _scale(vectors: Floats, device: torch.device) -> torch.Tensor:
    """Of the few that are read at one time: a copy of all would be as large again."""
    taken = torch.from_numpy(vectors).to(device)
    lengths = torch.linalg.vector_norm(taken, dim=-1, keepdim=True)
    scaled: torch.Tensor = taken * (vectors.shape[-1] ** 0.5 / lengths.clamp_min(1e-12))
    return scaled
