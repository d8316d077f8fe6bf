"""Classification and regression on fixed embeddings, also from a few papers only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError, SourceError
from citescape.embeddings.encoded import Encoded
from citescape.evaluation.labelled import Labelled
from citescape.evaluation.linear import Labels, Learner, Matrix, log_spaced, split_few
from citescape.evaluation.scirepeval.files import MANY, NUMBER, ONE, read_labelled
from citescape.evaluation.scirepeval.scores import OF_LABELS, OF_NUMBERS, Score, find_score
from citescape.evaluation.scirepeval.tasks import REGRESSION, FewShot, Task
from citescape.metrics.figures import Figure, mean

COSTS, COSTS_OF_NUMBERS = log_spaced(-2, 2, 5), log_spaced(-4, 2, 7)
COST_OF_FEW = (1.0,)


@dataclass(frozen=True, eq=False)
class _Known:
    """Papers with an embedding, to learn from and to be asked of."""

    train: Labelled
    test: Labelled
    vectors: tuple[Matrix, Matrix]
    missing: tuple[int, int]
    """Papers left out of either."""

    @property
    def covered(self) -> float:
        """Share of all papers that have an embedding."""
        kept = len(self.train) + len(self.test)
        return kept / (kept + sum(self.missing))


def predict(task: Task, encoded: Encoded, *, seed: int = 42, cores: int = 1) -> list[Figure]:
    """Figures of a task, and of each of its few-shot runs under the name `TASK, SIZE shot`.

    Papers without an embedding are left out, of those to learn from and of those asked, and
    counted. Models and their C are as in `linear.Learner`: C of 10^-2 ... 10^2 for labels, 10^-4
    ... 10^2 for numbers, chosen in 3 folds. A few-shot figure is the mean over its runs:

    - one label each: the first parts of `split_few`, C = 1;
    - several: `size` papers of each label, drawn with the seeds `seed`, `seed` + 1, ..., and C
      chosen anew, as the published evaluator does.

    Args:
        task: a classification or regression.
        encoded: embeddings.
        seed: 42 is the published evaluator's.
        cores: processes that fit folds.

    Raises:
        ConfigError: no such metric.
        SourceError: a file is missing or not what it should be, or too few papers are in it.
    """
    scores = find_scores(task)
    known = _read(task, encoded)
    truth = known.test.labels
    figure = Figure(
        task.name,
        "",
        0.0,
        used=len(known.test),
        missing=known.missing[1],
        missing_others=known.missing[0],
        covered=known.covered,
    )
    try:
        whole = _predict_all(task, known, seed=seed, cores=cores)
        found = _judge(figure, scores, truth=truth, runs=[whole])
        for few in task.few_shot:
            runs = list(_predict_few(task, known, few, seed=seed))
            shot = replace(figure, task=f"{task.name}, {few.size} shot")
            found += _judge(shot, scores, truth=truth, runs=runs)
    except ConfigError as error:
        raise SourceError(known.train.source, "not-learned", str(error)) from error
    return found


def find_scores(task: Task) -> dict[str, Score]:
    """Its metrics by name.

    Raises:
        ConfigError: there is no such metric.
    """
    table = OF_NUMBERS if task.type == REGRESSION else OF_LABELS
    return {name: find_score(name, table) for name in task.metrics}


def _read(task: Task, encoded: Encoded) -> _Known:
    kind = NUMBER if task.type == REGRESSION else MANY if task.multi_label else ONE
    parts, vectors, missing = [], [], []
    for split in ("train", "test"):
        whole = read_labelled(task.data, split, kind=kind)
        rows = encoded.rows(whole.papers)
        kept = np.flatnonzero(rows >= 0)
        if not len(kept):
            raise SourceError(
                whole.source,
                "no-embeddings",
                f"none of its {len(whole)} papers has an embedding in {encoded.source}; expected "
                "those of other ids",
            )
        parts.append(whole.take(kept))
        vectors.append(encoded.take(rows[kept]))
        missing.append(len(whole) - len(kept))
    if kind == MANY and parts[0].labels.shape[1] != parts[1].labels.shape[1]:
        found = " and ".join(str(part.labels.shape[1]) for part in parts)
        raise SourceError(
            parts[1].source, "lengths", f"expected as many labels as in train; found {found}"
        )
    return _Known(*_alike(*parts), (vectors[0], vectors[1]), (missing[0], missing[1]))


def _alike(train: Labelled, test: Labelled) -> tuple[Labelled, Labelled]:
    """Labels are whole numbers in both or texts in both."""
    if train.labels.dtype.kind == test.labels.dtype.kind:
        return train, test
    return replace(train, labels=train.labels.astype(str)), replace(
        test, labels=test.labels.astype(str)
    )


def _predict_all(task: Task, known: _Known, *, seed: int, cores: int) -> Labels:
    papers, asked = known.vectors
    if task.type == REGRESSION:
        return Learner(COSTS_OF_NUMBERS, seed, cores).regress(papers, known.train.labels, asked)
    learner = Learner(COSTS, seed, cores)
    learn = learner.classify_many if task.multi_label else learner.classify
    return learn(papers, known.train.labels, asked)


def _predict_few(task: Task, known: _Known, few: FewShot, *, seed: int) -> Iterator[Labels]:
    (papers, asked), labels = known.vectors, known.train.labels
    if task.multi_label:
        for run in range(few.iterations):
            part = _draw_few(labels, few.size, seed + run)
            yield Learner(COSTS, seed).classify_many(papers[part], labels[part], asked)
        return
    for part in split_few(labels, few.size, few.iterations):
        if len(np.unique(labels[part])) == 1:  # nothing to learn: that label it is
            yield np.full(len(asked), labels[part][0])
        else:
            yield Learner(COST_OF_FEW, seed).classify(papers[part], labels[part], asked)


def _draw_few(labels: Labels, size: int, seed: int) -> npt.NDArray[np.int64]:
    """(k,) papers ascending, each once: `size` of each label, of which a paper may have several.

    numpy's old generator, as the published evaluator seeds it: the same papers.
    """
    chance, drawn = np.random.RandomState(seed), []
    for column, marks in enumerate(labels.T):
        there = np.flatnonzero(marks == 1)
        if len(there) < size:
            raise ConfigError(
                f"{len(there)} papers with label {column}; expected {size} or more, as many as a "
                "few-shot run draws"
            )
        drawn.append(chance.choice(there, size, replace=False))
    return np.unique(np.concatenate(drawn))


def _judge(
    figure: Figure, scores: Mapping[str, Score], *, truth: Labels, runs: list[Labels]
) -> list[Figure]:
    """One figure a metric, the mean over runs."""
    found = []
    for name, score in scores.items():
        values = [100 * score(truth, predicted) for predicted in runs]
        found.append(replace(figure, metric=name, value=mean(values)))
    return found
