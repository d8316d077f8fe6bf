"""Metrics of predictions: F1 of labels, Kendall's correlation of numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau

from citescape.core.errors import ConfigError, invalid_choice

AVERAGES = ("macro", "weighted")


def f1(truth: npt.ArrayLike, predicted: npt.ArrayLike, *, average: str = "macro") -> float:
    """F1 = 2 TP / (2 TP + FP + FN) of each label, averaged over labels.

    Args:
        truth: (n,) labels, or (n, labels) of 0 and 1 where a document has several.
        predicted: the same shape.
        average: `macro`, plain mean; `weighted`, by the number of documents with the label.

    Returns:
        0 to 1. As in scikit-learn, a label without a true positive has F1 = 0 and counts in
        `macro`, also if it is never true or never predicted.

    Raises:
        ConfigError: no documents, different shapes, or no such average.
    """
    if average not in AVERAGES:
        raise invalid_choice("average", average, AVERAGES)
    true, guessed = np.asarray(truth), np.asarray(predicted)
    if true.shape != guessed.shape or not true.size:
        raise ConfigError(
            f"expected one or more documents, and a prediction for each; found {guessed.shape} "
            f"predictions for {true.shape} labels"
        )
    if true.ndim == 1:
        labels = np.unique(np.concatenate([true, guessed]))
        true, guessed = true[:, None] == labels, guessed[:, None] == labels
    true, guessed = true.astype(bool), guessed.astype(bool)
    counts, both = true.sum(0), true.sum(0) + guessed.sum(0)
    right = (true & guessed).sum(0)
    scores = np.divide(2.0 * right, both, out=np.zeros(len(right)), where=both > 0)
    if average == "macro":
        return float(scores.mean())
    return float((scores * counts).sum() / counts.sum()) if counts.any() else 0.0


def kendall_tau(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> float:
    """tau-b = (P - Q) / sqrt((P + Q + T) (P + Q + U)).

    P and Q are the numbers of concordant and discordant pairs, T and U those of pairs tied only in
    the first or only in the second (Kendall 1945). Both arguments are (n,) numbers.

    Returns:
        -1 to 1; NaN if all values of an argument are equal, or n is less than 2.

    Raises:
        ConfigError: different shapes, or numbers that are not finite.
    """
    true, guessed = np.asarray(truth, np.float64), np.asarray(predicted, np.float64)
    if true.shape != guessed.shape or true.ndim != 1:
        raise ConfigError(
            f"expected two lists of numbers of one length; found {true.shape} and {guessed.shape}"
        )
    if not (np.isfinite(true).all() and np.isfinite(guessed).all()):
        raise ConfigError("expected finite numbers to correlate; found NaN or infinity")
    return float(kendalltau(true, guessed).statistic) if len(true) > 1 else float("nan")
