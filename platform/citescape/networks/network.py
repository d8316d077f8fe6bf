"""Undirected weighted networks of papers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.errors import ConfigError


@dataclass(frozen=True)
class Network:
    """Undirected and weighted. `weights` is symmetric, without self-loops; indices are sorted."""

    ids: pa.StringArray
    """(papers,) ascending."""
    weights: csr_array
    """(papers, papers) float64; each edge stands in it twice."""

    def __post_init__(self) -> None:
        size = len(self.ids)
        if self.weights.shape != (size, size):
            raise ConfigError(
                f"a network of {size} papers needs weights of shape ({size}, {size}); "
                f"found {self.weights.shape}"
            )
        if self.weights.diagonal().any():
            raise ConfigError("a network has no self-loops; found a weight on the diagonal")
        difference = abs(self.weights - self.weights.T)
        if difference.nnz and float(np.max(difference.data)) > 0:
            raise ConfigError("the weights of a network are symmetric; found some that are not")
        self.weights.sort_indices()

    @property
    def edges(self) -> int:
        """Undirected edges."""
        return int(self.weights.nnz // 2)
