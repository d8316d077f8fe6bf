"""How sure a mean over queries is: bootstrap intervals, and paired tests between two systems.

A macro mean is the mean of the means of groups, such as fields; without groups it is the plain
mean. Queries are drawn anew within their group, so that a field keeps its weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.errors import ConfigError
from citescape.ranking.listed import Floats

DRAWS, LEVEL = 10_000, 0.95
_BLOCK = 1 << 22
"""Numbers drawn at one time."""
Groups = npt.NDArray[np.integer]


@dataclass(frozen=True)
class Interval:
    """A mean, and between which values it lies."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """How much better one system is than another on the same queries."""

    interval: Interval
    """Of the first less the second."""
    p: float
    """0 to 1: how often as large a difference comes of chance alone, see `compare`."""


def macro_mean(values: Floats, groups: Groups | None = None) -> float:
    """Mean of the means of groups.

    Args:
        values: (q,) a figure for each query.
        groups: (q,) its group, 0 and up; None for one group.

    Returns:
        NaN without queries.
    """
    return float(values @ _weights(groups, len(values))) if len(values) else float("nan")


def bootstrap(
    values: Floats,
    groups: Groups | None = None,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Interval:
    """Percentile interval of the macro mean (Efron 1979).

    Args:
        values: (q,) finite, in an order that does not depend on chance, such as that of ids.
        groups: (q,) 0 and up; None for one group.
        seed: of the draws.
        draws: means of queries drawn with replacement.
        level: share of them inside the interval, 0 to 1.

    Raises:
        ConfigError: a figure is no number, or draws and level have no meaning.
    """
    _check(values, draws, level)
    if not len(values):
        return Interval(*[float("nan")] * 3)
    means = np.zeros(draws)
    chance, weights = np.random.default_rng(seed), _weights(groups, len(values))
    for rows in _split(groups, len(values)):
        size, part = len(rows), values[rows] * weights[rows]
        step = max(_BLOCK // size, 1)
        for first in range(0, draws, step):
            drawn = chance.integers(size, size=(min(step, draws - first), size), dtype=np.int32)
            means[first : first + step] += part[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(macro_mean(values, groups), float(low), float(high))


def compare(
    first: Floats,
    second: Floats,
    groups: Groups | None = None,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> Difference:
    """Two systems on the same queries.

    The interval is a bootstrap of the differences; p is of the paired randomisation test (Fisher;
    Smucker, Allan and Carterette 2007): were the systems alike, a query's two figures could as well
    be exchanged; p = (1 + exchanges with at least as large a difference) / (1 + draws).

    Args:
        first: (q,) figures of one system.
        second: (q,) of the other, in the same order.
        groups: (q,) 0 and up; None for one group.
        seed: of the draws.
        draws: of queries for the interval, and of exchanges for p.
        level: share of the means inside the interval, 0 to 1.

    Raises:
        ConfigError: other numbers of queries, or see `bootstrap`.
    """
    if len(first) != len(second):
        raise ConfigError(
            f"a pair has {len(first)} and {len(second)} queries; expected the same ones for both"
        )
    interval = bootstrap(first - second, groups, seed=seed, draws=draws, level=level)
    weighed = (first - second) * _weights(groups, len(first))
    extreme, chance = 0, np.random.default_rng([seed, 1])
    tolerance = 1e-12 * np.abs(weighed).sum()
    step = max(_BLOCK // max(len(weighed), 1), 1)
    for start in range(0, draws, step):
        signs = chance.integers(2, size=(min(step, draws - start), len(weighed)), dtype=np.int8)
        means = (2.0 * signs - 1.0) @ weighed
        extreme += int((np.abs(means) >= abs(interval.mean) - tolerance).sum())
    return Difference(interval, (1 + extreme) / (1 + draws) if len(weighed) else float("nan"))


def adjust(p: Floats) -> Floats:
    """(tests,) p values of several tests, adjusted so that together they err as one (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def _check(values: Floats, draws: int, level: float) -> None:
    if not np.isfinite(values).all():
        raise ConfigError("expected a finite figure for each query; found others")
    if draws < 1 or not 0 < level < 1:
        raise ConfigError(
            f"{draws} draws at level {level}; expected 1 draw or more, and a level between 0 and 1"
        )


def _weights(groups: Groups | None, size: int) -> Floats:
    """(q,) what each query counts in the macro mean; their sum is 1."""
    if groups is None:
        return np.full(size, 1.0 / max(size, 1))
    sizes = np.bincount(groups)
    found: Floats = 1.0 / (sizes[groups] * max(int((sizes > 0).sum()), 1))
    return found


def _split(groups: Groups | None, size: int) -> list[npt.NDArray[np.int64]]:
    if groups is None:
        return [np.arange(size)]
    return [np.flatnonzero(groups == group) for group in np.unique(groups)]
