"""Evaluation of systems on tasks of SciRepEval, stored as a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from citescape.core.errors import SourceError
from citescape.core.progress import Progress, prefix, silent
from citescape.evaluation.scirepeval.evaluate import SciRepEvalResult, evaluate_scirepeval
from citescape.evaluation.scirepeval.files import iterate_texts
from citescape.evaluation.scirepeval.summary import FORMATS
from citescape.evaluation.scirepeval.tasks import SciRepEvalTask
from citescape.evaluation.systems import EmbeddingSystem, hash_files
from citescape.evaluation.texts import gather
from citescape.metrics.evaluation_run import LIBRARIES, EvaluationRun, find_evaluation, keep_tasks
from citescape.metrics.summary import Resampling
from citescape.metrics.task_summary import AVERAGE, TaskFigures
from citescape.papers.documents import DocumentCorpus
from citescape.runs.directory import RunRecord, Stopwatch

SEED = 42
"""Random seed of classifiers, regressors and few-shot runs, as in the published evaluator."""
NAMED = EmbeddingSystem("embeddings", {"run": "the files that tasks name"}, lambda: {})
"""System of the files in the configuration."""


def measure_scirepeval(
    tasks: Sequence[SciRepEvalTask],
    systems: Sequence[EmbeddingSystem] = (),
    *,
    resampling: Resampling | None = None,
    request: Mapping[str, Any] | None = None,
    runs: Path,
    cores: int = 1,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> EvaluationRun:
    """Evaluates systems, see `evaluate.evaluate_scirepeval`, and stores their figures as a run.

    Conditions of the figures are tasks, and means of the columns of published tables: `PRX`, `RGN`,
    `QRY`, `CLF` and `average`. An existing run with the same data, systems and settings is
    returned.

    Args:
        tasks: tasks from `tasks.read_tasks`.
        systems: systems; others are compared with the first. Empty for the files of embeddings in
            the configuration.
        resampling: settings of intervals and tests.
        request: request for the record of the run, see `RunRecord.request`.
        runs: folder of run directories.
        cores: number of processes that fit classifiers and regressors.
        progress: receives messages.
        clock: started before work such as the encoding of texts.

    Raises:
        ConfigError: no tasks, a task without data or embeddings, or `runs` is not writable.
        SourceError: a file is missing or has another format.
    """
    resampling, clock = resampling or Resampling(), clock or Stopwatch()
    record = _record(tasks, systems, resampling, request=request or {})
    existing = find_evaluation(record, runs)
    if existing:
        return existing
    results: dict[str, SciRepEvalResult] = {}
    for system in systems or (NAMED,):
        results[system.name] = evaluate_scirepeval(
            tasks,
            system.read() if systems else None,
            seed=SEED,
            cores=cores,
            progress=prefix(progress, system.name),
        )
    figures_by_system = {}
    for name, result in results.items():
        means = result.summary.formats
        averages = {**{kind: means[kind] for kind in FORMATS}, AVERAGE: result.summary.average}
        figures_by_system[name] = TaskFigures(result.figures, averages)
    counts = {
        "systems": list(results),
        "tasks": [task.name for task in tasks],
        "columns": {name: dict(result.summary.columns) for name, result in results.items()},
        "absent": list(next(iter(results.values())).summary.absent),
        "papers": {name: figures.count_papers() for name, figures in figures_by_system.items()},
    }
    record = replace(record, counts=counts)
    return keep_tasks(record, figures_by_system, runs=runs, resampling=resampling, clock=clock)


def read_texts(tasks: Sequence[SciRepEvalTask]) -> DocumentCorpus:
    """Titles and abstracts of the papers of tasks.

    Raises:
        SourceError: a task has no texts.
    """
    places = dict.fromkeys(task.texts for task in tasks if task.texts)
    without = [task.name for task in tasks if not task.texts]
    if without:
        raise SourceError(
            without[0],
            "no-texts",
            f"{len(without)} tasks have no texts, which encoders read; expected `meta` in the "
            "`data` of each: add it, or use files of embeddings",
        )
    return gather(row for place in places for row in iterate_texts(place))


def _record(
    tasks: Sequence[SciRepEvalTask],
    systems: Sequence[EmbeddingSystem],
    resampling: Resampling,
    *,
    request: Mapping[str, Any],
) -> RunRecord:
    files = {task.name: hash_place(task.data) for task in tasks}
    files |= {
        f"{task.name}, reviewers": hash_place(task.reviewers) for task in tasks if task.reviewers
    }
    if not systems:
        files |= {f"{t.name}, embeddings": hash_place(t.embeddings) for t in tasks if t.embeddings}
    inputs = {
        "data": files,
        "systems": {system.name: dict(system.origin) for system in systems},
        "order": [system.name for system in systems],
    }
    described = [
        {
            "name": task.name,
            "type": task.type,
            "metrics": list(task.metrics),
            "multi_label": task.multi_label,
            "few_shot": [asdict(few) for few in task.few_shot],
        }
        for task in tasks
    ]
    settings = {
        "benchmark": "scirepeval",
        "tasks": described,
        "seed": SEED,
        "resampling": asdict(resampling),
    }
    return RunRecord.create(
        EvaluationRun.command,
        settings,
        inputs,
        seed=resampling.seed,
        libraries=(*LIBRARIES, "scikit-learn"),
        request=request,
    )


def hash_place(place: Path) -> dict[str, str]:
    """File -> SHA-256, for a file or all files of a folder."""
    files = [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file())
    return hash_files(files, place)
