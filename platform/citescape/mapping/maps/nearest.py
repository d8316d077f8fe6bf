"""The nearest points of each point, which a map keeps together."""

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
"""Number of papers up to which the search is exact; beyond, a faster one has `RECALL`
(docs/benchmarks.md)."""
RECALL = 0.9
Indices = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Nearest:
    """The nearest points of each point, without the point itself."""

    indices: Indices
    """(n, k) the nearest first; -1 beyond the last."""
    distances: Floats
    """(n, k) 0 or more, ascending; infinite beyond the last."""

    def __len__(self) -> int:
        return len(self.indices)

    def first(self, k: int) -> Nearest:
        """The k nearest points."""
        return Nearest(self.indices[:, :k], self.distances[:, :k])

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """(n,) number of nearest points of each."""
        return np.asarray((self.indices != NONE).sum(axis=1), np.int64)


def search_nearest(vectors: Vectors, k: int, *, seed: int = 0) -> Nearest:
    """The k nearest by cosine; distance 1 - cosine.

    k is limited to the number of other points.

    Raises:
        ConfigError: a vector is zero or not finite.
    """
    method = "exact" if len(vectors) <= EXACT_UP_TO else "ivf"
    k = min(k, len(vectors) - 1)
    found = find_neighbours(vectors, k, method=method, recall=RECALL, seed=seed)
    return Nearest(found.indices, np.maximum(1.0 - found.scores.astype(np.float64), 0.0))


def list_nearest(network: Network, k: int) -> Nearest:
    """The k strongest edges of each paper; distance 1 - weight / its largest weight.

    Among equal weights the edge to the lower id comes first.
    """
    indices, weights = _strongest(network, k)
    most = np.maximum(weights[:, :1], np.finfo(np.float64).tiny)
    return Nearest(indices, np.where(indices == NONE, np.inf, 1.0 - weights / most))


def read_nearest(network: Network, ids: pa.StringArray, k: int) -> Nearest | None:
    """The k nearest from a network of nearest papers, whose weights are cosines.

    A paper's k strongest edges in the union of lists of k or more are its k nearest.

    The network is of kind `knn`, weighted, neither normalised nor pruned; k is at most that of the
    network; ids (n,) ascend.

    Returns:
        None if papers are missing in it, or have fewer than k edges.
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
    """Share of the nearest points of a point that are nearest to it on the map, mean over points.

    mean_i |M_i & N_i| / K_i, with N_i the K_i points nearest to i and M_i the K_i points nearest to
    it on the map; K_i is `among`, or the number of nearest points of i if smaller. By chance: the
    mean of K_i / (n - 1).

    Args:
        positions: (n, 2) on the map.
        nearest: of n points; points without any are skipped.
        among: K.

    Returns:
        None if n - 1 <= K, or no point has any.
    """
    others = len(positions) - 1
    asked = np.flatnonzero(nearest.counts > 0)
    if others <= among or not len(asked):
        return None
    widths = np.minimum(nearest.counts[asked], among)
    near = np.asarray(cKDTree(positions).query(positions[asked], k=among + 1)[1])
    # Leave out each point itself, or the last one if others in its place have displaced it.
    drop = near == asked[:, None]
    drop[~drop.any(axis=1), -1] = True
    near = near[~drop].reshape(len(near), -1).astype(np.int32)
    near[np.arange(among) >= widths[:, None]] = NONE
    kept = np.zeros(len(asked), np.int64)
    for column in nearest.indices[asked, :among].T:
        kept += ((near == column[:, None]) & (near != NONE)).any(axis=1)
    return Kept(float(np.mean(kept / widths)), float(widths.mean() / others))


def _strongest(network: Network, k: int) -> tuple[Indices, Floats]:
    """(n, k) ends of each paper's strongest edges and their weights; -1 and 0 beyond the last."""
    weights = network.weights
    found, strengths = np.full((len(network), k), NONE, np.int32), np.zeros((len(network), k))
    indptr, places = select_rows(weights.indptr, weights.data, k)
    rows = np.repeat(np.arange(len(network)), np.diff(indptr))
    columns = np.arange(len(places)) - indptr[rows]
    found[rows, columns], strengths[rows, columns] = weights.indices[places], weights.data[places]
    return found, strengths
