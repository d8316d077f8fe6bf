from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from citescape.core.errors import ConfigError
from citescape.evaluation.scirepeval.prediction import find_scores
from citescape.evaluation.scirepeval.scores import OF_LABELS, OF_NUMBERS, to_metric_name
from citescape.evaluation.scirepeval.tasks import REGRESSION, SciRepEvalTask

CHANCE = np.random.default_rng(4)
BINARY = CHANCE.integers(0, 2, (2, 50))
CLASSES = CHANCE.integers(0, 4, (2, 50))
MANY = CHANCE.integers(0, 2, (2, 50, 3))
NUMBERS = CHANCE.normal(size=(2, 50))


@pytest.mark.parametrize("name", ["f1", "precision", "recall"])
def test_binary_scores_equal_scikit_learn(name: str) -> None:
    theirs = getattr(metrics, f"{name}_score")(*BINARY)
    assert OF_LABELS[name](*BINARY) == pytest.approx(theirs)
    for other in (CLASSES, MANY):
        with pytest.raises(ConfigError, match=f"use {name}_macro"):
            OF_LABELS[name](*other)


@pytest.mark.parametrize("name", [name for name in OF_LABELS if "_" in name])
@pytest.mark.parametrize("labels", [BINARY, CLASSES, MANY], ids=["binary", "classes", "many"])
def test_averaged_scores_equal_scikit_learn(name: str, labels: np.ndarray) -> None:
    kind, average = name.split("_")
    theirs = getattr(metrics, f"{kind}_score")(*labels, average=average, zero_division=0)
    assert OF_LABELS[name](*labels) == pytest.approx(theirs)


def test_accuracy_equals_scikit_learn() -> None:
    for labels in (CLASSES, MANY):
        assert OF_LABELS["accuracy"](*labels) == pytest.approx(metrics.accuracy_score(*labels))


def test_regression_scores() -> None:
    assert OF_NUMBERS["kendalltau"](*NUMBERS) == pytest.approx(stats.kendalltau(*NUMBERS)[0])
    assert OF_NUMBERS["pearsonr"](*NUMBERS) == pytest.approx(stats.pearsonr(*NUMBERS)[0])
    assert OF_NUMBERS["r2"](*NUMBERS) == pytest.approx(metrics.r2_score(*NUMBERS))
    assert 100 * OF_NUMBERS["mse"](*NUMBERS) == pytest.approx(metrics.mean_squared_error(*NUMBERS))
    for name in ("kendalltau", "pearsonr"):
        assert np.isnan(OF_NUMBERS[name](NUMBERS[0], np.ones(50)))
    assert np.isnan(OF_NUMBERS["r2"](np.ones(50), NUMBERS[0]))


def test_score_names() -> None:
    theirs = ["map", "ndcg", "recip_rank", "P_5", "recall_5", "ndcg_cut_10", "success_1"]
    ours = ["map", "ndcg", "mrr", "precision@5", "recall@5", "ndcg@10", "hit@1"]
    assert [to_metric_name(name) for name in theirs] == ours
    for name in ("P", "P_0", "P_x", "_5", "", "precision@5", "bpref", "map_5"):
        with pytest.raises(ConfigError, match="expected one of: P_K, map, ndcg, ndcg_cut_K"):
            to_metric_name(name)
    with pytest.raises(ConfigError, match="metric is 'map'; expected one of: kendalltau, mse"):
        find_scores(SciRepEvalTask("Citation Count", REGRESSION, Path(), ("map",)))
