"""From values to shares of a colour scale, and the round numbers that stand beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from citescape.networks.network import Floats

_TAILS, _ENDS = 0.04, 0.005
"""Of the values at each end that all get the last colour: single ones would take up the scale.
Fewer of those that are shown by their logarithm."""
_MOST = 5
"""Steps between ticks at most."""
_APART = 0.15
"""Of the scale, between ticks at least."""
_STEPS = (1, 2, 5, 10)
_DIGITS = 2
"""Of the ends of a scale of logarithms, and of the extent of another."""


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high`; those beyond are shown as these."""

    low: float
    high: float
    log: bool = False
    """By its logarithm, for values above 0 of which few are large; others have no share."""
    whole: bool = False
    """Ticks are whole numbers, such as years."""
    below: bool = False
    """Some values are less than `low`."""
    above: bool = False
    """Some are more than `high`."""

    def __call__(self, values: Floats) -> Floats:
        """Shares, 0 to 1; NaN where there is no value."""
        low, high = self._bend(np.array([self.low, self.high]))
        extent = high - low or 1.0
        shares: Floats = np.clip((self._bend(values) - low) / extent, 0.0, 1.0)
        return shares

    @property
    def marks(self) -> list[tuple[float, str]]:
        """Shares and what stands beside them: both ends, and round values between them.

        An end that stands for values beyond it too is marked with ≤ or ≥.
        """
        if self.high <= self.low:
            return [(0.0, tell(self.low))]
        ends = [(0.0, "≤ " * self.below + tell(self.low))]
        kept = [1.0 + _APART / 3]  # the upper end is wide
        for value in sorted(self._rounds(), reverse=True):
            share = float(self(np.array(value)))
            if share >= 1.3 * _APART and kept[-1] - share >= _APART:
                kept.append(share)
                ends.insert(1, (share, tell(value)))
        return [*ends, (1.0, "≥ " * self.above + tell(self.high))]

    def _bend(self, values: Floats) -> Floats:
        if not self.log:
            return np.asarray(values, np.float64)
        return np.log(values, out=np.full(np.shape(values), np.nan), where=np.asarray(values) > 0)

    def _rounds(self) -> list[float]:
        if self.log:
            return self._powers()
        from matplotlib.ticker import MaxNLocator

        locator = MaxNLocator(_MOST, steps=_STEPS, integer=self.whole)
        return [round(float(tick), 10) for tick in locator.tick_values(self.low, self.high)]

    def _powers(self) -> list[float]:
        """Powers of ten; with doubles and halves of them where there are few."""
        first, last = (math.floor(math.log10(end)) for end in (self.low, self.high))
        factors = (1,) if last - first > 2 else (1, 2, 5)
        return [float(f"{m}e{k}") for k in range(first, last + 1) for m in factors]


def fit_scale(values: Floats, *, log: bool = False, whole: bool = False) -> Scale:
    """The scale of some values; its ends are rounded outwards.

    Args:
        values: NaN where there is none; one is there at least, above 0 for a logarithm.
        log: see `Scale`.
        whole: see `Scale`.
    """
    known = values[np.isfinite(values) & ((values > 0) | (not log))]
    tail = _ENDS if log else _TAILS
    low, high = np.quantile(known, [tail, 1 - tail], method="closest_observation")
    if low == high:
        low, high = known.min(), known.max()
    least, most = (float(end) for end in (known.min(), known.max()))
    low, high = _round_outwards(float(low), float(high), log=log, whole=whole)
    return Scale(low, high, log, whole, below=least < low, above=most > high)


def _round_outwards(low: float, high: float, *, log: bool, whole: bool) -> tuple[float, float]:
    if whole:
        return math.floor(low), math.ceil(high)
    if low == high:
        return low, high
    steps = (_step(low), _step(high)) if log else (_step(high - low),) * 2
    return _round(low, steps[0], up=False), _round(high, steps[1], up=True)


def _step(value: float) -> int:
    """Decimals that leave two digits of a value."""
    return _DIGITS - 1 - math.floor(math.log10(value))


def _round(value: float, decimals: int, *, up: bool) -> float:
    """Up or down, unless it is round but for the last bits."""
    near = round(value, decimals)
    if math.isclose(near, value, rel_tol=1e-12):
        return near
    away = 10.0**-decimals if up else -(10.0**-decimals)
    return near if (near > value) == up else round(near + away, decimals)


def tell(value: float) -> str:
    """A tick as text: `1,000`, `0.25`, `2015`."""
    if value == int(value):
        return str(int(value)) if 1000 <= value < 3000 else f"{int(value):,}"
    return f"{value:.10g}"
