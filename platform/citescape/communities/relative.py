"""Networks compared at equal granularity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from citescape.errors import ConfigError
from citescape.networks.network import Floats, Mask

POINTS = 100
"""Of the grid of granularities."""
WIDE = 5.0
"""Ratio of granularities between neighbouring points of a curve from which on what lies between is
not compared: a line across would be drawn, not measured."""
Range = tuple[float, float]
"""Coarsest and finest granularity."""


@dataclass(frozen=True)
class Curve:
    """Accuracy by granularity of one network."""

    granularity: Floats
    """(points,) ascending, each once."""
    accuracy: Floats
    """(points,)"""

    @property
    def reach(self) -> Range:
        """Coarsest and finest granularity."""
        return float(self.granularity[0]), float(self.granularity[-1])

    @property
    def leaps(self) -> list[Range]:
        """Neighbouring points that are wide apart: no resolution gave anything between them."""
        low, high = self.granularity[:-1], self.granularity[1:]
        wide = np.flatnonzero(high >= WIDE * low)
        return [(float(low[k]), float(high[k])) for k in wide]

    def at(self, granularity: Floats) -> Floats:
        """Accuracy in between, a power of granularity; not a number outside.

        Accuracies of different networks are never measured at the same granularity, so they are
        interpolated (Ahlgren et al. 2020): along a straight line of the logarithms of both, or,
        beside a point of no accuracy, of accuracy itself against the logarithm of granularity.
        """
        place, points = np.log(granularity), np.log(self.granularity)
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithm = np.interp(place, points, np.log(self.accuracy))
        straight = np.interp(place, points, self.accuracy)
        found = np.where(np.isfinite(logarithm), np.exp(logarithm), straight)
        low, high = self.reach
        return np.where((granularity >= low) & (granularity <= high), found, np.nan)


def build_curve(granularity: Sequence[float], accuracy: Sequence[float]) -> Curve:
    """A curve from points in any order; those of equal granularity become their mean.

    Raises:
        ConfigError: there are no points.
    """
    if not len(granularity):
        raise ConfigError("a curve has no points; expected one clustering or more")
    distinct, place = np.unique(np.asarray(granularity, np.float64), return_inverse=True)
    sums = np.bincount(place, weights=np.asarray(accuracy, np.float64))
    return Curve(distinct, sums / np.bincount(place))


@dataclass(frozen=True)
class Relative:
    """Networks on a common grid of granularities."""

    granularity: Floats
    """(points,) equally spaced in the logarithm."""
    accuracy: Mapping[str, Floats]
    """Network -> (points,)."""
    relative: Mapping[str, Floats]
    """Network -> (points,) accuracy / mean accuracy of all networks there; their mean is 1."""

    @property
    def mean(self) -> dict[str, float]:
        """Network -> its relative accuracy, averaged over the grid; their mean is 1."""
        return {name: float(np.mean(values)) for name, values in self.relative.items()}


def find_overlap(curves: Mapping[str, Curve]) -> Range:
    """The granularities that all curves reach: coarsest, finest; coarsest > finest if none."""
    reaches = [curve.reach for curve in curves.values()]
    return max(low for low, _ in reaches), min(high for _, high in reaches)


def compare_curves(
    curves: Mapping[str, Curve],
    *,
    within: Range | None = None,
    leaps: Sequence[Range] = (),
    points: int = POINTS,
) -> Relative:
    """Relative accuracy: that of a network over the mean of all at the same granularity.

    R_m = mean over g of A_m(g) / ((1/M) sum over k of A_k(g)), for the M networks given: 1 is
    average (CIA, section 5.3, Fig. 6; Ahlgren et al. 2020). Lines that bound the networks, such
    as that of the criterion itself, are not to be among them.

    Args:
        curves: by network.
        within: coarsest and finest granularity; the grid is where this and all curves overlap.
        leaps: granularities between which nothing is to be compared.
        points: of the grid. Granularities at which nothing is accurate are left out.

    Raises:
        ConfigError: the curves do not overlap, or nothing is accurate where they do.
    """
    low, high = find_overlap(curves)
    low, high = (max(low, within[0]), min(high, within[1])) if within else (low, high)
    if low >= high:
        raise ConfigError(
            f"networks {', '.join(curves)} have no granularities in common: the coarsest that all "
            f"reach is {low:.2g}, the finest {high:.2g}; compare fewer of them"
        )
    grid = np.clip(np.geomspace(low, high, points), low, high)
    grid = grid[_measured(grid, leaps)]
    found = {name: curve.at(grid) for name, curve in curves.items()}
    mean = np.mean(list(found.values()), axis=0)
    kept = mean > 0
    if not kept.any():
        raise ConfigError(
            f"networks {', '.join(curves)} have an accuracy of 0, or no communities, at every "
            "granularity that all reach; compare fewer of them"
        )
    accuracy = {name: values[kept] for name, values in found.items()}
    relative = {name: values / mean[kept] for name, values in accuracy.items()}
    return Relative(grid[kept], accuracy, relative)


def _measured(grid: Floats, leaps: Sequence[Range]) -> Mask:
    """(points,) those that lie in no leap."""
    inside = [(grid > low) & (grid < high) for low, high in leaps]
    kept: Mask = ~np.any([np.zeros(len(grid), np.bool_), *inside], axis=0)
    return kept
