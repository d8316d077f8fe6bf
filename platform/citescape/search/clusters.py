"""Clusters of papers by their vectors: spherical k-means, the same for any block and threads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.search import kernel
from citescape.search.exact import BLOCK_BYTES, ROUNDING, plain_array
from citescape.search.vectors import Floats, Vectors, scale_to_units, slices

_ROUNDS = 20


@dataclass(frozen=True)
class Clusters:
    """Labels and centroids of clusters."""

    labels: npt.NDArray[np.int64]
    """(n,)"""
    centroids: Floats
    """(clusters, d) of length 1; a cluster may be empty."""


def find_clusters(
    vectors: Vectors, clusters: int, *, seed: int = 0, block_bytes: int = BLOCK_BYTES
) -> Clusters:
    """Papers in clusters by cosine: k-means of 20 rounds, from papers drawn at random.

    Args:
        vectors: (n, d) of the papers.
        clusters: number of clusters, 1 to n; some may stay empty.
        seed: random seed.
        block_bytes: memory of the products held at a time; the result does not depend on it.

    Raises:
        ConfigError: fewer papers than clusters.
    """
    if not 1 <= clusters <= len(vectors):
        raise ConfigError(f"{clusters} clusters of {len(vectors)} papers; expected one paper each")
    units = scale_to_units(plain_array(vectors.values))
    first = np.random.default_rng(seed).choice(len(units), clusters, replace=False)
    centroids = units[np.sort(first)]
    labels = np.full(len(units), -1, np.int64)
    for _ in range(_ROUNDS):
        nearest = find_nearest(units, centroids, block_bytes=block_bytes)
        if (nearest == labels).all():
            break
        labels = nearest
        centroids = _means(units, labels, centroids)
    return Clusters(labels, centroids)


def find_nearest(
    units: Floats, centroids: Floats, *, block_bytes: int = BLOCK_BYTES
) -> npt.NDArray[np.int64]:
    """(n,) the centroid with the largest cosine to each row, ties by order.

    Matrix products select candidates, as in `kernel`: their last digits depend on the shape of a
    block.

    Args:
        units: (n, d) of length 1.
        centroids: (c, d) of length 1.
        block_bytes: memory of the products held at a time.
    """
    nearest = np.zeros(len(units), np.int64)
    slack = 2 * (units.shape[1] + 16) * ROUNDING
    for part in slices(len(units), max(block_bytes // (4 * len(centroids)), 1)):
        products = units[part] @ centroids.T
        kernel.choose_nearest(products, slack, units[part], centroids, nearest[part])
    return nearest


def _means(units: Floats, labels: npt.NDArray[np.int64], before: Floats) -> Floats:
    """Mean direction of each cluster; that of an empty cluster is unchanged."""
    order, counts = np.argsort(labels, kind="stable"), np.bincount(labels, minlength=len(before))
    groups = np.split(order, np.cumsum(counts)[:-1])
    filled = np.flatnonzero(counts)
    sums = np.concatenate(
        [np.add.reduceat(units[groups[k]].astype(np.float64), [0], axis=0) for k in filled]
    )  # (filled, d)
    means = before.copy()
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    means[filled] = np.where(lengths > 0, sums / np.maximum(lengths, 1e-30), before[filled])
    return means
