"""Results of an evaluation in a run directory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.metrics.display import list_figures
from citescape.metrics.summary import Resampling, Systems, compare_systems, summarise
from citescape.metrics.task_summary import (
    TaskSystems,
    compare_tasks,
    list_task_queries,
    summarise_tasks,
)
from citescape.papers.documents import DocumentCorpus
from citescape.runs.directory import (
    RunDirectory,
    RunRecord,
    Stopwatch,
    check_writable,
    find_finished,
    read_run,
    replace_record,
)
from citescape.runs.kept import KeptRun, keep_run
from citescape.runs.result import Part, Summary, Table, list_rows
from citescape.search.ranker import Ranker

LIBRARIES = ("citescape", "numpy", "scipy", "numba")
FIGURES, DIFFERENCES, QUERIES = "figures.parquet", "differences.parquet", "queries.parquet"


@dataclass(frozen=True)
class EvaluationRun(KeptRun):
    """Figures of one or more systems.

    figures.parquet: see `summary.summarise`; differences.parquet, for two or more systems: see
    `summary.compare_systems`; queries.parquet: `system`, `condition`, `group`, `query`, `metric`,
    `value`.
    """

    command = "evaluate"
    noun = "evaluations"

    @property
    def figures(self) -> pa.Table:
        """Means with intervals."""
        return self.read_table(FIGURES, "system", "condition", "group", "metric", "mean")

    @property
    def differences(self) -> pa.Table | None:
        """Differences from the first system; None for one system."""
        exists = (self.path / DIFFERENCES).is_file()
        return self.read_table(DIFFERENCES, "system", "against", "p") if exists else None

    @classmethod
    def from_run(cls, run: EvaluationRun) -> Self:
        """The same run as an instance of this class."""
        return cls(run.path, run.record, run.unchanged)

    @property
    def arrow(self) -> pa.Table:
        """The figures."""
        return self.figures

    def tables(self) -> dict[str, pa.Table]:
        """Figures and differences."""
        differences = self.differences
        return {"figures": self.figures} | ({"differences": differences} if differences else {})

    def parts(self) -> list[Part]:
        """Tables of the figures for display."""
        return [Table(self.figures.column_names, list_rows(self.figures))]

    def summarise(self) -> Summary:
        """The figures, their folder, and the command for a report."""
        return Summary(
            [*self.parts(), "", self.describe()],
            list_figures(self, figures=self.figures.to_pylist()),
            [("as a page", f"evaluate report {self.run}")],
        )


def keep_evaluation(
    record: RunRecord, systems: Systems, *, runs: Path, resampling: Resampling, clock: Stopwatch
) -> EvaluationRun:
    """Summarises systems and writes the run; other systems are compared with the first.

    Args:
        record: record of the run.
        systems: figures by system and condition.
        runs: folder of run directories.
        resampling: settings of intervals and tests.
        clock: started before the evaluation.
    """
    first, differences = next(iter(systems)), None
    metrics = list(next(iter(systems[first].values())).values)
    with clock.timed("intervals"):
        figures = summarise(systems, resampling)
        if len(systems) > 1:
            differences = compare_systems(
                systems, against=first, metrics=metrics, resampling=resampling
            )
    tables = {FIGURES: figures, DIFFERENCES: differences, QUERIES: list_queries(systems)}
    return _keep_tables(record, tables, runs=runs, clock=clock)


def find_evaluation(record: RunRecord, runs: Path) -> EvaluationRun | None:
    """The finished run with the same id; its record is updated with the present request.

    Raises:
        ConfigError: `runs` is not writable.
    """
    check_writable(runs)
    path = find_finished(runs, record.id)
    if path is None:
        return None
    existing, request = read_run(path), _add_runs(record, runs).request
    if request and existing.request != request:
        existing = replace(existing, request=request)
        replace_record(path, existing)
    return EvaluationRun(path, existing)


def _add_runs(record: RunRecord, runs: Path) -> RunRecord:
    """The record with the folder of runs in its request, after a round trip through JSON."""
    request = json.dumps({**record.request, "runs": str(runs)}) if record.request else "{}"
    return replace(record, request=json.loads(request))


def keep_tasks(
    record: RunRecord, systems: TaskSystems, *, runs: Path, resampling: Resampling, clock: Stopwatch
) -> EvaluationRun:
    """Summarises systems on tasks and writes the run; others are compared with the first.

    Args:
        record: record of the run.
        systems: figures by system and task.
        runs: folder of run directories.
        resampling: settings of intervals and tests.
        clock: started before the evaluation.
    """
    with clock.timed("intervals"):
        figures = summarise_tasks(systems, resampling)
        differences = compare_tasks(systems, against=next(iter(systems)), resampling=resampling)
    tables = {FIGURES: figures, DIFFERENCES: differences, QUERIES: list_task_queries(systems)}
    return _keep_tables(record, tables, runs=runs, clock=clock)


def _keep_tables(
    record: RunRecord, tables: Mapping[str, pa.Table | None], *, runs: Path, clock: Stopwatch
) -> EvaluationRun:
    """Writes the run; files without a table are skipped."""

    def fill(directory: RunDirectory) -> dict[str, Any]:
        for name, table in tables.items():
            if table is not None:
                directory.write_parquet(name, [table])
        return {}

    return keep_run(EvaluationRun, _add_runs(record, runs), runs, fill, clock=clock)


def describe_rankers(rankers: Mapping[str, Ranker], corpus: DocumentCorpus) -> dict[str, Any]:
    """Traits of rankers and counts of the papers of a corpus, for records of runs.

    Returns:
        `traits`: name -> `search.traits.Traits`; `lacking`: name -> papers without a vector or
        score; `ids`: prefix of ids, such as `doi` -> papers, in descending order; `title_only`:
        papers without an abstract.
    """
    ids = corpus.papers["id"].combine_chunks()
    prefixes = pc.struct_field(pc.extract_regex(ids, "^(?P<name>[^:]+):"), [0]).drop_null()
    counted = ((row["values"], row["counts"]) for row in prefixes.value_counts().to_pylist())
    rows = np.arange(len(ids))
    return {
        "ids": dict(sorted(counted, key=lambda pair: (-pair[1], pair[0]))),
        "title_only": corpus.count_texts("title"),
        "traits": {name: asdict(ranker.traits) for name, ranker in rankers.items()},
        "lacking": {name: int(ranker.lacks(rows).sum()) for name, ranker in rankers.items()},
    }


def list_queries(systems: Systems) -> pa.Table:
    """Figures per query: one row per system, condition, query and metric."""
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
