"""F1 of labels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError, invalid_choice

AVERAGES = ("macro", "weighted")


def f1(truth: npt.ArrayLike, predicted: npt.ArrayLike, *, average: str = "macro") -> float:
    """F1 = 2 TP / (2 TP + FP + FN) of each label, averaged over labels.

    Args:
        truth: (n,) labels, or (n, labels) of 0 and 1 where a document has several.
        predicted: the same shape.
        average: `macro`, each label the same; `weighted`, by how many documents have it.

    Returns:
        0 to 1. As in scikit-learn a label that is only predicted counts in `macro`, with 0, and one
        that is neither there nor predicted has 0.

    Raises:
        ConfigError: no documents, other shapes, or no such average.
    """
    if average not in AVERAGES:
        raise invalid_choice("average", average, AVERAGES)
    given, found = np.asarray(truth), np.asarray(predicted)
    if given.shape != found.shape or not given.size:
        raise ConfigError(
            f"expected a prediction for each of one document or more; found {found.shape} "
            f"predictions for {given.shape} labels"
        )
    if given.ndim == 1:
        labels = np.unique(np.concatenate([given, found]))
        given, found = given[:, None] == labels, found[:, None] == labels
    given, found = given.astype(bool), found.astype(bool)
    right, there, told = (given & found).sum(0), given.sum(0), found.sum(0)
    scores = np.divide(2.0 * right, there + told, out=np.zeros(len(right)), where=there + told > 0)
    if average == "macro":
        return float(scores.mean())
    return float((scores * there).sum() / there.sum()) if there.any() else 0.0
