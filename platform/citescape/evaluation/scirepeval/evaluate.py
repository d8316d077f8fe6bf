"""SciRepEval: the tasks of a configuration, and their averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import ConfigError, list_some
from citescape.core.progress import Progress, silent
from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings
from citescape.evaluation.scirepeval.prediction import find_scores, predict
from citescape.evaluation.scirepeval.retrieval import find_names, retrieve
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
        """A row a figure, see `Figures.table`."""
        return self.figures.table

    @property
    def summary(self) -> SciRepEvalSummary:
        """The nineteen columns of published tables, those that are there, and averages."""
        return summarise(self.figures)


def evaluate_scirepeval(
    tasks: Sequence[SciRepEvalTask],
    embeddings: PaperEmbeddings | Mapping[str, PaperEmbeddings] | None = None,
    *,
    seed: int = 42,
    cores: int = 1,
    progress: Progress = silent,
) -> SciRepEvalResult:
    """Evaluates embeddings as SciRepEval's own evaluator does (Singh et al. 2023).

    That evaluator reads embeddings in half precision; here they keep their precision.

    Args:
        tasks: of `tasks.read_tasks`.
        embeddings: of all papers; or of each task by its name; None: the files that the tasks name.
        seed: of classifiers, regressors and few-shot runs.
        cores: processes that fit classifiers and regressors.
        progress: receives each task.

    Raises:
        ConfigError: no tasks; or some without data, without embeddings, or with an unknown metric:
            nothing is computed then.
        SourceError: a file is missing or has another format.
    """
    _check(tasks, embeddings)
    figures, read = list[Figure](), dict[Path, PaperEmbeddings]()

    def find(task: SciRepEvalTask) -> PaperEmbeddings:
        """The embeddings of a task; a file that tasks in succession share is read once."""
        if isinstance(embeddings, PaperEmbeddings):
            return embeddings
        if embeddings is not None:
            return embeddings[task.name]
        assert task.embeddings is not None, "see _check"
        if task.embeddings not in read:
            read.clear()  # frees memory before the next file: nothing else holds the last one
            read[task.embeddings] = read_paper_embeddings(task.embeddings)
        return read[task.embeddings]

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
            "these folders: fetch them, or choose other tasks"
        )
    for task in tasks:
        try:
            _ = find_scores(task) if task.type in PREDICTED else find_names(task)
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
            f"no embeddings of {list_some(without)}; expected those of each task, or a file in its "
            "`embeddings`"
        )
