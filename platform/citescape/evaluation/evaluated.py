"""What an evaluation found, in a run directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from citescape.evaluation.summary import Sureness, Systems, compare_systems, summarise
from citescape.kept import KeptRun
from citescape.runs import RunRecord, Stopwatch, open_run, read_run

LIBRARIES = ("citescape", "numpy", "scipy", "numba")
FIGURES, DIFFERENCES, QUERIES = "figures.parquet", "differences.parquet", "queries.parquet"


@dataclass(frozen=True, repr=False)
class EvaluationRun(KeptRun):
    """Systems side by side.

    figures.parquet: see `summary.summarise`; differences.parquet: see `summary.compare_systems`,
    of two systems and more; queries.parquet: `system`, `condition`, `group`, `query`, `metric`,
    `value`.
    """

    command = "evaluate"
    what = "evaluations"

    @property
    def figures(self) -> pa.Table:
        """Means with intervals."""
        return self.read_table(FIGURES, "system", "condition", "group", "metric", "mean")

    @property
    def differences(self) -> pa.Table | None:
        """None of one system."""
        there = (self.path / DIFFERENCES).is_file()
        return self.read_table(DIFFERENCES, "system", "against", "p") if there else None


def keep_evaluation(
    record: RunRecord, systems: Systems, *, runs: Path, sureness: Sureness, clock: Stopwatch
) -> EvaluationRun:
    """Sums up systems and writes the run; the first system is what others are compared with."""
    first = next(iter(systems))
    metrics = list(next(iter(systems[first].values())).values)
    with open_run(runs, record.id) as directory:
        with clock.timed("intervals"):
            directory.write_parquet(FIGURES, [summarise(systems, sureness)])
            if len(systems) > 1:
                found = compare_systems(systems, against=first, metrics=metrics, sureness=sureness)
                directory.write_parquet(DIFFERENCES, [found])
        directory.write_parquet(QUERIES, [list_queries(systems)])
        path = directory.complete(clock.stop(record))
    return EvaluationRun(path, read_run(path), unchanged=False)


def list_queries(systems: Systems) -> pa.Table:
    """Each query's figures, a row a system, condition, query and metric."""
    parts = []
    for system, conditions in systems.items():
        for condition, measured in conditions.items():
            groups = pa.array(list(measured.groups)).take(pa.array(measured.codes))
            for metric, values in measured.values.items():
                rows = len(measured)
                columns = {
                    "system": pa.array([system] * rows, pa.string()),
                    "condition": pa.array([condition] * rows, pa.string()),
                    "group": groups,
                    "query": measured.queries,
                    "metric": pa.array([metric] * rows, pa.string()),
                    "value": pa.array(values),
                }
                parts.append(pa.table(columns))
    return pa.concat_tables(parts)
