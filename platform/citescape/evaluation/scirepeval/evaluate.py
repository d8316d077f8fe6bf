"""SciRepEval: the tasks of a configuration, and their averages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import ConfigError, list_some
from citescape.core.progress import Progress, silent
from citescape.embeddings.encoded import Encoded, read_encoded
from citescape.evaluation.scirepeval.prediction import find_scores, predict
from citescape.evaluation.scirepeval.retrieval import find_names, retrieve
from citescape.evaluation.scirepeval.summary import Summary, summarise
from citescape.evaluation.scirepeval.tasks import CLASSIFICATION, REGRESSION, Task
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
    def summary(self) -> Summary:
        """The nineteen columns of published tables, those that are there, and averages."""
        return summarise(self.figures)


def evaluate_scirepeval(
    tasks: Sequence[Task],
    encoded: Encoded | Mapping[str, Encoded] | None = None,
    *,
    seed: int = 42,
    cores: int = 1,
    progress: Progress = silent,
) -> SciRepEvalResult:
    """Evaluates embeddings as SciRepEval's own evaluator does (Singh et al. 2023).

    That one reads embeddings from files in half precision; here they are as they were written.

    Args:
        tasks: of `tasks.read_tasks`.
        encoded: of all papers; or of each task by its name; None: the files that the tasks name.
        seed: of classifiers, regressors and few-shot runs.
        cores: processes that fit classifiers and regressors.
        progress: told of each task.

    Raises:
        ConfigError: no tasks; or some without data, without embeddings, or with a metric that
            there is not: nothing is computed then.
        SourceError: a file is missing or not what it should be.
    """
    _check(tasks)
    find, found = _finder(tasks, encoded), list[Figure]()
    for task in tasks:
        progress(f"{task.name}: {task.type}")
        if task.type in PREDICTED:
            found += predict(task, find(task), seed=seed, cores=cores)
        else:
            found += retrieve(task, find(task))
    return SciRepEvalResult(Figures(tuple(found)))


def _check(tasks: Sequence[Task]) -> None:
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


def _finder(
    tasks: Sequence[Task], encoded: Encoded | Mapping[str, Encoded] | None
) -> Callable[[Task], Encoded]:
    """Embeddings of a task."""
    if isinstance(encoded, Encoded):
        return lambda _: encoded
    if encoded is not None:
        without = [task.name for task in tasks if task.name not in encoded]
    else:
        without = [t.name for t in tasks if not t.embeddings or not t.embeddings.exists()]
    if without:
        raise ConfigError(
            f"no embeddings of {list_some(without)}; expected those of each task, or a file in its "
            "`embeddings`"
        )
    return _Reader() if encoded is None else lambda task: encoded[task.name]


class _Reader:
    """Reads what tasks name, once where those that share a file follow each other."""

    def __init__(self) -> None:
        self.last: tuple[Path, Encoded] | None = None

    def __call__(self, task: Task) -> Encoded:
        """Embeddings of a task."""
        assert task.embeddings is not None, "looked for in _finder"
        if self.last is None or self.last[0] != task.embeddings:
            self.last = None  # the memory goes before more is taken
            self.last = task.embeddings, read_encoded(task.embeddings)
        return self.last[1]
