"""The accuracy of a network from coarse communities to fine ones."""

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
_HALVINGS = 3
"""The ends of a series are exact to the third halving of a step of 4, a factor of 1.2."""
_PASSES, _BEYOND = 2, 1.1
"""Passes of the algorithm in the search for the ends: later passes change granularity by some per
cent, so the search goes a tenth beyond the range."""


@dataclass(frozen=True)
class Leiden:
    """Settings of the Leiden algorithm."""

    quality: str = "cpm"
    iterations: int = ITERATIONS

    def find(self, prepared: PreparedNetwork, resolution: float, *, seed: int) -> Clustering:
        """The communities of a network at one resolution."""
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
    """A geometric series of resolutions whose granularities span a range as far as possible.

    Weights of different networks have different scales, so the ends are found by a search: steps by
    a factor of 4 from the mean weight of two papers, then halvings of the last step.

    Args:
        prepared: the network.
        criterion: gives the papers that count.
        leiden: settings.
        within: coarsest and finest granularity. A network in many parts cannot be coarser than
            these.
        points: length of the series; one resolution if none is finer than the parts of the network,
            or none has to be.
        seed: of the search.
    """
    quick = replace(leiden, iterations=_PASSES)

    def granularity(resolution: float) -> float:
        clustering = quick.find(prepared, resolution, seed=seed)
        return judge_clustering(criterion, clustering).granularity

    parts = label_papers(prepared, split(prepared.weights, np.zeros(len(prepared), np.int32)))
    coarsest = judge_clustering(criterion, parts).granularity
    least, most = max(within[0] / _BEYOND, coarsest * 1.001), min(within[1] * _BEYOND, 1.0)

    # The resolution at which a single community is as good as none; 1 without edges.
    null = find_null_model(prepared.network, leiden.quality)
    expected = null.scale * float(null.sizes.sum()) ** 2
    weight = float(prepared.network.weights.sum())
    begin = weight / expected if weight and expected else 1.0
    low = _seek(lambda r: granularity(r) <= least, begin, direction=-1)
    high = _seek(lambda r: granularity(r) >= most, begin, direction=1)
    return np.geomspace(low, high, points) if low < high else np.array([low])


def trace_curve(
    prepared: PreparedNetwork,
    criterion: Criterion,
    leiden: Leiden,
    *,
    resolutions: Floats,
    seed: int,
) -> list[dict[str, float]]:
    """One row per resolution: resolution and the figures of `accuracy.Judged`."""
    rows = []
    for resolution in resolutions.tolist():
        judged = judge_clustering(criterion, leiden.find(prepared, resolution, seed=seed))
        rows.append({"resolution": resolution, **asdict(judged)})
    return rows


def _seek(reached: Callable[[float], bool], begin: float, *, direction: int) -> float:
    """The first resolution in a direction at which `reached` holds."""
    factor, wanted, other = _STEP**direction, begin, begin
    if reached(begin):
        for _ in range(_STEPS):
            other = wanted / factor
            if not reached(other):
                break
            wanted = other
    else:
        for _ in range(_STEPS):
            wanted = other * factor
            if reached(wanted):
                break
            other = wanted
    for _ in range(_HALVINGS):
        middle = float(np.sqrt(wanted * other))
        wanted, other = (middle, other) if reached(middle) else (wanted, middle)
    return wanted
