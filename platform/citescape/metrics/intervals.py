"""Bootstrap intervals of means over queries, and paired tests between two systems.

A macro mean is the mean of the means of groups, such as fields; without groups it is the plain
mean. Queries are resampled within their group, so that a field keeps its weight. Dependent queries,
such as sentences of one paper, are drawn together, as a cluster: treated as independent, they would
give intervals that are too narrow. Figures passed in one call share the draws, which depend only on
the seed, the group and its size.
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
MIN_QUERIES = 10
"""Minimum number of queries, or of clusters, for an interval. With fewer, 95% intervals contain the
mean less often than 95%. Coverage in 3,000 simulations of exponential figures: 78% with 5 queries,
86% with 10, 88% with 12, 92% with 20 or 30; of papers with 9 to 377 sentences, drawn from 286: 83%
with 5, 90% with 10 or 12, 93% with 30."""
_BLOCK = 1 << 22
"""Maximum numbers of one block of draws."""
WHOLE = -1
"""Code of all groups together: the macro mean."""
Groups = npt.NDArray[np.integer]
Signs = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Interval:
    """A mean and its interval; the bounds are NaN with fewer than `MIN_QUERIES` queries."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """Mean difference of two systems on the same queries, with a test."""

    interval: Interval
    """First system minus second system."""
    p: float
    """p value of the paired randomisation test, see `compare`."""


def macro_mean(values: Floats, groups: Groups | None = None) -> float:
    """Mean of the means of groups.

    Args:
        values: (q,) figures of queries.
        groups: (q,) group codes, 0 and up; None for one group.

    Returns:
        The mean; NaN without queries.
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
        values: (q,) finite figures, in a fixed order such as that of ids.
        groups: (q,) group codes, 0 and up; None for one group.
        seed: random seed.
        draws: number of bootstrap samples.
        level: level of the interval, 0 to 1.

    Raises:
        ConfigError: a figure is not finite, or draws or level are out of range.
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
    """Intervals of several metrics of the same queries; see `bootstrap`.

    Args:
        values: (m, q) finite figures of m metrics.
        groups: (q,) group codes, 0 and up; None for one group.
        clusters: (q,) codes of clusters, which are drawn as a whole; None: independent queries.
        seed: random seed.
        draws: number of bootstrap samples.
        level: level of the interval, 0 to 1.

    Returns:
        Group -> (m,) intervals of its means; `WHOLE` -> (m,) intervals of the macro means.
    """
    if not np.isfinite(values).all():
        raise ConfigError("expected a finite figure for each query; found NaN or infinity")
    if draws < 1 or not 0 < level < 1:
        raise ConfigError(
            f"{draws} draws at level {level}; expected 1 draw or more, and a level between 0 and 1"
        )
    size = values.shape[1]
    if not size:
        return {WHOLE: [Interval(*[float("nan")] * 3)] * len(values)}
    codes = np.zeros(size, np.int64) if groups is None else groups
    names, intervals, total = np.unique(codes).tolist(), dict[int, list[Interval]](), 0
    whole = np.zeros((draws, len(values)))
    counted = np.concatenate([values, np.ones((1, size))])  # the last row counts queries
    for group in names:
        rows = np.flatnonzero(codes == group)
        units = _sum_clusters(counted[:, rows], None if clusters is None else clusters[rows])
        random = np.random.default_rng((seed, group, 0))
        sums = np.concatenate(
            [
                _sum_drawn(units, random.integers(len(units), size=(n, len(units)), dtype=np.int32))
                for n in _split_draws(draws, len(units))
            ]
        )
        means = sums[:, :-1] / sums[:, -1:]  # (draws, m)
        intervals[group] = _bound(values[:, rows].mean(axis=1), means, level, units=len(units))
        whole += means / len(names)
        total += len(units)
    macro = np.array([macro_mean(row, groups) for row in values])
    return {WHOLE: _bound(macro, whole, level, units=total), **intervals}


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

    The interval is a bootstrap of the differences. p is from the paired randomisation test (Fisher;
    Smucker, Allan and Carterette 2007), which exchanges the two figures of random queries:
    p = (1 + exchanges with at least as large a difference) / (1 + draws).

    Args:
        first: (q,) figures of one system.
        second: (q,) figures of the other, in the same order.
        groups: (q,) group codes, 0 and up; None for one group.
        seed: random seed.
        draws: number of bootstrap samples, and of exchanges.
        level: level of the interval, 0 to 1.

    Raises:
        ConfigError: different numbers of queries, or see `bootstrap`.
    """
    if len(first) != len(second):
        raise ConfigError(
            f"found figures of {len(first)} and {len(second)} queries; expected the same queries"
        )
    differences = (first - second)[None]
    return compare_each(differences, groups, seed=seed, draws=draws, level=level)[0]


def compare_each(
    differences: Floats,
    groups: Groups | None = None,
    *,
    clusters: Groups | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    level: float = LEVEL,
) -> list[Difference]:
    """Several comparisons on the same queries; see `compare`.

    Args:
        differences: (m, q) figures of one system minus those of another, for m comparisons.
        groups: (q,) group codes, 0 and up; None for one group.
        clusters: (q,) codes of clusters, drawn and exchanged as a whole; None: independent queries.
        seed: random seed.
        draws: number of bootstrap samples, and of exchanges.
        level: level of the intervals, 0 to 1.
    """
    intervals = bootstrap_each(
        differences, groups, clusters=clusters, seed=seed, draws=draws, level=level
    )[WHOLE]
    if not differences.shape[1]:
        return [Difference(interval, float("nan")) for interval in intervals]
    weighted = _sum_clusters(differences * _weights(groups, differences.shape[1]), clusters)
    least = np.abs([interval.mean for interval in intervals])
    least -= 1e-12 * np.abs(weighted).sum(axis=0)
    extreme, random = np.zeros(len(differences), np.int64), np.random.default_rng([seed, 0, 1])
    for count in _split_draws(draws, len(weighted)):
        signs = random.integers(2, size=(count, len(weighted)), dtype=np.int8)
        extreme += (np.abs(_sum_exchanged(weighted, signs)) >= least).sum(axis=0)
    p = ((1 + extreme) / (1 + draws)).tolist()
    return [Difference(*pair) for pair in zip(intervals, p, strict=True)]


def adjust(p: Floats) -> Floats:
    """(tests,) p values adjusted for multiple tests (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def adjust_each(p: Floats, families: Sequence[str]) -> Floats:
    """(tests,) p values adjusted within each family, such as the tests of one metric."""
    names, adjusted = np.array(families), np.empty(len(p))
    for name in np.unique(names):
        adjusted[names == name] = adjust(p[names == name])
    return adjusted


def _weights(groups: Groups | None, size: int) -> Floats:
    """(q,) weights of queries in the macro mean; their sum is 1."""
    if groups is None:
        return np.full(size, 1.0 / max(size, 1))
    sizes = np.bincount(groups)
    weights: Floats = 1.0 / (sizes[groups] * max(int((sizes > 0).sum()), 1))
    return weights


def _sum_clusters(values: Floats, clusters: Groups | None) -> Floats:
    """(units, m) sums over the queries of each cluster; without clusters, each query is a unit."""
    if clusters is None:
        return np.ascontiguousarray(values.T)
    names, place = np.unique(clusters, return_inverse=True)
    sums = np.zeros((len(names), len(values)))
    np.add.at(sums, place, values.T)
    return sums


def _split_draws(draws: int, size: int) -> list[int]:
    step = max(_BLOCK // size, 1)
    return [min(step, draws - first) for first in range(0, draws, step)]


def _bound(means: Floats, drawn: Floats, level: float, *, units: int) -> list[Interval]:
    if units < MIN_QUERIES:
        return [Interval(mean, float("nan"), float("nan")) for mean in means.tolist()]
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [Interval(*row) for row in np.stack([means, low, high], axis=1).tolist()]


@compiled
def _sum_drawn(figures: Floats, drawn: Codes) -> Floats:
    """(b, m) sums of the drawn rows (b, q) of figures (q, m)."""
    sums = np.zeros((len(drawn), figures.shape[1]))
    for block in range(len(drawn)):
        for row in drawn[block]:
            for figure in range(figures.shape[1]):
                sums[block, figure] += figures[row, figure]
    return sums


@compiled
def _sum_exchanged(figures: Floats, signs: Signs) -> Floats:
    """(b, m) sums of figures (q, m): rows with sign (b, q) 1 are added, with sign 0 subtracted."""
    sums = np.zeros((len(signs), figures.shape[1]))
    for block in range(len(signs)):
        for row in range(len(figures)):
            sign = 2.0 * signs[block, row] - 1.0
            for figure in range(figures.shape[1]):
                sums[block, figure] += sign * figures[row, figure]
    return sums
