"""How sure a mean over queries is: bootstrap intervals, and paired tests between two systems.

A macro mean is the mean of the means of groups, such as fields; without groups it is the plain
mean. Queries are drawn anew within their group, so that a field keeps its weight. Queries that are
alike, such as sentences of one paper, are drawn together, as a cluster: taken for independent they
would make a mean look surer than it is. Figures that are given together share the draws, which
depend on the seed, the group and its size alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.errors import ConfigError
from citescape.search.listed import Codes, Floats

DRAWS, LEVEL = 10_000, 0.95
FEWEST = 10
"""Queries, or clusters of them, without which there is no interval: of so few, 95% intervals hold
the mean less often than they say. Of exponential figures, in 3,000 trials each: of five in 78%, of
ten in 86%, of a dozen in 88%, of twenty or thirty in 92%. Of papers with 9 to 377 sentences, drawn
from 286: of five in 83%, of ten or a dozen in 90%, of thirty in 93%."""
_BLOCK = 1 << 22
"""Numbers drawn at one time."""
WHOLE = -1
"""As a group: the macro mean over all."""
Groups = npt.NDArray[np.integer]
Signs = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Interval:
    """A mean, and between which values it lies; NaN where there are too few queries to say."""

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
    return bootstrap_each(values[None], groups, seed=seed, draws=draws, level=level)[WHOLE][0]


def bootstrap_each(
    values: Floats,
    groups: Groups | None = None,
    *,
    clusters: Groups | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> dict[int, list[Interval]]:
    """Intervals of several figures of the same queries; see `bootstrap`.

    Args:
        values: (m, q) finite.
        groups: (q,) 0 and up; None for one group.
        clusters: (q,) of queries that are drawn together; None: each by itself.
        seed: of the draws.
        draws: means of queries drawn with replacement.
        level: share of them inside the interval, 0 to 1.

    Returns:
        Group -> (m,) of its mean; `WHOLE` -> (m,) of the macro mean.
    """
    if not np.isfinite(values).all():
        raise ConfigError("expected a finite figure for each query; found others")
    if draws < 1 or not 0 < level < 1:
        raise ConfigError(
            f"{draws} draws at level {level}; expected 1 draw or more, and a level between 0 and 1"
        )
    size = values.shape[1]
    if not size:
        return {WHOLE: [Interval(*[float("nan")] * 3)] * len(values)}
    codes = np.zeros(size, np.int64) if groups is None else groups
    names, intervals, drawn = np.unique(codes).tolist(), dict[int, list[Interval]](), 0
    whole = np.zeros((draws, len(values)))
    counted = np.concatenate([values, np.ones((1, size))])  # the last row counts queries
    for group in names:
        rows = np.flatnonzero(codes == group)
        units = _sum_clusters(counted[:, rows], None if clusters is None else clusters[rows])
        chance = np.random.default_rng((seed, group, 0))
        sums = np.concatenate(
            [
                _sum_drawn(units, chance.integers(len(units), size=(n, len(units)), dtype=np.int32))
                for n in _count_blocks(draws, len(units))
            ]
        )
        means = sums[:, :-1] / sums[:, -1:]  # (draws, m)
        intervals[group] = _bound(values[:, rows].mean(axis=1), means, level, units=len(units))
        whole += means / len(names)
        drawn += len(units)
    macro = np.array([macro_mean(row, groups) for row in values])
    return {WHOLE: _bound(macro, whole, level, units=drawn), **intervals}


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
    apart = (first - second)[None]
    return compare_each(apart, groups, seed=seed, draws=draws, level=level)[0]


def compare_each(
    apart: Floats,
    groups: Groups | None = None,
    *,
    clusters: Groups | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> list[Difference]:
    """Several comparisons on the same queries, see `compare`.

    Args:
        apart: (m, q) one system's figures less the other's.
        groups: (q,) 0 and up; None for one group.
        clusters: (q,) of queries that are drawn, and exchanged, together; None: each by itself.
        seed: of the draws.
        draws: of queries for the intervals, and of exchanges for p.
        level: share of the means inside an interval, 0 to 1.
    """
    intervals = bootstrap_each(
        apart, groups, clusters=clusters, seed=seed, draws=draws, level=level
    )[WHOLE]
    if not apart.shape[1]:
        return [Difference(interval, float("nan")) for interval in intervals]
    weighed = _sum_clusters(apart * _weights(groups, apart.shape[1]), clusters)
    least = np.abs([interval.mean for interval in intervals])
    least -= 1e-12 * np.abs(weighed).sum(axis=0)
    extreme, chance = np.zeros(len(apart), np.int64), np.random.default_rng([seed, 0, 1])
    for count in _count_blocks(draws, len(weighed)):
        signs = chance.integers(2, size=(count, len(weighed)), dtype=np.int8)
        extreme += (np.abs(_sum_exchanged(weighed, signs)) >= least).sum(axis=0)
    p = ((1 + extreme) / (1 + draws)).tolist()
    return [Difference(*pair) for pair in zip(intervals, p, strict=True)]


def adjust(p: Floats) -> Floats:
    """(tests,) p values of several tests, adjusted so that together they err as one (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def adjust_each(p: Floats, families: Sequence[str]) -> Floats:
    """(tests,) the same for each family by itself, such as the tests of one metric."""
    names, adjusted = np.array(families), np.empty(len(p))
    for name in np.unique(names):
        adjusted[names == name] = adjust(p[names == name])
    return adjusted


def _weights(groups: Groups | None, size: int) -> Floats:
    """(q,) what each query counts in the macro mean; their sum is 1."""
    if groups is None:
        return np.full(size, 1.0 / max(size, 1))
    sizes = np.bincount(groups)
    weights: Floats = 1.0 / (sizes[groups] * max(int((sizes > 0).sum()), 1))
    return weights


def _sum_clusters(values: Floats, clusters: Groups | None) -> Floats:
    """(units, m) sums over the queries of each cluster; without clusters a unit is a query."""
    if clusters is None:
        return np.ascontiguousarray(values.T)
    names, place = np.unique(clusters, return_inverse=True)
    sums = np.zeros((len(names), len(values)))
    np.add.at(sums, place, values.T)
    return sums


def _count_blocks(draws: int, size: int) -> list[int]:
    step = max(_BLOCK // size, 1)
    return [min(step, draws - first) for first in range(0, draws, step)]


def _bound(means: Floats, drawn: Floats, level: float, *, units: int) -> list[Interval]:
    if units < FEWEST:
        return [Interval(mean, float("nan"), float("nan")) for mean in means.tolist()]
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [Interval(*row) for row in np.stack([means, low, high], axis=1).tolist()]


@compiled
def _sum_drawn(figures: Floats, drawn: Codes) -> Floats:
    """(b, m) sums of rows of figures (q, m), in the order in which (b, q) they are drawn."""
    sums = np.zeros((len(drawn), figures.shape[1]))
    for block in range(len(drawn)):
        for row in drawn[block]:
            for figure in range(figures.shape[1]):
                sums[block, figure] += figures[row, figure]
    return sums


@compiled
def _sum_exchanged(figures: Floats, signs: Signs) -> Floats:
    """(b, m) sums of rows of figures (q, m), with the signs (b, q) of 1, less those of 0."""
    sums = np.zeros((len(signs), figures.shape[1]))
    for block in range(len(signs)):
        for row in range(len(figures)):
            sign = 2.0 * signs[block, row] - 1.0
            for figure in range(figures.shape[1]):
                sums[block, figure] += sign * figures[row, figure]
    return sums
