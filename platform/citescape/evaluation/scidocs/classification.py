"""Classification of papers by their embeddings: 19 fields of MAG, 11 diseases of MeSH."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from citescape.core.errors import ConfigError, SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.linear import HELD_OUT, Learner, hold_out, log_spaced
from citescape.evaluation.scidocs.files import read_labelled
from citescape.metrics import f1
from citescape.metrics.figures import Figure

TRAIN = "train"
COSTS = log_spaced(-4, 2, 7)
METRIC = "f1"


def classify(
    folder: Path, embeddings: PaperEmbeddings, *, split: str, seed: int = 42, cores: int = 1
) -> Figure:
    """Macro F1 of a linear SVM, trained on `train` and tested on another split.

    Papers without an embedding are zero vectors in both splits, and are counted. C is
    chosen by cross-validation within `train`, see `linear.Learner`.

    Args:
        folder: folder of the task, with train.csv and the file of the split.
        embeddings: embeddings.
        split: `val`, `test` or `HELD_OUT`.
        seed: random seed of the SVM and of held-out papers; 42 in the published evaluator.
        cores: number of processes that fit folds.

    Raises:
        SourceError: a file is missing or has another format, or it has too few labels.
    """
    train = read_labelled(folder / f"{TRAIN}.csv")
    if split == HELD_OUT:
        train, test = hold_out(train, seed=seed)
    else:
        test = read_labelled(folder / f"{split}.csv")
    train_rows, test_rows = embeddings.rows(train.papers), embeddings.rows(test.papers)
    learner = Learner(COSTS, seed, cores)
    if not np.any(train_rows >= 0):
        raise SourceError(
            train.source,
            "no-embeddings",
            f"none of its {len(train)} papers has an embedding; expected some: check that the ids "
            "are the same",
        )
    try:
        predicted = learner.classify(
            embeddings.select_rows(train_rows), train.labels, embeddings.select_rows(test_rows)
        )
    except ConfigError as error:
        raise SourceError(train.source, "few-labels", str(error)) from error
    return Figure(
        folder.name,
        METRIC,
        100 * f1(test.labels.astype(str), predicted.astype(str)),
        used=len(test),
        missing=int((test_rows < 0).sum()),
        missing_others=int((train_rows < 0).sum()),
        covered=float((np.append(train_rows, test_rows) >= 0).mean()),
    )
