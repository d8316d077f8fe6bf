"""The resolution at which communities are so many, or so large."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
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
from citescape.networks.network import Floats, Mask, Network

_PASSES = 2
"""Of the algorithm at each resolution tried: numbers of communities hardly change after."""
_STEP = 3.0
_TRIED = 40
_NEAR = 0.02


@dataclass(frozen=True)
class Goal:
    """What a resolution is sought for."""

    measure: str
    """A key of `MEASURES`."""
    value: float


def _count(sizes: Floats) -> float:
    return float(np.count_nonzero(sizes))


def _mean_size(sizes: Floats) -> float:
    return float((sizes**2).sum() / sizes.sum())


MEASURES: Mapping[str, Callable[[Floats], float]] = {"communities": _count, "size": _mean_size}
"""Of communities, over papers that have edges: how many there are; papers in the community of a
paper, on average over papers: sum of squared sizes / sum of sizes, the inverse of granularity."""


def find_linked(network: Network) -> Mask:
    """(papers,) those of the core that have an edge; others are alone at any resolution."""
    linked: Mask = network.in_core & (network.degrees > 0)
    return linked


def measure(network: Network, clustering: Clustering, name: str) -> float:
    """A measure of `MEASURES`; 0 for a network without edges."""
    linked = find_linked(network)
    sizes = np.bincount(clustering.labels[linked]).astype(np.float64)
    return MEASURES[name](sizes) if len(sizes) else 0.0


def find_resolution(
    prepared: PreparedNetwork,
    goal: Goal,
    *,
    quality: str = "cpm",
    seed: int = 0,
    min_size: int = 1,
) -> float:
    """The resolution at which communities are so many, or so large.

    It is sought from the coarse side, by powers of three, then by interpolation between
    logarithms, until the measure is within 2%, or a difference that three digits of the resolution
    cannot make. It has three digits, so that it can be typed: the result at it does not depend on
    how it was found.

    Args:
        prepared: of `leiden.prepare`.
        goal: number or size wanted.
        quality: a key of `quality.QUALITIES`.
        seed: of the clusterings tried, of two passes each.
        min_size: small communities are reassigned before they are counted, see `small`.

    Returns:
        Of the resolutions tried, the one nearest to the goal by ratio, the lowest of several; 1.0
        for a network without edges.
    """
    if not find_linked(prepared.network).any():
        return 1.0
    trials = _Trials(prepared, goal, quality, seed=seed, min_size=min_size)
    low, high = _bracket(trials, _guess(prepared, trials.wanted, quality))
    bracketed = trials(low) < trials.wanted <= trials(high)
    while bracketed and not trials.done:
        middle = _between(trials, low, high)
        if middle in (low, high):
            break
        low, high = (middle, high) if trials(middle) < trials.wanted else (low, middle)
    return min(trials.seen, key=lambda one: (trials.distance(one), one))


class _Trials:
    """How fine communities are at a resolution, each found once: a number, or N / size."""

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
        self.wanted = self._fineness(goal.value)
        self.seen: dict[float, float] = {}
        self.coarsest = self.finest = False
        """Whether a resolution was tried at which all is together that can be, or all is apart."""

    @property
    def done(self) -> bool:
        """Whether the goal was met, or enough was tried."""
        return len(self.seen) >= _TRIED or min(map(self.distance, self.seen)) <= _NEAR

    def __call__(self, resolution: float) -> float:
        if resolution not in self.seen:
            self.seen[resolution] = self._try(resolution)
        return self.seen[resolution]

    def distance(self, resolution: float) -> float:
        """|ln(found / wanted)|."""
        return abs(math.log(self.seen[resolution] / self.wanted))

    def _try(self, resolution: float) -> float:
        prepared, seed = self._prepared, self._seed
        found = find_membership(
            prepared, resolution, quality=self._quality, seed=seed, iterations=_PASSES
        )
        nodes = int(found.max()) + 1
        self.finest |= nodes == len(prepared)
        self.coarsest |= nodes == self._fewest
        if self._min_size > 1:
            found, _ = reassign_small(prepared, found, self._min_size)
        clustering = label_papers(prepared, found)
        return self._fineness(measure(prepared.network, clustering, self._measure))

    def _fineness(self, value: float) -> float:
        if self._measure == "communities":
            return value
        return int(find_linked(self._prepared.network).sum()) / value


def _bracket(trials: _Trials, first: float) -> tuple[float, float]:
    """Resolutions below the goal, and at it or above, if there are."""
    low = high = first
    if trials(first) < trials.wanted:
        while trials(high) < trials.wanted and not trials.finest and not trials.done:
            low, high = high, _round(high * _STEP)
    else:
        while trials(low) >= trials.wanted and not trials.coarsest and not trials.done:
            low, high = _round(low / _STEP), low
    return low, high


def _guess(prepared: PreparedNetwork, communities: float, quality: str) -> float:
    """A resolution that is too low, as a rule.

    What a paper has of weight, over what its community would have of expected weight with it, and
    a hundredth of that.
    """
    network, null = prepared.network, find_null_model(prepared.network, quality)
    linked = find_linked(network)
    size = float(null.sizes[linked].mean())
    papers = int(linked.sum()) / communities
    return _round(0.01 * float(network.strengths[linked].mean()) / (null.scale * size**2 * papers))


def _between(trials: _Trials, low: float, high: float) -> float:
    """A resolution between two, where a straight line between logarithms meets the goal."""
    below, above = math.log(trials(low)), math.log(trials(high))
    share = (math.log(trials.wanted) - below) / (above - below)
    share = min(max(share, 0.1), 0.9)
    return _round(low * (high / low) ** share)


def _round(resolution: float) -> float:
    """To three digits."""
    return float(f"{resolution:.3g}")
