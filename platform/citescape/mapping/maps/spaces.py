"""What maps are drawn from: vectors of papers, or a network of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from citescape.core.pairs import find_rows
from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.topic_vectors import average_vectors
from citescape.mapping.maps.nearest import (
    Nearest,
    list_nearest,
    read_nearest,
    search_nearest,
)
from citescape.mapping.maps.starts import start_from_graph, start_from_vectors
from citescape.networks.network import Floats, Network
from citescape.networks.normalise import normalise
from citescape.search.vectors import Vectors, scale_to_units


class Space(Protocol):
    """Points, and how far they are from each other."""

    @property
    def ids(self) -> pa.StringArray:
        """(n,) ascending; all of them can be placed."""
        ...

    def nearest(self, k: int, *, seed: int) -> Nearest:
        """The k nearest of each point, fewer where there are not so many."""
        ...

    def start(self, memberships: csr_array, *, seed: int) -> Floats:
        """(n, 2) where points lie before they are moved."""
        ...

    def distances(self) -> Floats:
        """(n, n) between all points; of few."""
        ...

    def group(self, ids: pa.StringArray, labels: Labels, names: Sequence[str]) -> Space:
        """The space of groups of points, such as topics.

        Args:
            ids: (papers,) ascending.
            labels: (papers,) rows of `names`, -1 for none.
            names: (groups,); those none of whose points is here are not in the space.
        """
        ...


@dataclass(frozen=True)
class VectorSpace:
    """Points with vectors, compared by cosine."""

    vectors: Vectors
    """None of them zero."""
    known: Callable[[], Network] | None = None
    """Reads a network of nearest papers by these vectors, so that they need not be sought again."""

    @property
    def ids(self) -> pa.StringArray:
        """(n,) ascending."""
        return self.vectors.ids

    def nearest(self, k: int, *, seed: int) -> Nearest:
        """From the network where it has so many, else by search; distance 1 - cosine."""
        k = min(k, len(self.vectors) - 1)
        known = read_nearest(self.known(), self.ids, k) if self.known else None
        return known or search_nearest(self.vectors, k, seed=seed)

    def start(self, memberships: csr_array, *, seed: int) -> Floats:
        """(n, 2) principal components."""
        return start_from_vectors(self.vectors, seed=seed)

    def distances(self) -> Floats:
        """(n, n) 1 - cosine."""
        units = scale_to_units(self.vectors.values).astype(np.float64)
        distances: Floats = np.maximum(1.0 - units @ units.T, 0.0)
        np.fill_diagonal(distances, 0.0)
        return distances

    def group(self, ids: pa.StringArray, labels: Labels, names: Sequence[str]) -> VectorSpace:
        """Means of the vectors of a group's points (CIA, section 5.4.2)."""
        means = average_vectors(self.vectors, ids, labels, names=names)
        return VectorSpace(means.take(np.flatnonzero(means.placed)))


@dataclass(frozen=True)
class NetworkSpace:
    """Points with edges, the nearer the more an edge weighs; one alone has none."""

    network: Network

    @property
    def ids(self) -> pa.StringArray:
        """(n,) ascending."""
        return self.network.ids

    def nearest(self, k: int, *, seed: int) -> Nearest:
        """The strongest edges; distance 1 - weight over the strongest of the paper."""
        return list_nearest(self.network, k)

    def start(self, memberships: csr_array, *, seed: int) -> Floats:
        """(n, 2) the slowest modes of the graph."""
        return start_from_graph(memberships, seed=seed)

    def distances(self) -> Floats:
        """(n, n) 1 - weight over the largest weight of all."""
        weights = self.network.weights.toarray()
        distances: Floats = 1.0 - weights / weights.max(initial=1e-300)
        np.fill_diagonal(distances, 0.0)
        return distances

    def group(self, ids: pa.StringArray, labels: Labels, names: Sequence[str]) -> NetworkSpace:
        """Sums of the weights between groups, by association strength.

        Where no edge leads from one group to another, the group of most points alone.
        """
        inside = self._among(ids)
        members = _membership(labels, names)
        sums = csr_array(members.T @ inside @ members)
        sums = csr_array((sums + sums.T) / 2)  # as it is but for the last bits
        sums.setdiag(0.0)
        sums.eliminate_zeros()
        between = Network(pa.array(sorted(names), pa.string()), sums)
        linked = linked_space(normalise(between, "association"))
        if len(linked.ids):
            return linked
        points = members[find_rows(ids, self.ids) >= 0].sum(axis=0)
        largest = np.arange(len(names)) == points.argmax() if points.any() else points > 0
        return NetworkSpace(between.where(largest))

    def _among(self, ids: pa.StringArray) -> csr_array:
        """(ids, ids) weights between points in another order or selection; 0 for others."""
        rows = find_rows(ids, self.ids)
        known = np.flatnonzero(rows >= 0)
        shape = (len(ids), len(self.ids))
        pick = csr_array((np.ones(len(known)), (known, rows[known])), shape=shape)
        return csr_array(pick @ self.network.weights @ pick.T)


def linked_space(network: Network) -> NetworkSpace:
    """The space of the largest connected part of a network.

    What is not linked to it, directly or by way of others, has no place in relation to it.
    """
    labels = connected_components(network.weights, directed=False)[1]
    sizes = np.bincount(labels, minlength=1)
    return NetworkSpace(network.where((labels == sizes.argmax()) & (network.degrees > 0)))


def _membership(labels: Labels, names: Sequence[str]) -> csr_array:
    """(papers, groups) 1 where a paper is in a group, which stand in the order of their names."""
    rows = np.flatnonzero(labels >= 0)
    order = np.argsort(np.argsort(np.array(names, object)))
    ends = (rows, order[labels[rows]])
    return csr_array((np.ones(len(rows)), ends), shape=(len(labels), len(names)))
