"""What an evaluation found, in a run directory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.metrics.shown import list_figures
from citescape.metrics.summary import Resampling, Systems, compare_systems, summarise
from citescape.metrics.task_summary import Tasked, compare_tasks, list_task_queries, summarise_tasks
from citescape.papers.documents import Corpus
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

    @classmethod
    def of(cls, made: EvaluationRun) -> Self:
        """An evaluation as one of this class."""
        return cls(made.path, made.record, made.unchanged)

    @property
    def arrow(self) -> pa.Table:
        """The figures."""
        return self.figures

    def tables(self) -> dict[str, pa.Table]:
        """Figures and differences."""
        differences = self.differences
        return {"figures": self.figures} | ({"differences": differences} if differences else {})

    def parts(self) -> list[Part]:
        """What people read: tables of figures."""
        return [Table(self.figures.column_names, list_rows(self.figures))]

    def summarise(self) -> Summary:
        """The figures, where they are kept, and how to have them as a page."""
        return Summary(
            [*self.parts(), "", self.describe()],
            list_figures(self, figures=self.figures.to_pylist()),
            [("as a page", f"evaluate report {self.run}")],
        )


@dataclass(frozen=True)
class Tables:
    """The files of an evaluation."""

    figures: pa.Table
    differences: pa.Table | None
    queries: pa.Table


def keep_evaluation(
    record: RunRecord, systems: Systems, *, runs: Path, resampling: Resampling, clock: Stopwatch
) -> EvaluationRun:
    """Sums up systems and writes the run; the first system is what others are compared with."""
    first, differences = next(iter(systems)), None
    metrics = list(next(iter(systems[first].values())).values)
    with clock.timed("intervals"):
        figures = summarise(systems, resampling)
        if len(systems) > 1:
            differences = compare_systems(
                systems, against=first, metrics=metrics, resampling=resampling
            )
    return keep_tables(
        record, Tables(figures, differences, list_queries(systems)), runs=runs, clock=clock
    )


def find_evaluation(record: RunRecord, runs: Path) -> EvaluationRun | None:
    """The same work, done before; what was asked this time takes the place of what was then.

    Raises:
        ConfigError: nothing can be written to `runs`.
    """
    check_writable(runs)
    path = find_finished(runs, record.id)
    if path is None:
        return None
    kept, asked = read_run(path), _ask(record, runs).asked
    if asked and kept.asked != asked:
        kept = replace(kept, asked=asked)
        replace_record(path, kept)
    return EvaluationRun(path, kept)


def _ask(record: RunRecord, runs: Path) -> RunRecord:
    """With the folder of runs among what was asked, all as JSON has it."""
    told = json.dumps({**record.asked, "runs": str(runs)}) if record.asked else "{}"
    return replace(record, asked=json.loads(told))


def keep_tasks(
    record: RunRecord, systems: Tasked, *, runs: Path, resampling: Resampling, clock: Stopwatch
) -> EvaluationRun:
    """The same of systems on the tasks of a published benchmark."""
    with clock.timed("intervals"):
        figures = summarise_tasks(systems, resampling)
        differences = compare_tasks(systems, against=next(iter(systems)), resampling=resampling)
    return keep_tables(
        record, Tables(figures, differences, list_task_queries(systems)), runs=runs, clock=clock
    )


def keep_tables(
    record: RunRecord, tables: Tables, *, runs: Path, clock: Stopwatch
) -> EvaluationRun:
    """Writes the run."""

    def fill(directory: RunDirectory) -> dict[str, Any]:
        directory.write_parquet(FIGURES, [tables.figures])
        if tables.differences is not None:
            directory.write_parquet(DIFFERENCES, [tables.differences])
        directory.write_parquet(QUERIES, [tables.queries])
        return {}

    return keep_run(EvaluationRun, _ask(record, runs), runs, fill, clock=clock)


def describe_rankers(rankers: Mapping[str, Ranker], corpus: Corpus) -> dict[str, Any]:
    """What tables say of rankers over papers, and of these, for records of runs.

    Returns:
        `traits`: name -> `ranking.traits.Traits`; `lacking`: name -> papers it knows nothing of;
        `ids`: `doi`, or the name of a data set, and what else ids begin with -> papers, the most
        first; `title_only`: papers without an abstract.
    """
    ids = corpus.papers["id"].combine_chunks()
    rows = np.arange(len(ids))
    return {
        "ids": _count_names(ids),
        "title_only": corpus.count("title"),
        "traits": {name: asdict(ranker.traits) for name, ranker in rankers.items()},
        "lacking": {name: int(ranker.lacks(rows).sum()) for name, ranker in rankers.items()},
    }


def _count_names(ids: pa.StringArray) -> dict[str, int]:
    names = pc.struct_field(pc.extract_regex(ids, "^(?P<name>[^:]+):"), [0]).drop_null()
    counted = ((row["values"], row["counts"]) for row in names.value_counts().to_pylist())
    return dict(sorted(counted, key=lambda pair: (-pair[1], pair[0])))


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
