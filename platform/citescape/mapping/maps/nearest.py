"""Nearest points of each point, which a map keeps together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.spatial import cKDTree

from citescape.core.pairs import find_rows
from citescape.mapping.maps.placing import AMONG, NeighbourShare
from citescape.networks.network import Floats, Network
from citescape.search.neighbours import find_neighbours
from citescape.search.ranker import NONE
from citescape.search.selection import select_rows
from citescape.search.vectors import Vectors

EXACT_UP_TO = 10_000
"""Maximum number of papers for an exact search; larger searches are approximate, with `RECALL`
(docs/benchmarks.md)."""
RECALL = 0.9
"""Expected share of the exact nearest papers that an approximate search finds."""
Indices = npt.NDArray[np.int32]


@dataclass(frozen=True)
class NearestPoints:
    """Nearest points of each point, without the point itself."""

    indices: Indices
    """(n, k) the nearest first; -1 beyond the last."""
    distances: Floats
    """(n, k) 0 or more, ascending; infinite beyond the last."""

    def __len__(self) -> int:
        return len(self.indices)

    def first(self, k: int) -> NearestPoints:
        """The k nearest points."""
        return NearestPoints(self.indices[:, :k], self.distances[:, :k])

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """(n,) number of nearest points of each point."""
        return np.asarray((self.indices != NONE).sum(axis=1), np.int64)


def search_nearest(vectors: Vectors, k: int, *, seed: int = 0) -> NearestPoints:
    """Searches the k nearest points by cosine; the distance is 1 - cosine.

    Args:
        vectors: vectors of points, without zero vectors.
        k: number of nearest points, limited to the number of other points.
        seed: random seed of an approximate search.

    Raises:
        ConfigError: a vector is zero or not finite.
    """
    method = "exact" if len(vectors) <= EXACT_UP_TO else "ivf"
    k = min(k, len(vectors) - 1)
    neighbours = find_neighbours(vectors, k, method=method, recall=RECALL, seed=seed)
    return NearestPoints(
        neighbours.indices, np.maximum(1.0 - neighbours.scores.astype(np.float64), 0.0)
    )


def list_nearest(network: Network, k: int) -> NearestPoints:
    """Lists the k strongest edges of each paper; the distance is 1 - weight / largest weight.

    Among equal weights the edge to the lower id comes first.
    """
    indices, weights = _strongest(network, k)
    most = np.maximum(weights[:, :1], np.finfo(np.float64).tiny)
    return NearestPoints(indices, np.where(indices == NONE, np.inf, 1.0 - weights / most))


def read_nearest(network: Network, ids: pa.StringArray, k: int) -> NearestPoints | None:
    """Reads the k nearest papers from a knn network, whose weights are cosines.

    The k strongest edges of a paper in a union of lists of k or more are its k nearest.

    Args:
        network: network of kind `knn`, weighted, neither normalised nor pruned.
        ids: (n,) ids of papers, ascending.
        k: at most that of the network.

    Returns:
        None if papers are missing in the network, or have fewer than k edges.
    """
    rows = find_rows(ids, network.ids)
    if (rows < 0).any():
        return None
    keep = np.zeros(len(network), np.bool_)
    keep[rows] = True
    indices, weights = _strongest(network.where(keep), k)
    if (indices == NONE).any():
        return None
    return NearestPoints(indices, np.maximum(1.0 - weights, 0.0))


def measure_kept(
    positions: Floats, nearest: NearestPoints, *, among: int = AMONG
) -> NeighbourShare | None:
    """Measures the share of nearest points that are also nearest on the map, mean over points.

    mean_i |M_i & N_i| / K_i, with N_i the K_i points nearest to i and M_i the K_i points nearest to
    it on the map; K_i is `among`, or the number of nearest points of i if smaller. By chance: the
    mean of K_i / (n - 1).

    Args:
        positions: (n, 2) positions on the map.
        nearest: nearest points of n points; points without nearest points are skipped.
        among: K.

    Returns:
        None if n - 1 <= K, or no point has nearest points.
    """
    others = len(positions) - 1
    rows = np.flatnonzero(nearest.counts > 0)
    if others <= among or not len(rows):
        return None
    widths = np.minimum(nearest.counts[rows], among)
    near = np.asarray(cKDTree(positions).query(positions[rows], k=among + 1)[1])
    # Remove each point itself, or the last point if points at the same position displaced it.
    drop = near == rows[:, None]
    drop[~drop.any(axis=1), -1] = True
    near = near[~drop].reshape(len(near), -1).astype(np.int32)
    near[np.arange(among) >= widths[:, None]] = NONE
    kept = np.zeros(len(rows), np.int64)
    for column in nearest.indices[rows, :among].T:
        kept += ((near == column[:, None]) & (near != NONE)).any(axis=1)
    return NeighbourShare(float(np.mean(kept / widths)), float(widths.mean() / others))


def _strongest(network: Network, k: int) -> tuple[Indices, Floats]:
    """Ends (n, k) of the strongest edges of each paper, and weights; -1 and 0 beyond the last."""
    weights = network.weights
    ends, strengths = np.full((len(network), k), NONE, np.int32), np.zeros((len(network), k))
    indptr, places = select_rows(weights.indptr, weights.data, k)
    rows = np.repeat(np.arange(len(network)), np.diff(indptr))
    columns = np.arange(len(places)) - indptr[rows]
    ends[rows, columns], strengths[rows, columns] = weights.indices[places], weights.data[places]
    return ends, strengths
