"""Systems side by side on the tasks of a published benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.metrics.figures import Figure, Figures, PerQuery
from citescape.metrics.intervals import adjust_each, bootstrap, compare
from citescape.metrics.summary import EACH, Resampling

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
    how, rows = resampling or Resampling(), list[tuple[object, ...]]()
    for system, told in systems.items():
        for one in told.figures:
            low, high = _interval(one, how)
            rows.append((system, one.task, EACH, one.metric, one.value / 100, low, high, one.used))
        for name, value in told.averages.items():
            mean = value / 100 if np.isfinite(value) else None
            rows.append((system, name, EACH, AVERAGE, mean, None, None, len(told.figures)))
    return _to_table(rows, _FIGURES)


def _interval(figure: Figure, how: Resampling) -> tuple[float | None, float | None]:
    each = _resample(figure)
    if each is None:
        return None, None
    found = bootstrap(each.values, seed=how.seed, draws=how.draws, level=how.level)
    return (found.low, found.high) if np.isfinite(found.low) else (None, None)


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
    how, rows = resampling or Resampling(), list[dict[str, object]]()
    base = systems[against].figures
    for system, told in systems.items():
        for one in told.figures if system != against else ():
            found = _differ(one, base.find(one.task, one.metric), how)
            own = {"system": system, "against": against, "condition": one.task}
            rows += [own | {"metric": one.metric} | found] if found else []
    if not rows:
        return None
    table = pa.Table.from_pylist(rows)
    adjusted = adjust_each(table["p"].to_numpy(), table["metric"].to_pylist())
    return table.append_column("p_adjusted", pa.array(adjusted))


def list_task_queries(systems: Tasked) -> pa.Table:
    """Each query's figures, a row a system, task, query and metric."""
    parts = [_QUERIES.empty_table(), *_iterate_queries(systems)]
    return pa.concat_tables(parts)


def _iterate_queries(systems: Tasked) -> Iterator[pa.Table]:
    for system, told in systems.items():
        for one in told.figures:
            if one.each is None:
                continue
            rows = len(one.each.queries)
            fixed = (system, one.task, EACH)
            columns = [pa.array([name] * rows, pa.string()) for name in fixed]
            metric = pa.array([one.metric] * rows, pa.string())
            values = pa.array(one.each.values, pa.float64())
            yield pa.table([*columns, one.each.queries, metric, values], schema=_QUERIES)


def _resample(figure: Figure) -> PerQuery | None:
    """What a plain mean over queries is of."""
    each = figure.each
    return each if each is not None and each.weights is None and len(each.queries) else None


def _differ(one: Figure, other: Figure | None, how: Resampling) -> dict[str, object] | None:
    both = (_resample(one), _resample(other) if other else None)
    if both[0] is None or both[1] is None:
        return None
    first, second = both[0], both[1]
    rows = find_rows(first.queries, second.queries)
    shared = np.flatnonzero(rows >= 0)
    if not len(shared):
        return None
    found = compare(
        first.values[shared],
        second.values[rows[shared]],
        seed=how.seed,
        draws=how.draws,
        level=how.level,
    )
    told = found.interval
    numbers = {"difference": told.mean, "low": told.low, "high": told.high, "p": found.p}
    return {**numbers, "queries": len(shared)}


def _to_table(rows: list[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)
