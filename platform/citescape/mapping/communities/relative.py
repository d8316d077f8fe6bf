"""Comparison of networks at equal granularity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from citescape.core.errors import ConfigError
from citescape.networks.network import Floats

WIDE = 5.0
"""Ratio of granularities of neighbouring points from which there is a gap in a curve: accuracy is
not interpolated across it."""
Range = tuple[float, float]
"""Coarsest and finest granularity."""


@dataclass(frozen=True)
class AccuracyCurve:
    """Accuracy by granularity of one network."""

    granularity: Floats
    """(points,) ascending, each once."""
    accuracy: Floats
    """(points,) accuracy at each granularity."""

    @property
    def reach(self) -> Range:
        """Coarsest and finest granularity."""
        return float(self.granularity[0]), float(self.granularity[-1])

    @property
    def gaps(self) -> list[Range]:
        """Granularities on both sides of each gap; no resolution reached those in between."""
        low, high = self.granularity[:-1], self.granularity[1:]
        wide = np.flatnonzero(high >= WIDE * low)
        return [(float(low[k]), float(high[k])) for k in wide]

    def at(self, granularity: Floats) -> Floats:
        """Interpolated accuracy; NaN outside the curve and in gaps.

        Networks are measured at different granularities, so accuracies are
        interpolated (Ahlgren et al. 2020): linearly in the logarithms of both, or, next to a point
        of accuracy 0, linearly in accuracy and the logarithm of granularity.
        """
        place, points = np.log(granularity), np.log(self.granularity)
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithm = np.interp(place, points, np.log(self.accuracy))
        straight = np.interp(place, points, self.accuracy)
        accuracy = np.where(np.isfinite(logarithm), np.exp(logarithm), straight)
        for low, high in [(-np.inf, self.reach[0]), *self.gaps, (self.reach[1], np.inf)]:
            accuracy[(granularity > low) & (granularity < high)] = np.nan
        return accuracy


def build_curve(granularity: Sequence[float], accuracy: Sequence[float]) -> AccuracyCurve:
    """Builds a curve from points in any order; points of equal granularity are averaged.

    Raises:
        ConfigError: there are no points.
    """
    if not len(granularity):
        raise ConfigError("a curve has no points; expected at least one clustering")
    distinct, place = np.unique(np.asarray(granularity, np.float64), return_inverse=True)
    sums = np.bincount(place, weights=np.asarray(accuracy, np.float64))
    return AccuracyCurve(distinct, sums / np.bincount(place))


@dataclass(frozen=True)
class RelativeAccuracy:
    """Accuracies of networks on a common grid of granularities."""

    granularity: Floats
    """(points,) ascending."""
    accuracy: Mapping[str, Floats]
    """Network -> (points,) accuracy."""
    relative: Mapping[str, Floats]
    """Network -> (points,) accuracy / mean accuracy of all networks; their mean is 1."""

    @property
    def mean(self) -> dict[str, float]:
        """Network -> its relative accuracy, averaged over the grid; their mean is 1."""
        return {name: float(np.mean(values)) for name, values in self.relative.items()}


def find_overlap(curves: Iterable[AccuracyCurve]) -> Range:
    """Range of granularities that all curves reach; coarsest > finest if empty."""
    reaches = [curve.reach for curve in curves]
    return max(low for low, _ in reaches), min(high for _, high in reaches)


def compare_curves(curves: Mapping[str, AccuracyCurve], grid: Floats) -> RelativeAccuracy:
    """Computes relative accuracy: accuracy over the mean of all networks at equal granularity.

    R_m = mean over g of A_m(g) / ((1/M) sum over k of A_k(g)), for M networks: 1 is average (CIA,
    section 5.3, Fig. 6; Ahlgren et al. 2020). Bounds, such as the criterion itself, should not be
    among the networks.

    All curves must have an accuracy at the points of `grid`, and one of them an accuracy above 0.

    Raises:
        ConfigError: at some points a curve has no accuracy, or all accuracies are 0.
    """
    accuracy = {name: curve.at(grid) for name, curve in curves.items()}
    mean = np.mean(list(accuracy.values()), axis=0)
    compared = int((mean > 0).sum())
    if compared < max(len(grid), 1):
        raise ConfigError(
            f"networks {', '.join(curves)} can be compared at {compared} of {len(grid)} "
            "granularities; expected granularities at which all have communities, and at least "
            "one an accuracy above 0"
        )
    return RelativeAccuracy(
        grid, accuracy, {name: values / mean for name, values in accuracy.items()}
    )
