"""Searches for the resolution that gives a number or a size of communities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.communities.leiden import (
    PreparedNetwork,
    find_membership,
    label_papers,
)
from citescape.mapping.communities.quality import find_null_model
from citescape.mapping.communities.small import reassign_small
from citescape.networks.network import Mask, Network

_PASSES = 2
"""Passes of the algorithm per trial: further passes hardly change the number of communities."""
_STEP = 3.0
"""Factor between trials until the goal is between two of them."""
_MAX_TRIALS = 40
_TOLERANCE = 0.02
"""Maximum |ln(fineness / target)| for which the goal is met."""


@dataclass(frozen=True)
class Goal:
    """Goal of the search for a resolution."""

    measure: str
    """`communities` or `size`, see `measure`."""
    value: float


def find_linked(network: Network) -> Mask:
    """(papers,) papers of the core with an edge; others are singletons at any resolution."""
    linked: Mask = network.in_core & (network.degrees > 0)
    return linked


def measure(network: Network, clustering: Clustering, name: str) -> float:
    """Measures communities over papers with edges; 0 for a network without edges.

    Args:
        network: the network.
        clustering: its communities.
        name: `communities`, their number; or `size`, the mean over papers of the size of their
            community: sum of squared sizes / sum of sizes, the inverse of granularity.
    """
    sizes = np.bincount(clustering.labels[find_linked(network)]).astype(np.float64)
    if not len(sizes):
        return 0.0
    if name == "communities":
        return float(np.count_nonzero(sizes))
    return float((sizes**2).sum() / sizes.sum())


def find_resolution(
    prepared: PreparedNetwork,
    goal: Goal,
    *,
    quality: str = "cpm",
    seed: int = 0,
    min_size: int = 1,
) -> float:
    """Finds the resolution that gives a number or a size of communities.

    The search starts at a low resolution, continues in steps of a factor of three, then by
    interpolation between logarithms. It ends when the measure is within 2% of the goal, or the next
    resolution would not differ in three digits. Three digits can be typed, so that a clustering is
    reproducible without the search.

    Args:
        prepared: result of `leiden.prepare`.
        goal: target number or size.
        quality: one of `quality.QUALITIES`.
        seed: random seed of the trials.
        min_size: minimum size of communities; smaller ones are reassigned before counting, see
            `small`.

    Returns:
        The tried resolution nearest to the goal by ratio, the lowest of several; 1.0 for a network
        without edges.
    """
    network, linked = prepared.network, find_linked(prepared.network)
    if not linked.any():
        return 1.0
    trials = _Trials(prepared, goal, quality, seed=seed, min_size=min_size)

    # First trial, usually too low: a hundredth of the strength of a paper over the expected weight
    # between it and a community of the target size.
    null = find_null_model(network, quality)
    papers = int(linked.sum()) / trials.target
    expected = null.scale * float(null.sizes[linked].mean()) ** 2 * papers
    low = high = _round(0.01 * float(network.strengths[linked].mean()) / expected)

    # Powers of three, until the goal is between `low` and `high`.
    if trials(low) < trials.target:
        while trials(high) < trials.target and not trials.finest and not trials.done:
            low, high = high, _round(high * _STEP)
    else:
        while trials(low) >= trials.target and not trials.coarsest and not trials.done:
            low, high = _round(low / _STEP), low

    # Interpolation between logarithms.
    bracketed = trials(low) < trials.target <= trials(high)
    while bracketed and not trials.done:
        below, above = math.log(trials(low)), math.log(trials(high))
        share = (math.log(trials.target) - below) / (above - below)
        middle = _round(low * (high / low) ** min(max(share, 0.1), 0.9))
        if middle in (low, high):
            break
        low, high = (middle, high) if trials(middle) < trials.target else (low, middle)
    return min(trials.seen, key=lambda resolution: (trials.distance(resolution), resolution))


class _Trials:
    """Fineness of communities by resolution, cached: their number, or N / size."""

    def __init__(
        self,
        prepared: PreparedNetwork,
        goal: Goal,
        quality: str,
        *,
        seed: int,
        min_size: int,
    ) -> None:
        self._prepared, self._measure, self._quality = prepared, goal.measure, quality
        self._seed, self._min_size = seed, min_size
        self._fewest = int(connected_components(prepared.weights, directed=False)[0])
        self.target = self._fineness(goal.value)
        self.seen: dict[float, float] = {}
        self.coarsest = self.finest = False
        """Whether a trial had as few communities as possible, or as many as possible."""

    @property
    def done(self) -> bool:
        """Whether the goal was met, or the number of trials is exhausted."""
        return len(self.seen) >= _MAX_TRIALS or min(map(self.distance, self.seen)) <= _TOLERANCE

    def distance(self, resolution: float) -> float:
        """|ln(fineness / target)|."""
        return abs(math.log(self.seen[resolution] / self.target))

    def __call__(self, resolution: float) -> float:
        """Fineness at a resolution."""
        if resolution in self.seen:
            return self.seen[resolution]
        prepared = self._prepared
        membership = find_membership(
            prepared, resolution, quality=self._quality, seed=self._seed, iterations=_PASSES
        )
        nodes = int(membership.max()) + 1
        self.finest |= nodes == len(prepared)
        self.coarsest |= nodes == self._fewest
        if self._min_size > 1:
            membership, _ = reassign_small(prepared, membership, self._min_size)
        clustering = label_papers(prepared, membership)
        fineness = self._fineness(measure(prepared.network, clustering, self._measure))
        self.seen[resolution] = fineness
        return fineness

    def _fineness(self, value: float) -> float:
        if self._measure == "communities":
            return value
        return int(find_linked(self._prepared.network).sum()) / value


def _round(resolution: float) -> float:
    """Rounds to three digits."""
    return float(f"{resolution:.3g}")
