"""Entropy weights (CIA, section 3.1 and Table 3) from one exact histogram per component.

A histogram needs no second pass over the pairs, does not depend on their order, and histograms of
shards add up. Counts are integers; each sum of floats is rounded once (`math.fsum`) over bins in
ascending order: the same pairs give the same bits in any order and any split.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError, invalid_choice
from citescape.importance.components import METHODS


@dataclass(frozen=True)
class ComponentCounts:
    """Histogram of one component over the pairs.

    `bins` holds (value, pairs), values ascending, in whole steps of `unit` (a power of two),
    including value 0. Mergeable: `a.merge(b)` is the histogram of both shards.
    """

    component: str
    bins: tuple[tuple[int, int], ...]
    unit: float = 1.0

    @classmethod
    def from_histogram(
        cls, component: str, histogram: npt.NDArray[np.int64], *, unit: float = 1.0
    ) -> ComponentCounts:
        """The counts of a histogram.

        Args:
            component: name of the component.
            histogram: its k-th element is the number of pairs with value k x unit.
            unit: step of the values.
        """
        values = np.flatnonzero(histogram)
        bins = tuple(zip(values.tolist(), histogram[values].tolist(), strict=True))
        return cls(component, bins, unit)

    def merge(self, other: ComponentCounts) -> ComponentCounts:
        """The histogram over the pairs of both."""
        if (self.component, self.unit) != (other.component, other.unit):
            raise ConfigError(
                f"cannot merge counts of {self.component} in steps of {self.unit} "
                f"with {other.component} in steps of {other.unit}"
            )
        total = Counter(dict(self.bins))
        total.update(dict(other.bins))
        return ComponentCounts(self.component, tuple(sorted(total.items())), self.unit)

    @property
    def pairs(self) -> int:
        """Number of pairs n."""
        return sum(n for _, n in self.bins)

    @property
    def total(self) -> int:
        """Sum of the values, in steps."""
        return sum(value * n for value, n in self.bins)

    @property
    def varies(self) -> bool:
        """Whether at least two pairs differ; a constant column carries no information."""
        return len(self.bins) > 1


@dataclass(frozen=True)
class ComponentStatistics:
    """One row of Table 3. `std` is that of the population (divided by n, not n - 1)."""

    component: str
    mean: float
    std: float
    entropy: float | None
    """None where p is undefined: all values 0, or fewer than two pairs."""
    weight: float
    nonzero: int
    """Pairs whose value is not 0."""


def compute_entropy(counts: ComponentCounts) -> float | None:
    """Entropy of a component over n pairs, 0..1 (CIA, section 3.1; Zhu et al. 2020).

    e = -(1/ln n) sum p ln p, with p = x / sum x and 0 ln 0 = 0. None if all x are 0, or n < 2.
    Computed as (ln S - (sum over bins of pairs * x ln x) / S) / ln n, S = sum of all x: the same
    number without a pass over the pairs. The unit of x cancels.
    """
    n, total = counts.pairs, counts.total
    if n < 2 or total == 0:
        return None
    if not counts.varies:
        return 1.0
    x_ln_x = math.fsum(pairs * value * math.log(value) for value, pairs in counts.bins if value)
    return min(1.0, max(0.0, (math.log(total) - x_ln_x / total) / math.log(n)))


def compute_weights(
    components: Sequence[ComponentCounts], method: str | Mapping[str, float]
) -> dict[str, float]:
    """The weight of each component.

    - ``entropy``: w = d / sum d with divergence d = 1 - e; sums to one. A column that is all 0 or
      constant has d = 0, the others share its part.
    - ``uniform``: 1 / number of components.
    - a mapping: these weights, unchanged.

    Raises:
        ConfigError: an unknown method, weights that do not fit the components, or entropy
            weights where no component varies.
    """
    names = [counts.component for counts in components]
    if not isinstance(method, str):
        return given_weights(names, method)
    if method not in METHODS:
        raise invalid_choice("weights", method, METHODS)
    if method == "uniform":
        return {name: 1 / len(names) for name in names}
    divergences = []
    for counts in components:
        entropy = compute_entropy(counts) if counts.varies else None
        divergences.append(0.0 if entropy is None else 1.0 - entropy)
    total = math.fsum(divergences)
    if total == 0.0:
        raise ConfigError(
            f"entropy weights are undefined: none of {', '.join(names)} varies over "
            f"{components[0].pairs} pairs; use uniform weights, or load more papers"
        )
    return {name: d / total for name, d in zip(names, divergences, strict=True)}


def compute_statistics(
    components: Sequence[ComponentCounts], weights: Mapping[str, float]
) -> tuple[ComponentStatistics, ...]:
    """Mean, standard deviation, entropy and weight of each component (CIA, Table 3).

    Exact up to one rounding each: integers until the last division and square root.
    """
    statistics = []
    for counts in components:
        n = counts.pairs
        squares = sum(value * value * pairs for value, pairs in counts.bins)
        mean = Fraction(counts.total, n)
        variance = Fraction(squares, n) - mean * mean
        statistics.append(
            ComponentStatistics(
                component=counts.component,
                mean=float(mean) * counts.unit,
                std=math.sqrt(variance) * counts.unit,
                entropy=compute_entropy(counts),
                weight=weights[counts.component],
                nonzero=n - dict(counts.bins).get(0, 0),
            )
        )
    return tuple(statistics)


def given_weights(names: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    """User-defined weights in the order of `names`, unchanged.

    Raises:
        ConfigError: they do not name exactly these components, or are not numbers >= 0.
    """
    valid = all(math.isfinite(w) and w >= 0 for w in weights.values()) and any(weights.values())
    if set(weights) != set(names) or not valid:
        given = ", ".join(f"{name}={weight}" for name, weight in weights.items())
        raise ConfigError(
            f"weights are {given or 'none'}; expected a number >= 0, not all 0, for each of: "
            f"{', '.join(names)}"
        )
    return {name: float(weights[name]) for name in names}


def statistics_table(statistics: Sequence[ComponentStatistics]) -> pa.Table:
    """A row per component: component, mean, std, entropy, weight."""
    names = ("component", "mean", "std", "entropy", "weight")
    return pa.table({name: [getattr(row, name) for row in statistics] for name in names})


def statistics_figures(statistics: Sequence[ComponentStatistics]) -> dict[str, object]:
    """Weights, and mean, deviation, entropy and weight of each component, for JSON."""
    return {
        "weights": {row.component: row.weight for row in statistics},
        "components": {
            row.component: {
                "mean": row.mean,
                "std": row.std,
                "entropy": row.entropy,
                "weight": row.weight,
            }
            for row in statistics
        },
    }
