"""Systems side by side: means with intervals, and differences that may be chance."""

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
from citescape.metrics.measured import Measured
from citescape.search.listed import Floats

Systems = Mapping[str, Mapping[str, Measured]]
"""System -> condition -> its figures; all of the same queries."""
EACH = ""
"""As a group: the macro mean over all groups."""
_NOTHING = Interval(*[float("nan")] * 3)
"""Of a group without queries."""


@dataclass(frozen=True)
class Resampling:
    """How intervals and tests are made."""

    seed: int = 0
    draws: int = DRAWS
    level: float = LEVEL


def summarise(systems: Systems, resampling: Resampling | None = None) -> pa.Table:
    """Mean and interval of each system, condition, metric and group.

    Returns:
        `system`, `condition`, `group` (empty for the mean over groups), `metric`, `mean`, `low`,
        `high` (0 to 1), `queries`.
    """
    told = [
        ({"system": system, "condition": condition, "metric": metric}, measured)
        for system, conditions in systems.items()
        for condition, measured in conditions.items()
        for metric in measured.values
    ]
    given = [(measured, measured.values[names["metric"]]) for names, measured in told]
    intervals: list[dict[int, Interval]] = [{} for _ in told]
    for places, alike, values in _stack(given):
        how = asdict(resampling or Resampling())
        found = bootstrap_each(values, alike.codes, clusters=alike.clusters, **how)
        for at, place in enumerate(places):
            intervals[place] = {group: each[at] for group, each in found.items()}
    return pa.Table.from_pylist(
        [
            names | row
            for (names, measured), own in zip(told, intervals, strict=True)
            for row in _tell(measured, own)
        ]
    )


def _stack(
    given: Sequence[tuple[Measured, Floats]],
) -> Iterator[tuple[list[int], Measured, Floats]]:
    """Figures (m, q) of queries in the same groups and clusters, which share their draws.

    Returns:
        Their places, one of them, the figures.
    """
    places: dict[tuple[bytes, bytes], list[int]] = {}
    for place, (one, _) in enumerate(given):
        clusters = b"" if one.clusters is None else one.clusters.tobytes()
        places.setdefault((one.codes.tobytes(), clusters), []).append(place)
    for own in places.values():
        yield own, given[own[0]][0], np.stack([given[place][1] for place in own])


def _tell(measured: Measured, intervals: Mapping[int, Interval]) -> list[dict[str, object]]:
    several, counts = len(measured.groups) > 1, measured.count().tolist()
    groups = [(WHOLE, EACH, len(measured))]
    if several:
        groups += zip(range(len(counts)), measured.groups, counts, strict=True)
    return [
        {"group": group, **_known(vars(intervals.get(code, _NOTHING))), "queries": queries}
        for code, group, queries in groups
    ]


def _known(told: Mapping[str, float]) -> dict[str, float | None]:
    """Null in place of NaN."""
    return {name: value if np.isfinite(value) else None for name, value in told.items()}


def compare_systems(
    systems: Systems, *, against: str, metrics: Sequence[str], resampling: Resampling | None = None
) -> pa.Table:
    """Each system less one of them, on the same queries, condition by condition.

    Args:
        systems: two or more; of one there is nothing to compare.
        against: the system that is subtracted.
        metrics: of those there are.
        resampling: how.

    Returns:
        `system`, `against`, `condition`, `metric`, `difference`, `low`, `high` (-1 to 1), `p`,
        `p_adjusted` (Holm, over all systems and conditions of a metric).

    Raises:
        ConfigError: no such system, or systems were not measured on the same queries.
    """
    if against not in systems:
        raise ConfigError(f"no system {against!r}; expected one of: {', '.join(systems)}")
    told = [
        {"system": name, "against": against, "condition": condition, "metric": metric}
        for metric in metrics
        for name, conditions in systems.items()
        for condition in conditions
        if name != against
    ]
    given = [_subtract(systems, **names) for names in told]
    rows: list[dict[str, object]] = [{}] * len(told)
    for places, alike, values in _stack(given):
        how = asdict(resampling or Resampling())
        found = compare_each(values, alike.codes, clusters=alike.clusters, **how)
        for place, one in zip(places, found, strict=True):
            interval = {"low": one.interval.low, "high": one.interval.high, "p": one.p}
            rows[place] = {**told[place], "difference": one.interval.mean, **interval}
    return _adjust(rows)


def _subtract(
    systems: Systems, *, system: str, against: str, condition: str, metric: str
) -> tuple[Measured, Floats]:
    """The queries, and their figures of one system less the other's."""
    one, other = systems[system][condition], systems[against][condition]
    if not one.queries.equals(other.queries):
        raise ConfigError(
            f"systems were measured on {len(one)} and {len(other)} queries that are not the same; "
            "expected the same ones for all"
        )
    return one, one.values[metric] - other.values[metric]


def _adjust(rows: list[dict[str, object]]) -> pa.Table:
    """With `p_adjusted`, metric by metric."""
    table = pa.Table.from_pylist(rows)
    if not rows:
        return table
    adjusted = adjust_each(table["p"].to_numpy(), table["metric"].to_pylist())
    return table.append_column("p_adjusted", pa.array(adjusted))
