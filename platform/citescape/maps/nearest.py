"""The nearest points of each point: what a map is to keep together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.spatial import cKDTree

from citescape.compiled import compiled
from citescape.embeddings.neighbours import find_neighbours
from citescape.embeddings.vectors import Vectors
from citescape.networks.network import Floats, Network
from citescape.relatedness.core import find_rows

EXACT_UP_TO = 10_000
"""Papers that are searched exactly. A search that finds nine in ten takes a quarter of the time at
100,000 papers, and maps made of it keep as many neighbours (docs/benchmarks.md)."""
RECALL = 0.9
AMONG = 10
"""Points beside one on the map that are compared with its nearest."""
NONE = -1
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


def measure_kept(positions: Floats, nearest: Nearest, *, among: int = AMONG) -> float:
    """Share of a point's nearest that lie nearest to it on the map, the mean of all points.

    mean_i |M_i & N_i| / min(among, |N_i|), with M_i the `among` points nearest to i on the map and
    N_i its nearest, of which there may be more. 0 to 1; what chance gives is `among` / n.
    """
    asked = np.flatnonzero(nearest.counts > 0)
    width = min(among + 1, len(positions))
    if not len(asked) or width < 2:
        return 1.0
    found = np.asarray(cKDTree(positions).query(positions[asked], k=width)[1])
    near = _without_self(found, asked)
    kept = np.zeros(len(asked), np.int64)
    for column in nearest.indices[asked].T:
        kept += (near == column[:, None]).any(axis=1)
    most = np.minimum(near.shape[1], nearest.counts[asked])
    return float(np.mean(np.minimum(kept, most) / most))


def _without_self(found: npt.NDArray[np.integer], own: npt.NDArray[np.integer]) -> Indices:
    """(q, k) without each query, or the last where others in its place have ousted it."""
    drop = found == own[:, None]
    drop[~drop.any(axis=1), -1] = True
    others: Indices = found[~drop].reshape(len(found), -1).astype(np.int32)
    return others


def _strongest(network: Network, k: int) -> tuple[Indices, Floats]:
    """(n, k) ends of each paper's strongest edges and their weights; -1 and 0 beyond the last."""
    weights = network.weights
    indptr, indices = weights.indptr.astype(np.int64), weights.indices.astype(np.int32)
    return _take_strongest(indptr, indices, weights.data, k)


@compiled
def _take_strongest(
    indptr: npt.NDArray[np.int64], indices: Indices, weights: Floats, k: int
) -> tuple[Indices, Floats]:
    found = np.full((len(indptr) - 1, k), NONE, np.int32)
    strengths = np.zeros(found.shape)
    for row in range(len(found)):
        first, last = indptr[row], indptr[row + 1]
        order = np.argsort(-weights[first:last], kind="mergesort")  # stable: ties by lower id
        for place in range(min(k, last - first)):
            found[row, place] = indices[first + order[place]]
            strengths[row, place] = weights[first + order[place]]
    return found, strengths
