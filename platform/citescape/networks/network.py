"""Undirected weighted networks of papers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import coo_array, csr_array

from citescape.core.compiled import compiled
from citescape.core.errors import ConfigError

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Network:
    """Undirected and weighted. `weights` is symmetric, without self-loops; indices are sorted."""

    ids: pa.StringArray
    """(papers,) ascending."""
    weights: csr_array
    """(papers, papers) float64, positive; each edge is stored twice."""
    core: Mask | None = None
    """(papers,) whether a paper is in the core; other papers only link the core, as in extended
    direct citation. None: all papers are in the core."""

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
            raise ConfigError("weights of a network are above 0; found others or NaN")
        if not is_symmetric(self.weights.indptr, self.weights.indices, values):
            raise ConfigError("the weights of a network are symmetric; found asymmetric weights")

    def __len__(self) -> int:
        """Number of papers, including those outside the core."""
        return len(self.ids)

    @property
    def edges(self) -> int:
        """Number of undirected edges."""
        return int(self.weights.nnz // 2)

    @property
    def density(self) -> float | None:
        """2E / (N (N - 1)): the share of pairs that are edges; None without pairs."""
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
        """(papers,) whether a paper is in the core."""
        return np.ones(len(self), np.bool_) if self.core is None else self.core

    def upper(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Floats]:
        """Each edge once: lower and higher position of its ends (edges,), and weights (edges,)."""
        return select_upper(self.weights)

    def where(self, keep: Mask) -> Network:
        """The subnetwork of the papers for which `keep` (papers,) is true."""
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
    """Builds a network from edges in any order, in one direction or both.

    Args:
        ids: (papers,) ascending.
        ends: two arrays (edges,) of positions in `ids`; self-loops are excluded.
        weights: (edges,) positive; weights of repeated edges are added. None: every edge weighs 1,
            also if repeated.
        core: (papers,) papers of the core; None for all.
    """
    distinct = ends[0] != ends[1]
    source, target = (end[distinct] for end in ends)
    values = np.ones(len(source)) if weights is None else weights[distinct]
    places = (np.concatenate([source, target]), np.concatenate([target, source]))
    shape = (len(ids), len(ids))
    matrix = coo_array((np.tile(values, 2), places), shape=shape, dtype=np.float64).tocsr()
    if weights is None:
        matrix.data[:] = 1.0
    return Network(ids, matrix, core)


class Links(NamedTuple):
    """Neighbours of paper i: neighbours[indptr[i] : indptr[i + 1]], ascending; for kernels."""

    indptr: npt.NDArray[np.int64]
    """(papers + 1,)"""
    neighbours: npt.NDArray[np.int32]
    """(2 edges,) positions of papers."""


def read_links(network: Network) -> Links:
    """CSR neighbours of a network; arrays of the right type are not copied."""
    weights = network.weights
    neighbours = weights.indices.astype(np.int32, copy=False)
    return Links(weights.indptr.astype(np.int64, copy=False), neighbours)


def select_upper(
    matrix: csr_array,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Floats]:
    """Rows, columns and values (entries,) of the entries above the diagonal, in row order."""
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
    above = rows < matrix.indices
    return rows[above], matrix.indices[above].astype(np.int32), matrix.data[above]


@compiled
def is_symmetric(
    indptr: npt.NDArray[np.integer],
    indices: npt.NDArray[np.integer],
    values: npt.NDArray[np.float64],
) -> bool:
    """Whether each entry (i, j) of a CSR matrix equals the entry (j, i); NaN equals nothing.

    One pass with one number per row; a transpose would need the memory of the matrix.

    Args:
        indptr: (rows + 1,) starts of rows.
        indices: (entries,) columns, ascending within rows, each once.
        values: (entries,) values.
    """
    following = indptr[
        :-1
    ].copy()  # next entry of each row: rows ascend, and so do the entries that refer to them
    for row in range(len(following)):
        for at in range(indptr[row], indptr[row + 1]):
            other = indices[at]
            back = following[other]
            if back == indptr[other + 1] or indices[back] != row or values[back] != values[at]:
                return False
            following[other] += 1
    return True


def find_density(papers: int, edges: int) -> float | None:
    """2E / (N (N - 1)); None for fewer than two papers."""
    return share(edges, math.comb(papers, 2))


def share(part: float, whole: float) -> float | None:
    """Part / whole; None if `whole` is 0."""
    return part / whole if whole else None
