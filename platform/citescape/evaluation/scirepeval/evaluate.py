"""Evaluation on SciRepEval: tasks of a configuration, and their averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import ConfigError, list_some
from citescape.core.progress import Progress, silent
from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings
from citescape.evaluation.scirepeval.prediction import find_scores, predict
from citescape.evaluation.scirepeval.retrieval import find_metric_names, retrieve
from citescape.evaluation.scirepeval.summary import SciRepEvalSummary, summarise
from citescape.evaluation.scirepeval.tasks import CLASSIFICATION, REGRESSION, SciRepEvalTask
from citescape.metrics.figures import Figure, Figures

PREDICTED = (CLASSIFICATION, REGRESSION)


@dataclass(frozen=True, eq=False)
class SciRepEvalResult:
    """Figures of SciRepEval."""

    figures: Figures

    @property
    def table(self) -> pa.Table:
        """One row per figure, see `Figures.table`."""
        return self.figures.table

    @property
    def summary(self) -> SciRepEvalSummary:
        """Columns of published tables, and averages."""
        return summarise(self.figures)


def evaluate_scirepeval(
    tasks: Sequence[SciRepEvalTask],
    embeddings: PaperEmbeddings | Mapping[str, PaperEmbeddings] | None = None,
    *,
    seed: int = 42,
    cores: int = 1,
    progress: Progress = silent,
) -> SciRepEvalResult:
    """Evaluates embeddings like the evaluator of SciRepEval (Singh et al. 2023).

    That evaluator reads embeddings in half precision; here they keep their precision.

    Args:
        tasks: tasks from `tasks.read_tasks`.
        embeddings: embeddings of all papers, or by name of the task; None for the files in the
            configuration.
        seed: random seed of classifiers, regressors and few-shot runs.
        cores: number of processes that fit classifiers and regressors.
        progress: receives the name of each task.

    Raises:
        ConfigError: no tasks, or a task without data or embeddings or with an unknown metric; this
            is checked before any computation.
        SourceError: a file is missing or has another format.
    """
    _check(tasks, embeddings)
    figures, loaded = list[Figure](), dict[Path, PaperEmbeddings]()

    def find(task: SciRepEvalTask) -> PaperEmbeddings:
        """The embeddings of a task; successive tasks share a file."""
        if isinstance(embeddings, PaperEmbeddings):
            return embeddings
        if embeddings is not None:
            return embeddings[task.name]
        assert task.embeddings is not None, "see _check"
        if task.embeddings not in loaded:
            loaded.clear()  # frees the last file before the next one is read
            loaded[task.embeddings] = read_paper_embeddings(task.embeddings)
        return loaded[task.embeddings]

    for task in tasks:
        progress(f"{task.name}: {task.type}")
        if task.type in PREDICTED:
            figures += predict(task, find(task), seed=seed, cores=cores)
        else:
            figures += retrieve(task, find(task))
    return SciRepEvalResult(Figures(tuple(figures)))


def _check(
    tasks: Sequence[SciRepEvalTask],
    embeddings: PaperEmbeddings | Mapping[str, PaperEmbeddings] | None,
) -> None:
    if not tasks:
        raise ConfigError("no tasks to evaluate; expected one or more")
    without = [f"{task.name} ({task.data})" for task in tasks if not task.data.is_dir()]
    if without:
        raise ConfigError(
            f"{len(without)} of {len(tasks)} tasks have no data: {list_some(without)}; expected "
            "these folders: download them, or choose other tasks"
        )
    for task in tasks:
        try:
            _ = find_scores(task) if task.type in PREDICTED else find_metric_names(task)
        except ConfigError as error:
            raise ConfigError(f"{task.name}: {error}") from error
    if isinstance(embeddings, PaperEmbeddings):
        return
    if embeddings is not None:
        without = [task.name for task in tasks if task.name not in embeddings]
    else:
        without = [t.name for t in tasks if not t.embeddings or not t.embeddings.exists()]
    if without:
        raise ConfigError(
            f"no embeddings of {list_some(without)}; expected embeddings of each task, or a file "
            "in its `embeddings`"
        )
