"""Systems side by side: means with intervals, and differences that may be chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.errors import ConfigError
from citescape.evaluation.intervals import DRAWS, LEVEL, Difference, adjust, bootstrap, compare
from citescape.evaluation.measured import Measured

Systems = Mapping[str, Mapping[str, Measured]]
"""System -> condition -> its figures; all of the same queries."""
EACH = ""
"""As a group: the macro mean over all groups."""


@dataclass(frozen=True)
class Sureness:
    """How intervals and tests are made."""

    seed: int = 0
    draws: int = DRAWS
    level: float = LEVEL


def summarise(systems: Systems, sureness: Sureness | None = None) -> pa.Table:
    """Mean and interval of each system, condition, metric and group.

    Returns:
        `system`, `condition`, `group` (empty for the mean over groups), `metric`, `mean`, `low`,
        `high` (0 to 1), `queries`.
    """
    how = sureness or Sureness()
    rows = []
    for system, conditions in systems.items():
        for condition, measured in conditions.items():
            for metric in measured.values:
                rows += [
                    {"system": system, "condition": condition, "metric": metric, **told}
                    for told in _tell(measured, metric, how)
                ]
    return pa.Table.from_pylist(rows)


def _tell(measured: Measured, metric: str, how: Sureness) -> list[dict[str, object]]:
    values, several = measured.values[metric], len(measured.groups) > 1
    told = []
    for code, group in [(-1, EACH), *enumerate(measured.groups if several else ())]:
        chosen = np.flatnonzero(measured.codes == code) if group else np.arange(len(values))
        codes = measured.codes[chosen]
        found = bootstrap(values[chosen], codes, seed=how.seed, draws=how.draws, level=how.level)
        told.append({"group": group, **vars(found), "queries": len(chosen)})
    return told


def compare_systems(
    systems: Systems, *, against: str, metrics: Sequence[str], sureness: Sureness | None = None
) -> pa.Table:
    """Each system less one of them, on the same queries, condition by condition.

    Args:
        systems: two or more; of one there is nothing to compare.
        against: the system that is subtracted.
        metrics: of those there are.
        sureness: how.

    Returns:
        `system`, `against`, `condition`, `metric`, `difference`, `low`, `high` (-1 to 1), `p`,
        `p_adjusted` (Holm, over all systems and conditions of a metric).

    Raises:
        ConfigError: no such system, or systems were not measured on the same queries.
    """
    how = sureness or Sureness()
    if against not in systems:
        raise ConfigError(f"no system {against!r}; expected one of: {', '.join(systems)}")
    rows = []
    for metric in metrics:
        found = [
            {"system": name, "against": against, "condition": condition, "metric": metric}
            | _differ(measured, systems[against][condition], metric, how=how)
            for name, conditions in systems.items()
            for condition, measured in conditions.items()
            if name != against
        ]
        adjusted = adjust(np.array([row["p"] for row in found]))
        rows += [row | {"p_adjusted": p} for row, p in zip(found, adjusted.tolist(), strict=True)]
    return pa.Table.from_pylist(rows)


def _differ(one: Measured, other: Measured, metric: str, *, how: Sureness) -> dict[str, float]:
    if not one.queries.equals(other.queries):
        raise ConfigError(
            f"systems were measured on {len(one)} and {len(other)} queries that are not the same; "
            "expected the same ones for all"
        )
    found: Difference = compare(
        one.values[metric],
        other.values[metric],
        one.codes,
        seed=how.seed,
        draws=how.draws,
        level=how.level,
    )
    interval = found.interval
    return {"difference": interval.mean, "low": interval.low, "high": interval.high, "p": found.p}
