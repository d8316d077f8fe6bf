"""One clustering of several that differ by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from citescape.mapping.communities.agreement import compare_all
from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.config import ITERATIONS
from citescape.mapping.communities.leiden import (
    PreparedNetwork,
    find_membership,
    label_papers,
    scale_edges,
)
from citescape.networks.network import Floats, take_upper

_MOSTLY = 0.6
"""Share of the clusterings from which on an edge counts whole. Above one half, or a paper that is
as well off in either of two communities would never settle."""
_ROUNDS = 10


@dataclass(frozen=True)
class Consensus:
    """What several seeds agree on."""

    membership: Labels
    """(nodes,) numbers of communities."""
    agreement: Floats
    """(pairs,) adjusted Rand index of every two seeds, over papers of the core."""
    rounds: int
    """Of clustering with every seed."""
    stable: bool
    """Whether all seeds found the same in the last one."""


def find_consensus(
    prepared: PreparedNetwork,
    resolution: float,
    *,
    seeds: Sequence[int],
    quality: str = "cpm",
    iterations: int = ITERATIONS,
    start: Labels | None = None,
) -> Consensus:
    """The clustering that several seeds agree on, after Lancichinetti and Fortunato (2012).

    The network is clustered with every seed. With D_ij the share of the clusterings that have the
    ends of an edge together, its weight becomes w_ij min(1, D_ij / .6); this network is clustered
    with every seed, and so on, always from the first weights, until all seeds find the same. Their
    network of every two nodes that were ever together, weighted by D_ij alone, would be larger than
    the first by far, and of another scale; here a resolution keeps its meaning.

    Args:
        prepared: of `leiden.prepare`.
        resolution: see `leiden.find_communities`, as for what follows.
        seeds: two or more.
        quality: a key of `quality.QUALITIES`.
        iterations: passes of each clustering.
        start: labels to begin with.

    Returns:
        If ten rounds do not suffice, what the first seed finds in the last one.
    """
    (one, other, _), network = take_upper(prepared.weights), prepared
    for number in range(1, _ROUNDS + 1):
        found = [
            find_membership(
                network, resolution, quality=quality, seed=seed, iterations=iterations, start=start
            )
            for seed in seeds
        ]
        labels = [_core_labels(prepared, one) for one in found]
        if number == 1:
            agreement = compare_all(labels)
        stable = all(np.array_equal(labels[0], one) for one in labels)
        if stable or number == _ROUNDS:
            break
        network = scale_edges(prepared, np.minimum(_share((one, other), found) / _MOSTLY, 1.0))
    return Consensus(found[0], agreement, number, stable)


def _core_labels(prepared: PreparedNetwork, membership: Labels) -> Labels:
    clustering = label_papers(prepared, membership)
    return clustering.labels[clustering.core]


def _share(ends: tuple[Labels, Labels], found: Sequence[Labels]) -> Floats:
    """(edges,) in how many of the clusterings the ends are together, 0 to 1."""
    together = np.zeros(len(ends[0]), np.int64)
    for membership in found:
        together += membership[ends[0]] == membership[ends[1]]
    return (together / len(found)).astype(np.float64)
