"""Colour scales: shares of values, and ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from citescape.networks.network import Floats

_TAIL, _LOG_TAIL = 0.04, 0.005
"""Share of values at each end that have the end colour, so that outliers do not stretch the scale;
and the same on a logarithmic scale."""
_MAX_STEPS = 5
"""Maximum number of steps between ticks."""
_MIN_DISTANCE = 0.15
"""Minimum distance of ticks, as a share of the scale."""
_STEPS = (1, 2, 5, 10)
_DIGITS = 2
"""Digits of the ends of a logarithmic scale, and of the extent of a linear scale."""


@dataclass(frozen=True)
class ValueScale:
    """A scale from `low` to `high`; values beyond are shown as the ends."""

    low: float
    high: float
    log: bool = False
    """Logarithmic, for values above 0; other values are missing."""
    whole: bool = False
    """Whether ticks are integers, such as years."""
    below: bool = False
    """Whether some values are below `low`."""
    above: bool = False
    """Whether some values are above `high`."""

    def __call__(self, values: Floats) -> Floats:
        """Shares, 0 to 1; NaN for missing values."""
        low, high = self._bend(np.array([self.low, self.high]))
        extent = high - low or 1.0
        shares: Floats = np.clip((self._bend(values) - low) / extent, 0.0, 1.0)
        return shares

    @property
    def marks(self) -> list[tuple[float, str]]:
        """Shares and their texts: both ends, and round values between them.

        An end that includes values beyond it is marked with ≤ or ≥.
        """
        if self.high <= self.low:
            return [(0.0, format_tick(self.low))]
        ends = [(0.0, "≤ " * self.below + format_tick(self.low))]
        shown = [1.0 + _MIN_DISTANCE / 3]  # the text of the upper end is wide
        for value in sorted(self._rounds(), reverse=True):
            share = float(self(np.array(value)))
            if share >= 1.3 * _MIN_DISTANCE and shown[-1] - share >= _MIN_DISTANCE:
                shown.append(share)
                ends.insert(1, (share, format_tick(value)))
        return [*ends, (1.0, "≥ " * self.above + format_tick(self.high))]

    def classes(self, most: int = 5) -> list[tuple[float, float, str]]:
        """Classes of values from low to high: first and last share, and the values as text.

        Bounds are round values, such as 2010 or 0.05; each class holds its lower bound.

        Args:
            most: maximum number of classes.
        """
        if self.high <= self.low:
            return [(0.0, 1.0, format_tick(self.low))]
        steps = np.linspace(0.0, 1.0, most + 1)[1:-1]
        low, high = self._bend(np.array([self.low, self.high])).tolist()
        values = low + steps * (high - low)
        values = np.exp(values) if self.log else values
        extent = self.high - self.low
        bounds: list[float] = []
        for value in values.tolist():
            size = value if self.log else extent / most
            decimals = 0 if self.whole else -math.floor(math.log10(size))
            bound = round(value, decimals)
            inside = self.low < bound and (bound <= self.high if self.whole else bound < self.high)
            if inside and (not bounds or bound > bounds[-1]):
                bounds.append(bound)
        shares = [0.0, *(float(self(np.array(bound))) for bound in bounds), 1.0]
        names = [format_tick(bound) for bound in bounds]
        if not names:
            return [(0.0, 1.0, f"{format_tick(self.low)} to {format_tick(self.high)}")]
        texts = [f"{'before' if self.whole else 'under'} {names[0]}"]
        for k, name in enumerate(names[:-1]):
            texts.append(f"{name} to {names[k + 1]}")
            if self.whole:
                last = int(bounds[k + 1]) - 1
                texts[-1] = name if last == bounds[k] else f"{name} to {last}"
        texts.append(f"{names[-1]} or {'later' if self.whole else 'more'}")
        return list(zip(shares, shares[1:], texts, strict=False))

    def _bend(self, values: Floats) -> Floats:
        if not self.log:
            return np.asarray(values, np.float64)
        return np.log(values, out=np.full(np.shape(values), np.nan), where=np.asarray(values) > 0)

    def _rounds(self) -> list[float]:
        """Round values; on a logarithmic scale powers of ten, in short ranges also times 2, 5."""
        if self.log:
            first, last = (math.floor(math.log10(end)) for end in (self.low, self.high))
            factors = (1,) if last - first > 2 else (1, 2, 5)
            return [float(f"{m}e{k}") for k in range(first, last + 1) for m in factors]
        from matplotlib.ticker import MaxNLocator

        locator = MaxNLocator(_MAX_STEPS, steps=_STEPS, integer=self.whole)
        return [round(float(tick), 10) for tick in locator.tick_values(self.low, self.high)]


def fit_scale(values: Floats, *, log: bool = False, whole: bool = False) -> ValueScale:
    """Fits a scale to values; its ends are rounded outwards.

    Args:
        values: values, NaN if missing; at least one is present, and above 0 if `log`.
        log: logarithmic scale.
        whole: integer ticks.
    """
    known = values[np.isfinite(values) & ((values > 0) | (not log))]
    tail = _LOG_TAIL if log else _TAIL
    low, high = np.quantile(known, [tail, 1 - tail], method="closest_observation")
    if low == high:
        low, high = known.min(), known.max()
    least, most = (float(end) for end in (known.min(), known.max()))
    low, high = float(low), float(high)
    if whole:
        low, high = math.floor(low), math.ceil(high)
    elif low != high:  # to two digits of each end of a logarithmic scale, else of the extent
        sizes = (low, high) if log else (high - low, high - low)
        decimals = [_DIGITS - 1 - math.floor(math.log10(size)) for size in sizes]
        low, high = _round(low, decimals[0], up=False), _round(high, decimals[1], up=True)
    return ValueScale(low, high, log, whole, below=least < low, above=most > high)


def _round(value: float, decimals: int, *, up: bool) -> float:
    """Rounds up or down, unless the value is round up to floating-point error."""
    near = round(value, decimals)
    if math.isclose(near, value, rel_tol=1e-12):
        return near
    away = 10.0**-decimals if up else -(10.0**-decimals)
    return near if (near > value) == up else round(near + away, decimals)


def format_tick(value: float) -> str:
    """Formats a tick: `1,000`, `0.25`, `2015`."""
    if value == int(value):
        return str(int(value)) if 1000 <= value < 3000 else f"{int(value):,}"
    return f"{value:.10g}"
