"""Memberships of pairs of points: the fuzzy set of UMAP, from lists of nearest points.

McInnes, Healy and Melville (2018), section 3.1, Eq. 1 to 4, as umap-learn computes it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.compiled import compiled
from citescape.mapping.maps.nearest import NearestPoints
from citescape.networks.network import Floats
from citescape.search.ranker import NONE

_STEPS = 64
_TOLERANCE = 1e-5
"""Maximum number of bisections, and tolerance of the sum of memberships, as in umap-learn."""
_LEAST = 1e-3
"""Minimum scale, as a share of the mean distance: equal distances would give 0."""


def join_nearest(nearest: NearestPoints) -> csr_array:
    """Computes the membership (n, n) of each pair, 0 to 1, symmetric, without a diagonal.

    p(j|i) = exp(-max(0, d_ij - rho_i) / sigma_i), with rho_i the distance of the nearest point at
    a distance above 0, and sigma_i such that sum_j p(j|i) = log2(k + 1); then
    p_ij = p(j|i) + p(i|j) - p(j|i) p(i|j). A point with fewer neighbours than that sum has
    membership 1 with each neighbour.
    """
    size, k = nearest.indices.shape
    finite = nearest.distances[np.isfinite(nearest.distances)]
    # As in umap-learn the mean includes the distance 0 of each point to itself.
    mean = float(finite.sum() / max(len(finite) + size, 1))
    shares = _share(nearest.distances, np.log2(k + 1), mean)
    present = nearest.indices != NONE
    rows = np.repeat(np.arange(size), k)[present.ravel()]
    ends = (rows, nearest.indices[present])
    directed = csr_array((shares[present], ends), shape=(size, size))
    back = directed.T.tocsr()
    joined = csr_array(directed + back - directed.multiply(back))
    joined.sort_indices()
    return joined


@compiled
def _share(distances: Floats, target: float, mean: float) -> Floats:
    """(n, k) p(j|i); 0 where the distance is infinite."""
    shares = np.zeros(distances.shape)
    for row in range(len(distances)):
        nearest, total, count = np.inf, 0.0, 0
        for distance in distances[row]:
            if distance < np.inf:
                total += distance
                count += 1
            if 0.0 < distance < nearest:
                nearest = distance
        if nearest == np.inf:
            nearest = 0.0
        own = total / (count + 1) if nearest > 0.0 else mean
        scale = max(_find_scale(distances[row], nearest, target), _LEAST * own)
        for column in range(distances.shape[1]):
            distance = distances[row, column]
            if distance < np.inf:
                shares[row, column] = _membership(distance - nearest, scale)
    return shares


@compiled
def _find_scale(distances: npt.NDArray[np.float64], nearest: float, target: float) -> float:
    """Sigma of one point, by bisection."""
    low, high, scale = 0.0, np.inf, 1.0
    for _ in range(_STEPS):
        total = 0.0
        for distance in distances:
            if distance < np.inf:
                total += _membership(distance - nearest, scale)
        if abs(total - target) < _TOLERANCE:
            break
        if total > target:
            high = scale
            scale = (low + high) / 2
        else:
            low = scale
            scale = scale * 2 if high == np.inf else (low + high) / 2
    return scale


@compiled
def _membership(beyond: float, scale: float) -> float:
    if beyond <= 0.0 or scale == 0.0:
        return 1.0
    return float(np.exp(-beyond / scale))
