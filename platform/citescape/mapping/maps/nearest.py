"""The nearest points of each point: what a map is to keep together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.spatial import cKDTree

from citescape.core.pairs import find_rows
from citescape.mapping.maps.placing import AMONG, Kept
from citescape.networks.network import Floats, Network
from citescape.search.neighbours import find_neighbours
from citescape.search.ranker import NONE
from citescape.search.selection import select_rows
from citescape.search.vectors import Vectors

EXACT_UP_TO = 10_000
"""Papers that are searched exactly. Of more, nine in ten of the nearest are found, which is faster
(docs/benchmarks.md)."""
RECALL = 0.9
Indices = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Nearest:
    """The nearest of each point, the point itself not among them."""

    indices: Indices
    """(n, k) the nearest first; -1 where there are fewer than k."""
    distances: Floats
    """(n, k) 0 or more, ascending; infinite where there are fewer than k."""

    def __len__(self) -> int:
        return len(self.indices)

    def first(self, k: int) -> Nearest:
        """The k nearest of these."""
        return Nearest(self.indices[:, :k], self.distances[:, :k])

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """(n,) how many each has."""
        return np.asarray((self.indices != NONE).sum(axis=1), np.int64)


def search_nearest(vectors: Vectors, k: int, *, seed: int = 0) -> Nearest:
    """The k nearest by cosine; distance 1 - cosine.

    Args:
        vectors: of two points or more, none zero.
        k: fewer where there are not so many.
        seed: of the approximate search among many.

    Raises:
        ConfigError: a vector is zero or no number.
    """
    method = "exact" if len(vectors) <= EXACT_UP_TO else "ivf"
    k = min(k, len(vectors) - 1)
    found = find_neighbours(vectors, k, method=method, recall=RECALL, seed=seed)
    return Nearest(found.indices, np.maximum(1.0 - found.scores.astype(np.float64), 0.0))


def list_nearest(network: Network, k: int) -> Nearest:
    """The k strongest edges of each paper; distance 1 - weight over the strongest weight it has.

    Of equal weights the edge to the lower id comes first.
    """
    indices, weights = _strongest(network, k)
    most = np.maximum(weights[:, :1], np.finfo(np.float64).tiny)
    return Nearest(indices, np.where(indices == NONE, np.inf, 1.0 - weights / most))


def read_nearest(network: Network, ids: pa.StringArray, k: int) -> Nearest | None:
    """The k nearest from a network of nearest papers, whose weights are cosines.

    A paper's k strongest edges in the union of lists of k or more are its k nearest.

    Args:
        network: of kind `knn`, weighted, neither normalised nor pruned.
        ids: (n,) ascending; papers to be placed.
        k: at most that of the network.

    Returns:
        None where papers are missing in it, or have fewer edges than k.
    """
    rows = find_rows(ids, network.ids)
    if (rows < 0).any():
        return None
    keep = np.zeros(len(network), np.bool_)
    keep[rows] = True
    indices, weights = _strongest(network.where(keep), k)
    if (indices == NONE).any():
        return None
    return Nearest(indices, np.maximum(1.0 - weights, 0.0))


def measure_kept(positions: Floats, nearest: Nearest, *, among: int = AMONG) -> Kept | None:
    """Share of a point's nearest that lie nearest to it on the map, the mean of all points.

    mean_i |M_i & N_i| / K_i, with N_i the K_i points nearest to i and M_i as many nearest to it on
    the map; K_i is `among`, or what i has where that is less. Chance gives the mean of K_i over
    n - 1.

    Args:
        positions: (n, 2) on the map.
        nearest: of n points; points that have none are left out.
        among: K.

    Returns:
        None where n - 1 <= K, or no point has any.
    """
    others = len(positions) - 1
    asked = np.flatnonzero(nearest.counts > 0)
    if others <= among or not len(asked):
        return None
    widths = np.minimum(nearest.counts[asked], among)
    found = np.asarray(cKDTree(positions).query(positions[asked], k=among + 1)[1])
    near = _without_self(found, asked)
    near[np.arange(among) >= widths[:, None]] = NONE
    kept = np.zeros(len(asked), np.int64)
    for column in nearest.indices[asked, :among].T:
        kept += ((near == column[:, None]) & (near != NONE)).any(axis=1)
    return Kept(float(np.mean(kept / widths)), float(widths.mean() / others))


def _without_self(found: npt.NDArray[np.integer], own: npt.NDArray[np.integer]) -> Indices:
    """(q, k) without each query, or the last where others in its place have ousted it."""
    drop = found == own[:, None]
    drop[~drop.any(axis=1), -1] = True
    others: Indices = found[~drop].reshape(len(found), -1).astype(np.int32)
    return others


def _strongest(network: Network, k: int) -> tuple[Indices, Floats]:
    """(n, k) ends of each paper's strongest edges and their weights; -1 and 0 beyond the last."""
    weights = network.weights
    found, strengths = np.full((len(network), k), NONE, np.int32), np.zeros((len(network), k))
    indptr, places = select_rows(weights.indptr, weights.data, k)
    rows = np.repeat(np.arange(len(network)), np.diff(indptr))
    columns = np.arange(len(places)) - indptr[rows]
    found[rows, columns], strengths[rows, columns] = weights.indices[places], weights.data[places]
    return found, strengths
