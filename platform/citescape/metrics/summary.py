"""Comparison of systems: means with intervals, and tested differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.metrics.intervals import (
    DRAWS,
    LEVEL,
    WHOLE,
    Interval,
    adjust_each,
    bootstrap_each,
    compare_each,
)
from citescape.metrics.query_figures import QueryFigures
from citescape.search.listed import Floats

Systems = Mapping[str, Mapping[str, QueryFigures]]
"""System -> condition -> figures, all on the same queries."""
EACH = ""
"""Group of the macro mean over all groups."""
_NOTHING = Interval(*[float("nan")] * 3)
"""Interval of a group without queries."""


@dataclass(frozen=True)
class Resampling:
    """Settings of bootstrap intervals and randomisation tests."""

    seed: int = 0
    draws: int = DRAWS
    level: float = LEVEL


def summarise(systems: Systems, resampling: Resampling | None = None) -> pa.Table:
    """Mean and interval of each system, condition, metric and group.

    Returns:
        `system`, `condition`, `group` (empty for the mean over groups), `metric`, `mean`, `low`,
        `high` (0 to 1), `queries`.
    """
    names = [
        {"system": system, "condition": condition, "metric": metric}
        for system, conditions in systems.items()
        for condition, measured in conditions.items()
        for metric in measured.values
    ]
    figures = []
    for name in names:
        measured = systems[name["system"]][name["condition"]]
        figures.append((measured, measured.values[name["metric"]]))
    intervals: list[dict[int, Interval]] = [{} for _ in names]
    for places, first, values in _stack(figures):
        settings = asdict(resampling or Resampling())
        by_group = bootstrap_each(values, first.codes, clusters=first.clusters, **settings)
        for at, place in enumerate(places):
            intervals[place] = {group: each[at] for group, each in by_group.items()}

    rows = []
    for name, (measured, _), by_code in zip(names, figures, intervals, strict=True):
        groups = [(WHOLE, EACH, len(measured))]
        if len(measured.groups) > 1:
            counts = measured.count_queries().tolist()
            groups += zip(range(len(counts)), measured.groups, counts, strict=True)
        for code, group, queries in groups:
            numbers = vars(by_code.get(code, _NOTHING))
            known = {key: value if np.isfinite(value) else None for key, value in numbers.items()}
            rows.append({**name, "group": group, **known, "queries": queries})
    return pa.Table.from_pylist(rows)


def _stack(
    figures: Sequence[tuple[QueryFigures, Floats]],
) -> Iterator[tuple[list[int], QueryFigures, Floats]]:
    """Stacks figures whose queries have equal groups and clusters, so that they share their draws.

    Returns:
        Positions in the list, figures of the first position, paired values (m, q).
    """
    places: dict[tuple[bytes, bytes], list[int]] = {}
    for place, (measured, _) in enumerate(figures):
        clusters = b"" if measured.clusters is None else measured.clusters.tobytes()
        places.setdefault((measured.codes.tobytes(), clusters), []).append(place)
    for by_group in places.values():
        yield by_group, figures[by_group[0]][0], np.stack([figures[place][1] for place in by_group])


def compare_systems(
    systems: Systems, *, against: str, metrics: Sequence[str], resampling: Resampling | None = None
) -> pa.Table:
    """Differences of each system from a baseline, by condition, on the same queries.

    Args:
        systems: two or more systems.
        against: the baseline, which is subtracted.
        metrics: names of metrics in the figures.
        resampling: settings of intervals and tests.

    Returns:
        `system`, `against`, `condition`, `metric`, `difference`, `low`, `high` (-1 to 1), `p`,
        `p_adjusted` (Holm, over all systems and conditions of a metric).

    Raises:
        ConfigError: no such system, or systems were not measured on the same queries.
    """
    if against not in systems:
        raise ConfigError(f"no system {against!r}; expected one of: {', '.join(systems)}")
    names = [
        {"system": name, "against": against, "condition": condition, "metric": metric}
        for metric in metrics
        for name, conditions in systems.items()
        for condition in conditions
        if name != against
    ]
    paired = []
    for name in names:
        first = systems[name["system"]][name["condition"]]
        second = systems[against][name["condition"]]
        if not first.queries.equals(second.queries):
            raise ConfigError(
                f"systems were measured on {len(first)} and {len(second)} queries that are not the "
                "same; expected the same queries for all"
            )
        paired.append((first, first.values[name["metric"]] - second.values[name["metric"]]))

    rows: list[dict[str, object]] = [{}] * len(names)
    for places, first, values in _stack(paired):
        settings = asdict(resampling or Resampling())
        differences = compare_each(values, first.codes, clusters=first.clusters, **settings)
        for place, difference in zip(places, differences, strict=True):
            interval = difference.interval
            numbers = {"low": interval.low, "high": interval.high, "p": difference.p}
            rows[place] = {**names[place], "difference": interval.mean, **numbers}
    return adjust_rows(rows)


def adjust_rows(rows: list[dict[str, object]]) -> pa.Table:
    """A table of rows with `p` and `metric`; adds `p_adjusted`, by metric."""
    table = pa.Table.from_pylist(rows)
    if not rows:
        return table
    adjusted = adjust_each(table["p"].to_numpy(), table["metric"].to_pylist())
    return table.append_column("p_adjusted", pa.array(adjusted))
