"""Spaces of maps: vectors of papers, or a network of papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from citescape.core.pairs import find_rows
from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.topic_vectors import average_vectors
from citescape.mapping.maps.nearest import (
    NearestPoints,
    list_nearest,
    read_nearest,
    search_nearest,
)
from citescape.mapping.maps.starts import start_from_graph, start_from_vectors
from citescape.networks.network import Floats, Network
from citescape.networks.normalise import normalise
from citescape.search.vectors import Vectors, scale_to_units


@dataclass(frozen=True)
class VectorSpace:
    """Points with vectors, compared by cosine."""

    vectors: Vectors
    """Vectors of the points, without zero vectors."""
    known: Callable[[], Network] | None = None
    """Function that reads a network of nearest papers by these vectors, to save a search."""

    @property
    def ids(self) -> pa.StringArray:
        """(n,) ascending."""
        return self.vectors.ids

    def nearest(self, k: int, *, seed: int) -> NearestPoints:
        """The k nearest points, from the network if it has enough, else by search; 1 - cosine."""
        k = min(k, len(self.vectors) - 1)
        nearest = read_nearest(self.known(), self.ids, k) if self.known else None
        return nearest or search_nearest(self.vectors, k, seed=seed)

    def start(self, memberships: csr_array, *, seed: int) -> Floats:
        """Initial positions (n, 2): principal components."""
        return start_from_vectors(self.vectors, seed=seed)

    def distances(self) -> Floats:
        """(n, n) 1 - cosine."""
        units = scale_to_units(self.vectors.values).astype(np.float64)
        distances: Floats = np.maximum(1.0 - units @ units.T, 0.0)
        np.fill_diagonal(distances, 0.0)
        return distances

    def group(self, ids: pa.StringArray, labels: Labels, names: Sequence[str]) -> VectorSpace:
        """The space of groups of points: means of their vectors (CIA, section 5.4.2).

        Groups without a point in this space are excluded.

        Args:
            ids: (papers,) ascending.
            labels: (papers,) rows of `names`, -1 for papers without a group.
            names: names of groups.
        """
        means = average_vectors(self.vectors, ids, labels, names=names)
        return VectorSpace(means.select_rows(np.flatnonzero(means.placed)))


@dataclass(frozen=True)
class NetworkSpace:
    """Points with edges; distances are smaller for higher weights."""

    network: Network

    @property
    def ids(self) -> pa.StringArray:
        """(n,) ascending."""
        return self.network.ids

    def nearest(self, k: int, *, seed: int) -> NearestPoints:
        """The strongest edges; distance 1 - weight / the largest weight of the paper."""
        return list_nearest(self.network, k)

    def start(self, memberships: csr_array, *, seed: int) -> Floats:
        """Initial positions (n, 2): the slowest modes of the graph."""
        return start_from_graph(memberships, seed=seed)

    def distances(self) -> Floats:
        """(n, n) 1 - weight / the largest weight."""
        weights = self.network.weights.toarray()
        distances: Floats = 1.0 - weights / weights.max(initial=1e-300)
        np.fill_diagonal(distances, 0.0)
        return distances

    def group(self, ids: pa.StringArray, labels: Labels, names: Sequence[str]) -> NetworkSpace:
        """The space of groups of points: association strength of the sums of weights between them.

        Without edges between groups, it is only the group with the most points.

        Args:
            ids: (papers,) ascending.
            labels: (papers,) rows of `names`, -1 for papers without a group.
            names: names of groups.
        """
        # (papers, points) and (papers, groups) 1 if they belong together; groups by name.
        rows, labelled = find_rows(ids, self.ids), np.flatnonzero(labels >= 0)
        known = np.flatnonzero(rows >= 0)
        shape = (len(ids), len(self.ids))
        points: csr_array = csr_array((np.ones(len(known)), (known, rows[known])), shape=shape)
        order = np.argsort(np.argsort(np.array(names, object)))
        ends = (labelled, order[labels[labelled]])
        shape = (len(labels), len(names))
        members: csr_array = csr_array((np.ones(len(labelled)), ends), shape=shape)

        inside = csr_array(points @ self.network.weights @ points.T)
        sums = csr_array(members.T @ inside @ members)
        sums = csr_array((sums + sums.T) / 2)  # exactly symmetric, despite rounding
        sums.setdiag(0.0)
        sums.eliminate_zeros()
        between = Network(pa.array(sorted(names), pa.string()), sums)
        linked = linked_space(normalise(between, "association"))
        if len(linked.ids):
            return linked
        sizes: np.ndarray = members[known].sum(axis=0)
        largest = np.arange(len(names)) == sizes.argmax() if sizes.any() else sizes > 0
        return NetworkSpace(between.where(largest))


Space: TypeAlias = VectorSpace | NetworkSpace
"""Points with distances: nearest points, initial positions, and groups of points."""


def linked_space(network: Network) -> NetworkSpace:
    """The space of the largest connected component of a network.

    Papers outside this component have no distance to it, and are excluded.
    """
    labels = connected_components(network.weights, directed=False)[1]
    sizes = np.bincount(labels, minlength=1)
    return NetworkSpace(network.where((labels == sizes.argmax()) & (network.degrees > 0)))
