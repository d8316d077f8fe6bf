"""Clusters of papers by their vectors: spherical k-means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.embeddings.exact import plain_array
from citescape.embeddings.vectors import Floats, Vectors
from citescape.errors import ConfigError

_ROUNDS = 20


@dataclass(frozen=True)
class Clusters:
    """Which cluster each paper is in."""

    labels: npt.NDArray[np.int64]
    """(n,)"""
    centroids: Floats
    """(clusters, d) of length 1; a cluster may be empty."""


def find_clusters(vectors: Vectors, clusters: int, *, seed: int = 0) -> Clusters:
    """Papers in clusters by cosine: k-means of 20 rounds, from papers drawn at random.

    Args:
        vectors: of the papers.
        clusters: how many; some may stay empty.
        seed: of the papers it begins with.

    Raises:
        ConfigError: fewer papers than clusters.
    """
    if not 1 <= clusters <= len(vectors):
        raise ConfigError(f"{clusters} clusters of {len(vectors)} papers; expected one paper each")
    values = plain_array(vectors.values)
    units = values / np.linalg.norm(values, axis=1, keepdims=True)
    first = np.random.default_rng(seed).choice(len(units), clusters, replace=False)
    centroids = units[np.sort(first)]
    labels = np.full(len(units), -1, np.int64)
    for _ in range(_ROUNDS):
        nearest = np.argmax(units @ centroids.T, axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        centroids = _means(units, labels, centroids)
    return Clusters(labels, centroids)


def _means(units: Floats, labels: npt.NDArray[np.int64], before: Floats) -> Floats:
    """Mean direction of each cluster; an empty one stays where it was."""
    order = np.argsort(labels, kind="stable")
    counts = np.bincount(labels, minlength=len(before))
    filled = np.flatnonzero(counts)
    starts = np.searchsorted(labels[order], filled)
    sums = np.add.reduceat(units[order].astype(np.float64), starts, axis=0)
    means = before.copy()
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    means[filled] = np.where(lengths > 0, sums / np.maximum(lengths, 1e-30), before[filled])
    return means
