"""Consensus of clusterings with several seeds."""

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
from citescape.networks.network import Floats, select_upper

_MAJORITY = 0.6
"""Minimum share of clusterings with both ends of an edge in one community for the edge to keep its
whole weight. With one half, a paper that fits two communities equally well would not converge."""
_ROUNDS = 10
"""Maximum number of rounds."""


@dataclass(frozen=True)
class Consensus:
    """The consensus of several seeds."""

    membership: Labels
    """(nodes,) numbers of communities."""
    agreement: Floats
    """(pairs,) adjusted Rand index of all pairs of seeds, over papers of the core."""
    rounds: int
    """Number of rounds of clustering with every seed."""
    stable: bool
    """Whether all seeds found the same communities in the last round."""


def find_consensus(
    prepared: PreparedNetwork,
    resolution: float,
    *,
    seeds: Sequence[int],
    quality: str = "cpm",
    iterations: int = ITERATIONS,
    start: Labels | None = None,
) -> Consensus:
    """Finds the consensus of several seeds, after Lancichinetti and Fortunato (2012).

    The network is clustered with every seed. D_ij is the share of the clusterings in which both
    ends of an edge are in one community. The weight of the edge becomes w_ij min(1, D_ij / 0.6),
    always from the original w_ij. The new network is clustered with every seed, and so on, until
    all seeds agree. In the cited paper, all pairs of nodes that were ever together are linked with
    weight D_ij; that network would be far larger, and its scale would change the meaning of the
    resolution.

    Args:
        prepared: result of `leiden.prepare`.
        resolution: positive, see `leiden.find_communities`.
        seeds: two or more random seeds.
        quality: one of `quality.QUALITIES`.
        iterations: passes of each clustering.
        start: (papers,) initial labels.

    Returns:
        The consensus; without agreement after ten rounds, the communities of the first seed.
    """
    (source, target, _), network = select_upper(prepared.weights), prepared
    for number in range(1, _ROUNDS + 1):
        memberships = [
            find_membership(
                network, resolution, quality=quality, seed=seed, iterations=iterations, start=start
            )
            for seed in seeds
        ]
        clusterings = (label_papers(prepared, membership) for membership in memberships)
        labels = [clustering.labels[clustering.core] for clustering in clusterings]
        if number == 1:
            agreement = compare_all(labels)
        stable = all(np.array_equal(labels[0], other) for other in labels)
        if stable or number == _ROUNDS:
            break
        shares = _share_together(memberships, (source, target))
        network = scale_edges(prepared, np.minimum(shares / _MAJORITY, 1.0))
        del shares  # free memory: as large as the network
    return Consensus(memberships[0], agreement, number, stable)


def _share_together(memberships: Sequence[Labels], ends: tuple[Labels, Labels]) -> Floats:
    """(edges,) share of the clusterings with both ends in one community."""
    together = np.zeros(len(ends[0]), np.int64)
    for membership in memberships:
        together += membership[ends[0]] == membership[ends[1]]
    shares: Floats = together / len(memberships)
    return shares
