"""Metrics by their names in SciRepEval: `f1_macro`, `kendalltau`, `P_5`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from citescape.core.errors import ConfigError, invalid_choice
from citescape.evaluation.linear import Labels
from citescape.metrics import f1, find_metric, kendall_tau
from citescape.metrics.predictions import AVERAGES

Score = Callable[[Labels, Labels], float]
"""Computes a metric from true and predicted labels or numbers."""


def _binary(name: str) -> Score:
    """A metric of label 1 against label 0."""

    def score(truth: Labels, predicted: Labels) -> float:
        if truth.ndim != 1 or not set(np.unique(truth).tolist()) <= {0, 1}:
            raise ConfigError(f"{name} needs labels 0 and 1; found others: use {name}_macro")
        return _averaged(name, "binary")(truth == 1, predicted == 1)

    return score


def _averaged(name: str, average: str) -> Score:
    def score(truth: Labels, predicted: Labels) -> float:
        if name == "f1" and average in AVERAGES:
            return f1(truth, predicted, average=average)
        from sklearn import metrics

        function = getattr(metrics, f"{name}_score")
        return float(function(truth, predicted, average=average, zero_division=0))

    return score


def _accuracy(truth: Labels, predicted: Labels) -> float:
    same = truth == predicted
    return float((same if same.ndim == 1 else same.all(axis=1)).mean())


def _squared_error(truth: Labels, predicted: Labels) -> float:
    """Error / 100, since figures are multiplied by 100."""
    return float(((truth - predicted) ** 2).mean()) / 100


def _explained(truth: Labels, predicted: Labels) -> float:
    rest, whole = ((truth - predicted) ** 2).sum(), ((truth - truth.mean()) ** 2).sum()
    return float(1 - rest / whole) if whole else float("nan")


def _pearson(truth: Labels, predicted: Labels) -> float:
    parts = truth - truth.mean(), predicted - predicted.mean()
    lengths = float(np.linalg.norm(parts[0]) * np.linalg.norm(parts[1]))
    return float(parts[0] @ parts[1]) / lengths if lengths else float("nan")


_NAMES, _AVERAGES = ("f1", "precision", "recall"), ("macro", "micro", "weighted")
OF_LABELS: Mapping[str, Score] = {
    "accuracy": _accuracy,
    **{name: _binary(name) for name in _NAMES},
    **{f"{n}_{average}": _averaged(n, average) for n in _NAMES for average in _AVERAGES},
}
"""Metrics of labels, 0 to 1. `accuracy` of several labels counts papers with all labels right."""
OF_NUMBERS: Mapping[str, Score] = {
    "kendalltau": kendall_tau,
    "pearsonr": _pearson,
    "r2": _explained,
    "mse": _squared_error,
}
"""Metrics of numbers, -1 to 1 except `mse`; correlations are NaN if all predictions are equal."""
_PREFIXES = {"P": "precision", "recall": "recall", "ndcg_cut": "ndcg", "success": "hit"}
_WHOLE = {"map": "map", "ndcg": "ndcg", "recip_rank": "mrr"}


def to_metric_name(name: str) -> str:
    """Name of a ranking metric for `metrics.find_metric`: `P_5` of trec_eval is `precision@5`.

    Raises:
        ConfigError: no such metric; the message lists the metrics.
    """
    head, _, cut = name.rpartition("_")
    if name in _WHOLE:
        return _WHOLE[name]
    if head in _PREFIXES and cut.isdecimal() and not cut.startswith("0"):
        metric = f"{_PREFIXES[head]}@{cut}"
        find_metric(metric)
        return metric
    raise invalid_choice("metric", name, [*_WHOLE, *(f"{prefix}_K" for prefix in _PREFIXES)])
