"""Undirected weighted networks of papers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import coo_array, csr_array

from citescape.core.errors import ConfigError
from citescape.networks.symmetry import is_symmetric, take_upper

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Network:
    """Undirected and weighted. `weights` is symmetric, without self-loops; indices are sorted."""

    ids: pa.StringArray
    """(papers,) ascending."""
    weights: csr_array
    """(papers, papers) float64, positive; each edge stands in it twice."""
    core: Mask | None = None
    """(papers,) those that the network is about; others only tie them together, as in extended
    direct citation. None: all."""

    def __post_init__(self) -> None:
        size = len(self.ids)
        if self.weights.shape != (size, size):
            raise ConfigError(
                f"a network of {size} papers needs weights of shape ({size}, {size}); "
                f"found {self.weights.shape}"
            )
        if self.core is not None and self.core.shape != (size,):
            raise ConfigError(
                f"a network of {size} papers needs a core of shape ({size},); "
                f"found {self.core.shape}"
            )
        if self.weights.diagonal().any():
            raise ConfigError("a network has no self-loops; found a weight on the diagonal")
        self.weights.sum_duplicates()
        values = self.weights.data
        if len(values) and not 0 < values.min() <= values.max() < np.inf:
            raise ConfigError("weights of a network are above 0; found others or no numbers")
        if not is_symmetric(self.weights):
            raise ConfigError("the weights of a network are symmetric; found some that are not")

    def __len__(self) -> int:
        """Papers, those outside the core too."""
        return len(self.ids)

    @property
    def edges(self) -> int:
        """Undirected edges."""
        return int(self.weights.nnz // 2)

    @property
    def density(self) -> float | None:
        """2E / (N (N - 1)): the share of pairs that are edges; None where there is no pair."""
        return find_density(len(self), self.edges)

    @property
    def degrees(self) -> npt.NDArray[np.int64]:
        """(papers,) number of neighbours."""
        return np.diff(self.weights.indptr).astype(np.int64)

    @property
    def strengths(self) -> Floats:
        """(papers,) sum of the weights of a paper's edges."""
        return np.asarray(self.weights.sum(axis=1), np.float64).ravel()

    @property
    def in_core(self) -> Mask:
        """(papers,) true for those the network is about."""
        return np.ones(len(self), np.bool_) if self.core is None else self.core

    def upper(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Floats]:
        """Each edge once: ends (edges,), the lower position first, and weights; in that order."""
        return take_upper(self.weights)

    def where(self, keep: Mask) -> Network:
        """The papers for which `keep` (papers,) is true, and the edges between them."""
        if keep.all():
            return self
        rows = np.flatnonzero(keep)
        core = None if self.core is None else self.core[rows]
        return Network(self.ids.take(pa.array(rows)), self.weights[rows][:, rows].tocsr(), core)


def build_network(
    ids: pa.StringArray,
    ends: tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]],
    weights: Floats | None,
    *,
    core: Mask | None = None,
) -> Network:
    """A network from edges in any order, in one direction or in both.

    Args:
        ids: (papers,) ascending.
        ends: two arrays (edges,) of positions in `ids`; equal ends are left out.
        weights: (edges,) positive; of an edge that is given twice they are added. None: every edge
            weighs 1, also one that is given twice.
        core: see `Network`.
    """
    apart = ends[0] != ends[1]
    one, other = (end[apart] for end in ends)
    weighs = np.ones(len(one)) if weights is None else weights[apart]
    places = (np.concatenate([one, other]), np.concatenate([other, one]))
    shape = (len(ids), len(ids))
    both_ways = coo_array((np.tile(weighs, 2), places), shape=shape, dtype=np.float64).tocsr()
    if weights is None:
        both_ways.data[:] = 1.0
    return Network(ids, both_ways, core)


def find_density(papers: int, edges: int) -> float | None:
    """2E / (N (N - 1)); None where there is no pair of papers."""
    return share(edges, math.comb(papers, 2))


def share(part: float, whole: float) -> float | None:
    """The quotient part / whole; None where there is no whole."""
    return part / whole if whole else None
