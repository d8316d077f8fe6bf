"""Comparison of systems on the tasks of a published benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.metrics.figures import Figure, Figures, PerQuery
from citescape.metrics.intervals import bootstrap, compare
from citescape.metrics.summary import EACH, Resampling, adjust_rows

AVERAGE = "average"
"""Condition and metric of a mean over tasks."""
_FIGURES = pa.schema(
    [(name, pa.string()) for name in ("system", "condition", "group", "metric")]
    + [(name, pa.float64()) for name in ("mean", "low", "high")]
    + [("queries", pa.int64())]
)
_QUERIES = pa.schema(
    [(name, pa.string()) for name in ("system", "condition", "group", "query", "metric")]
    + [("value", pa.float64())]
)


@dataclass(frozen=True, eq=False)
class TaskFigures:
    """Figures of one system."""

    figures: Figures
    averages: Mapping[str, float]
    """Means over tasks by name, in per cent; NaN if a task is absent."""

    def count_papers(self) -> dict[str, dict[str, float]]:
        """Task -> counts of its figure: `used`, `missing`, `missing_others`, `covered`."""
        return {
            figure.task: {
                "used": figure.used,
                "missing": figure.missing,
                "missing_others": figure.missing_others,
                "covered": round(figure.covered, 4),
            }
            for figure in self.figures
        }


TaskSystems = Mapping[str, TaskFigures]
"""System -> figures of its tasks."""


def summarise_tasks(systems: TaskSystems, resampling: Resampling | None = None) -> pa.Table:
    """One row per system, task and metric, with the columns of `summary.summarise`.

    `condition` is the task. Intervals are null for figures that are not plain means over queries:
    F1, correlations, weighted clicks, averages.
    """
    settings, rows = asdict(resampling or Resampling()), list[dict[str, object]]()
    for system, results in systems.items():
        names: dict[str, object] = {"system": system, "group": EACH}
        for figure in results.figures:
            numbers: dict[str, object] = {"mean": figure.value / 100, "queries": figure.used}
            values = _list_queries(figure)
            interval = bootstrap(values.values, **settings) if values else None
            if interval and np.isfinite(interval.low):
                numbers |= {"low": interval.low, "high": interval.high}
            rows.append({**names, "condition": figure.task, "metric": figure.metric, **numbers})
        for name, value in results.averages.items():
            mean = value / 100 if np.isfinite(value) else None
            numbers = {"mean": mean, "queries": len(results.figures)}
            rows.append({**names, "condition": name, "metric": AVERAGE, **numbers})
    return pa.Table.from_pylist(rows, _FIGURES)


def compare_tasks(
    systems: TaskSystems, *, against: str, resampling: Resampling | None = None
) -> pa.Table | None:
    """Differences of each system from a baseline, by task, on the queries that both rank.

    Args:
        systems: two or more systems.
        against: the baseline, which is subtracted.
        resampling: settings of intervals and tests.

    Returns:
        The columns of `summary.compare_systems`, and `queries`; None if no figure of two systems
        is a plain mean over queries.

    Raises:
        ConfigError: no such baseline.
    """
    if against not in systems:
        raise ConfigError(f"no system {against!r}; expected one of: {', '.join(systems)}")
    settings, rows = asdict(resampling or Resampling()), list[dict[str, object]]()
    base = systems[against].figures
    others = [name for name in systems if name != against]
    for system, figure in ((name, figure) for name in others for figure in systems[name].figures):
        first = _list_queries(figure)
        second = _list_queries(base.find(figure.task, figure.metric))
        if first is None or second is None:
            continue
        places = find_rows(first.queries, second.queries)
        shared = np.flatnonzero(places >= 0)
        if not len(shared):
            continue
        difference = compare(first.values[shared], second.values[places[shared]], **settings)
        rows.append(
            {
                "system": system,
                "against": against,
                "condition": figure.task,
                "metric": figure.metric,
                "difference": difference.interval.mean,
                "low": difference.interval.low,
                "high": difference.interval.high,
                "p": difference.p,
                "queries": len(shared),
            }
        )
    return adjust_rows(rows) if rows else None


def _list_queries(figure: Figure | None) -> PerQuery | None:
    """Values per query of a figure that is a plain mean over queries; None for other figures."""
    values = figure.per_query if figure else None
    return values if values and values.weights is None and len(values.queries) else None


def list_task_queries(systems: TaskSystems) -> pa.Table:
    """Figures per query: one row per system, task, query and metric."""
    parts = [_QUERIES.empty_table()]
    for system, results in systems.items():
        for figure in results.figures:
            if figure.per_query is None:
                continue
            rows = len(figure.per_query.queries)
            names = (system, figure.task, EACH)
            columns = [pa.array([name] * rows, pa.string()) for name in names]
            metric = pa.array([figure.metric] * rows, pa.string())
            values = pa.array(figure.per_query.values, pa.float64())
            parts.append(
                pa.table([*columns, figure.per_query.queries, metric, values], schema=_QUERIES)
            )
    return pa.concat_tables(parts)
