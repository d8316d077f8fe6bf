"""Systems side by side on the tasks of a published benchmark."""

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
"""Stands for a task where the figure is a mean of tasks, and for its metric."""
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
    """What one system reached."""

    figures: Figures
    averages: Mapping[str, float]
    """Means of tasks by name, in per cent; NaN where a task is absent."""

    def count(self) -> dict[str, dict[str, float]]:
        """Task -> what was `used`, what was `missing` an embedding, the share that is `covered`."""
        return {
            one.task: {
                "used": one.used,
                "missing": one.missing,
                "missing_others": one.missing_others,
                "covered": round(one.covered, 4),
            }
            for one in self.figures
        }


Tasked = Mapping[str, TaskFigures]
"""System -> its figures."""


def summarise_tasks(systems: Tasked, resampling: Resampling | None = None) -> pa.Table:
    """A row a system, task and metric, in the columns of `summary.summarise`.

    `condition` is the task. Intervals are null where a figure is no plain mean over queries: F1,
    correlations, clicks that are weighted, averages.
    """
    how, rows = asdict(resampling or Resampling()), list[dict[str, object]]()
    for system, reached in systems.items():
        names: dict[str, object] = {"system": system, "group": EACH}
        for figure in reached.figures:
            numbers: dict[str, object] = {"mean": figure.value / 100, "queries": figure.used}
            each = _list_queries(figure)
            interval = bootstrap(each.values, **how) if each else None
            if interval and np.isfinite(interval.low):
                numbers |= {"low": interval.low, "high": interval.high}
            rows.append({**names, "condition": figure.task, "metric": figure.metric, **numbers})
        for name, value in reached.averages.items():
            mean = value / 100 if np.isfinite(value) else None
            numbers = {"mean": mean, "queries": len(reached.figures)}
            rows.append({**names, "condition": name, "metric": AVERAGE, **numbers})
    return pa.Table.from_pylist(rows, _FIGURES)


def compare_tasks(
    systems: Tasked, *, against: str, resampling: Resampling | None = None
) -> pa.Table | None:
    """Each system less one of them, on the queries that both rank, task by task.

    Returns:
        The columns of `summary.compare_systems`, and `queries`; None where no figure of two systems
        is a plain mean over queries.

    Raises:
        ConfigError: no such system.
    """
    if against not in systems:
        raise ConfigError(f"no system {against!r}; expected one of: {', '.join(systems)}")
    how, rows = asdict(resampling or Resampling()), list[dict[str, object]]()
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
        lead = compare(first.values[shared], second.values[places[shared]], **how)
        rows.append(
            {
                "system": system,
                "against": against,
                "condition": figure.task,
                "metric": figure.metric,
                "difference": lead.interval.mean,
                "low": lead.interval.low,
                "high": lead.interval.high,
                "p": lead.p,
                "queries": len(shared),
            }
        )
    return adjust_rows(rows) if rows else None


def _list_queries(figure: Figure | None) -> PerQuery | None:
    """The queries of a figure that is a plain mean over queries; None for other figures."""
    each = figure.each if figure else None
    return each if each is not None and each.weights is None and len(each.queries) else None


def list_task_queries(systems: Tasked) -> pa.Table:
    """Each query's figures, a row a system, task, query and metric."""
    parts = [_QUERIES.empty_table()]
    for system, reached in systems.items():
        for figure in reached.figures:
            if figure.each is None:
                continue
            rows = len(figure.each.queries)
            names = (system, figure.task, EACH)
            columns = [pa.array([name] * rows, pa.string()) for name in names]
            metric = pa.array([figure.metric] * rows, pa.string())
            values = pa.array(figure.each.values, pa.float64())
            parts.append(pa.table([*columns, figure.each.queries, metric, values], schema=_QUERIES))
    return pa.concat_tables(parts)
