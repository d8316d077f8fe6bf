"""Accuracy of a network from coarse to fine communities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import numpy as np

from citescape.mapping.communities.accuracy import judge_clustering
from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.communities.config import ITERATIONS
from citescape.mapping.communities.criterion import Criterion
from citescape.mapping.communities.leiden import (
    PreparedNetwork,
    find_communities,
    label_papers,
    split,
)
from citescape.mapping.communities.quality import find_null_model
from citescape.networks.network import Floats

_STEP = 4.0
_STEPS = 24
"""Factor between resolutions, and maximum number of steps, in the search for an end of a series."""
_HALVINGS = 3
"""Bisections of the last step of 4 at each end of a series, to a factor of 1.2."""
_PASSES, _BEYOND = 2, 1.1
"""Passes of the algorithm in the search for the ends, and margin of the search: later passes change
granularity by some per cent, so the search extends a tenth beyond the range."""


@dataclass(frozen=True)
class Leiden:
    """Settings of the Leiden algorithm."""

    quality: str = "cpm"
    iterations: int = ITERATIONS

    def find(self, prepared: PreparedNetwork, resolution: float, *, seed: int) -> Clustering:
        """Finds the communities of a network at one resolution.

        Args:
            prepared: result of `leiden.prepare`.
            resolution: positive.
            seed: random seed.
        """
        return find_communities(
            prepared, resolution, quality=self.quality, seed=seed, iterations=self.iterations
        )


def find_resolutions(
    prepared: PreparedNetwork,
    criterion: Criterion,
    leiden: Leiden,
    *,
    within: tuple[float, float],
    points: int,
    seed: int = 0,
) -> Floats:
    """Finds a geometric series of resolutions whose granularities cover a range as far as possible.

    Weights of different networks have different scales, so the ends are searched for: steps by a
    factor of 4 from the mean weight of two papers, then bisections of the last step.

    Args:
        prepared: the network.
        criterion: criterion, whose judged papers are counted.
        leiden: settings.
        within: coarsest and finest granularity. A network cannot be coarser than its connected
            components.
        points: length of the series; it has a single resolution if no granularity finer than that
            of the components is possible or needed.
        seed: random seed of the search.
    """
    quick = replace(leiden, iterations=_PASSES)

    def granularity(resolution: float) -> float:
        clustering = quick.find(prepared, resolution, seed=seed)
        return judge_clustering(criterion, clustering).granularity

    parts = label_papers(prepared, split(prepared.weights, np.zeros(len(prepared), np.int32)))
    coarsest = judge_clustering(criterion, parts).granularity
    coarse, fine = max(within[0] / _BEYOND, coarsest * 1.001), min(within[1] * _BEYOND, 1.0)

    # Resolution at which a single community and singletons have equal quality; 1 without edges.
    null = find_null_model(prepared.network, leiden.quality)
    expected = null.scale * float(null.sizes.sum()) ** 2
    weight = float(prepared.network.weights.sum())
    begin = weight / expected if weight and expected else 1.0
    low = _search(lambda r: granularity(r) <= coarse, begin, direction=-1)
    high = _search(lambda r: granularity(r) >= fine, begin, direction=1)
    return np.geomspace(low, high, points) if low < high else np.array([low])


def trace_curve(
    prepared: PreparedNetwork,
    criterion: Criterion,
    leiden: Leiden,
    *,
    resolutions: Floats,
    seed: int,
) -> list[dict[str, float]]:
    """Computes accuracy at each resolution.

    Args:
        prepared: the network.
        criterion: the criterion.
        leiden: settings.
        resolutions: (points,) positive.
        seed: random seed.

    Returns:
        Rows of resolution and the figures of `accuracy.AccuracyFigures`.
    """
    rows = []
    for resolution in resolutions.tolist():
        judged = judge_clustering(criterion, leiden.find(prepared, resolution, seed=seed))
        rows.append({"resolution": resolution, **asdict(judged)})
    return rows


def _search(reached: Callable[[float], bool], begin: float, *, direction: int) -> float:
    """Finds the first resolution in a direction at which `reached` holds."""
    factor, hit, other = _STEP**direction, begin, begin
    if reached(begin):
        for _ in range(_STEPS):
            other = hit / factor
            if not reached(other):
                break
            hit = other
    else:
        for _ in range(_STEPS):
            hit = other * factor
            if reached(hit):
                break
            other = hit
    for _ in range(_HALVINGS):
        middle = float(np.sqrt(hit * other))
        hit, other = (middle, other) if reached(middle) else (hit, middle)
    return hit
