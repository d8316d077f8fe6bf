"""From values to shares of a colour scale, and the round numbers that stand beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from citescape.networks.network import Floats

_TAILS, _TOP = 0.04, 0.005
"""Of the values at each end that all get the last colour: single ones would take up the scale.
Fewer at the upper end of those that are shown by their logarithm."""
_TICKS, _MOST = 3, 5
"""Ticks of numbers that need not be whole at least; steps between ticks at most."""
_APART = 0.09
"""Of the scale, between ticks at least."""
_STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high`; those beyond are shown as these."""

    low: float
    high: float
    log: bool = False
    """By log(1 + value), for values of 0 or more of which few are large."""
    whole: bool = False
    """Ticks are whole numbers, such as years."""

    def __call__(self, values: Floats) -> Floats:
        """Shares, 0 to 1; NaN where there is no value."""
        low, high = self._bend(np.array([self.low, self.high]))
        extent = high - low or 1.0
        shares: Floats = np.clip((self._bend(values) - low) / extent, 0.0, 1.0)
        return shares

    @property
    def ticks(self) -> list[float]:
        """Round values between the ends; three or more of numbers that need not be whole."""
        if self.high <= self.low:
            return [self.low]
        found = self._powers() if self.log else self._steps()
        kept: list[float] = []
        for share, value in sorted(zip(self(np.array(found)).tolist(), found, strict=True)):
            if not kept or share - float(self(np.array(kept[-1]))) >= _APART:
                kept.append(value)
        return kept

    def _bend(self, values: Floats) -> Floats:
        return np.asarray(np.log1p(values) if self.log else values, np.float64)

    def _steps(self) -> list[float]:
        from matplotlib.ticker import MaxNLocator

        least = 1 if self.whole else _TICKS
        locator = MaxNLocator(_MOST, steps=_STEPS, integer=self.whole, min_n_ticks=least)
        found = [round(float(tick), 10) for tick in locator.tick_values(self.low, self.high)]
        return [tick for tick in found if self.low <= tick <= self.high] or [self.low]

    def _powers(self) -> list[float]:
        """0 and powers of ten; with halves and doubles of them where there are few."""
        top = math.floor(math.log10(self.high)) if self.high > 0 else 0
        powers = [10.0**k for k in range(top - 3, top + 1)]
        found = [value for value in powers if value <= self.high]
        if self.high < 20:
            found = sorted({m * value for value in found[-2:] for m in (1, 2, 5)})
        least = self.high / (1000 if self.high >= 20 else 20)
        inside = [value for value in found if least <= value <= self.high]
        return [0.0, *inside] if self.low <= 0 else inside or [self.low]


def fit_scale(values: Floats, *, log: bool = False, whole: bool = False) -> Scale:
    """The scale of some values.

    Args:
        values: NaN where there is none; one is there at least.
        log: see `Scale`; then from 0.
        whole: see `Scale`.
    """
    known = values[np.isfinite(values)]
    if log:
        high = np.quantile(known, 1 - _TOP)
        return Scale(0.0, float(high) or float(known.max()), log=True)
    low, high = np.quantile(known, [_TAILS, 1 - _TAILS])
    if low == high:
        low, high = known.min(), known.max()
    if whole:
        return Scale(float(np.floor(low)), float(np.ceil(high)), whole=True)
    return Scale(float(low), float(high))


def tell(value: float) -> str:
    """A tick as text: `1,000`, `0.25`, `2015`."""
    if value == int(value):
        return str(int(value)) if 1000 <= value < 3000 else f"{int(value):,}"
    return f"{value:.10g}"
