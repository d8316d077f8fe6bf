"""Classification and regression on fixed embeddings, also few-shot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError, SourceError, invalid_choice
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.linear import (
    HELD_OUT,
    Labelled,
    Labels,
    Learner,
    Matrix,
    hold_out,
    log_spaced,
    split_few,
)
from citescape.evaluation.scirepeval.files import MANY, NUMBER, ONE, read_labelled
from citescape.evaluation.scirepeval.scores import OF_LABELS, OF_NUMBERS, Score
from citescape.evaluation.scirepeval.tasks import REGRESSION, FewShot, SciRepEvalTask
from citescape.metrics.figures import Figure, mean

COSTS, COSTS_OF_NUMBERS = log_spaced(-2, 2, 5), log_spaced(-4, 2, 7)
COST_OF_FEW = (1.0,)
"""Values of C for labels, for numbers, and for few-shot runs with one label per paper."""


@dataclass(frozen=True, eq=False)
class _EmbeddedSplits:
    """Training and test papers with an embedding."""

    train: Labelled
    test: Labelled
    vectors: tuple[Matrix, Matrix]
    """(n, d) vectors of `train` and (m, d) vectors of `test`."""
    missing: tuple[int, int]
    """Number of training papers and of test papers without an embedding."""


def predict(
    task: SciRepEvalTask,
    embeddings: PaperEmbeddings,
    *,
    split: str = "test",
    seed: int = 42,
    cores: int = 1,
) -> list[Figure]:
    """Figures of a task, and of each of its few-shot runs under the name `TASK, SIZE shot`.

    Papers of `train` and of the split without an embedding are skipped and counted. Models and
    their C are those of `linear.Learner`: C from 10^-2 to 10^2 for labels, from 10^-4 to 10^2 for
    numbers, chosen in 3 folds. A few-shot figure is the mean over runs, as in the published
    evaluator:

    - one label per paper: the first parts of `split_few`, C = 1;
    - several labels: `size` papers of each label, drawn with the seeds `seed`, `seed` + 1, ...; C
      is chosen in each run.

    Args:
        task: classification or regression.
        embeddings: embeddings.
        split: part of the data to predict, or `linear.HELD_OUT`.
        seed: random seed; 42 in the published evaluator.
        cores: number of processes that fit folds.

    Raises:
        ConfigError: no such metric.
        SourceError: a file is missing, has another format or too few papers.
    """
    scores = find_scores(task)
    known = _read(task, embeddings, split, seed=seed)
    (papers, tested), labels = known.vectors, known.train.labels
    kept = len(known.train) + len(known.test)
    figure = Figure(
        task.name,
        "",
        0.0,
        used=len(known.test),
        missing=known.missing[1],
        missing_others=known.missing[0],
        covered=kept / (kept + sum(known.missing)),
    )
    try:
        if task.type == REGRESSION:
            predicted = Learner(COSTS_OF_NUMBERS, seed, cores).regress(papers, labels, tested)
        elif task.multi_label:
            predicted = Learner(COSTS, seed, cores).classify_many(papers, labels, tested)
        else:
            predicted = Learner(COSTS, seed, cores).classify(papers, labels, tested)
        figures = _score(figure, scores, truth=known.test.labels, runs=[predicted])

        for few in task.few_shot:
            runs = _predict_few(task, few, known, seed=seed)
            shot = replace(figure, task=f"{task.name}, {few.size} shot")
            figures += _score(shot, scores, truth=known.test.labels, runs=runs)
    except ConfigError as error:
        raise SourceError(known.train.source, "not-learned", str(error)) from error
    return figures


def _predict_few(
    task: SciRepEvalTask, few: FewShot, known: _EmbeddedSplits, *, seed: int
) -> list[Labels]:
    """Predictions for the test papers in each run with few training papers."""
    (papers, tested), labels = known.vectors, known.train.labels
    runs: list[Labels] = []
    if task.multi_label:
        for run in range(few.iterations):
            part = _draw_few(labels, few.size, seed + run)
            runs.append(Learner(COSTS, seed).classify_many(papers[part], labels[part], tested))
        return runs
    for part in split_few(labels, few.size, few.iterations):
        if len(np.unique(labels[part])) == 1:  # a single label cannot be learned
            runs.append(np.full(len(tested), labels[part][0]))
        else:
            runs.append(Learner(COST_OF_FEW, seed).classify(papers[part], labels[part], tested))
    return runs


def find_scores(task: SciRepEvalTask) -> dict[str, Score]:
    """Name -> metric, for the metrics of a task.

    Raises:
        ConfigError: no such metric.
    """
    table = OF_NUMBERS if task.type == REGRESSION else OF_LABELS
    for name in task.metrics:
        if name not in table:
            raise invalid_choice("metric", name, table)
    return {name: table[name] for name in task.metrics}


def _read(
    task: SciRepEvalTask, embeddings: PaperEmbeddings, split: str, *, seed: int
) -> _EmbeddedSplits:
    kind = NUMBER if task.type == REGRESSION else MANY if task.multi_label else ONE
    train = read_labelled(task.data, "train", kind=kind)
    if split == HELD_OUT:
        wholes = hold_out(train, seed=seed)
    else:
        wholes = (train, read_labelled(task.data, split, kind=kind))
    parts, vectors, missing = [], [], []
    for whole in wholes:
        rows = embeddings.rows(whole.papers)
        kept = np.flatnonzero(rows >= 0)
        if not len(kept):
            raise SourceError(
                whole.source,
                "no-embeddings",
                f"none of its {len(whole)} papers has an embedding in {embeddings.source}; "
                "expected some: check that the ids are the same",
            )
        parts.append(whole.select_rows(kept))
        vectors.append(embeddings.select_rows(rows[kept]))
        missing.append(len(whole) - len(kept))
    if kind == MANY and parts[0].labels.shape[1] != parts[1].labels.shape[1]:
        lengths = " and ".join(str(part.labels.shape[1]) for part in parts)
        raise SourceError(
            parts[1].source, "lengths", f"expected as many labels as in train; found {lengths}"
        )
    # integers in one split, strings in the other
    if parts[0].labels.dtype.kind != parts[1].labels.dtype.kind:
        parts = [replace(part, labels=part.labels.astype(str)) for part in parts]
    return _EmbeddedSplits(parts[0], parts[1], (vectors[0], vectors[1]), (missing[0], missing[1]))


def _draw_few(labels: Labels, size: int, seed: int) -> npt.NDArray[np.int64]:
    """(k,) unique rows, ascending: `size` random papers of each label."""
    # the old generator of numpy, to draw the same papers as the published evaluator
    random, drawn = np.random.RandomState(seed), []
    for column, marks in enumerate(labels.T):
        rows = np.flatnonzero(marks == 1)
        if len(rows) < size:
            raise ConfigError(
                f"{len(rows)} papers with label {column}; expected {size} or more, the number of "
                "papers that a few-shot run draws"
            )
        drawn.append(random.choice(rows, size, replace=False))
    return np.unique(np.concatenate(drawn))


def _score(
    figure: Figure, scores: Mapping[str, Score], *, truth: Labels, runs: list[Labels]
) -> list[Figure]:
    """A figure per metric, the mean over runs."""
    figures = []
    for name, score in scores.items():
        values = [100 * score(truth, predicted) for predicted in runs]
        figures.append(replace(figure, metric=name, value=mean(values)))
    return figures
