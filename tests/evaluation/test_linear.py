"""Linear models compared with scikit-learn, with the settings of the published evaluators."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC, LinearSVR

from citescape.core.errors import ConfigError
from citescape.evaluation import linear
from citescape.evaluation.linear import Learner, Matrix, log_spaced, split_few

CHANCE = np.random.default_rng(5)
PAPERS, TEST_PAPERS = CHANCE.normal(size=(90, 6)), CHANCE.normal(size=(40, 6))
LABELS = np.array(["b", "c", "a"])[np.argmax(PAPERS[:, :3] + CHANCE.normal(size=(90, 3)), axis=1)]
MANY = (PAPERS[:, :4] + CHANCE.normal(size=(90, 4)) > 0.5).astype(np.int64)
NUMBERS = PAPERS @ np.arange(6) + CHANCE.normal(size=90)
AS_LIGHTNING = {"fit_intercept": False, "tol": 1e-3, "dual": True, "random_state": 42}
COSTS = log_spaced(-4, 2, 7)


@pytest.fixture(autouse=True)
def _quiet() -> None:
    warnings.simplefilter("ignore")


def test_default_costs() -> None:
    assert log_spaced(-2, 2, 5) == pytest.approx([0.01, 0.1, 1, 10, 100])
    assert pytest.approx([10.0**power for power in range(-4, 3)]) == COSTS


def test_single_label_classification() -> None:
    search = GridSearchCV(LinearSVC(**AS_LIGHTNING), {"C": np.logspace(-4, 2, 7)}, cv=3)
    theirs = search.fit(PAPERS, LABELS).predict(TEST_PAPERS)
    assert Learner(COSTS).classify(PAPERS, LABELS, TEST_PAPERS).tolist() == theirs.tolist()


def test_more_cores_give_the_same_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, "SMALL", 0)
    one_core, two_cores = (
        Learner(COSTS, cores=n).classify(PAPERS, LABELS, TEST_PAPERS) for n in (1, 2)
    )
    assert one_core.tolist() == two_cores.tolist()


def test_a_single_cost_needs_no_search() -> None:
    theirs = LinearSVC(**AS_LIGHTNING).fit(PAPERS, LABELS).predict(TEST_PAPERS)
    assert Learner((1.0,)).classify(PAPERS, LABELS, TEST_PAPERS).tolist() == theirs.tolist()


def test_multilabel_classification() -> None:
    model = LinearSVC(**AS_LIGHTNING, loss="hinge", max_iter=10_000)
    search = GridSearchCV(model, {"C": np.logspace(-2, 2, 5)}, cv=3)
    theirs = OneVsRestClassifier(search).fit(PAPERS, MANY).predict(TEST_PAPERS)
    ours = Learner(log_spaced(-2, 2, 5)).classify_many(PAPERS, MANY, TEST_PAPERS)
    assert ours.tolist() == theirs.tolist()


def test_labels_of_all_no_and_few_papers() -> None:
    rare = np.zeros((90, 3), np.int64)
    rare[:, 0], rare[:2, 2] = 1, 1
    found = Learner(log_spaced(-2, 2, 5)).classify_many(PAPERS, rare, TEST_PAPERS)
    assert found[:, 0].tolist() == [1] * 40
    assert found[:, 1].tolist() == [0] * 40
    assert set(found[:, 2].tolist()) <= {0, 1}


def test_regression() -> None:
    model = LinearSVR(**AS_LIGHTNING, epsilon=0)
    search = GridSearchCV(model, {"C": np.logspace(-4, 2, 7)}, cv=3).fit(PAPERS, NUMBERS)
    ours = Learner(COSTS).regress(PAPERS, NUMBERS, TEST_PAPERS)
    assert ours == pytest.approx(search.predict(TEST_PAPERS), abs=1e-12)


def test_the_documented_objective_is_minimised() -> None:
    """With two labels the optimum of 1/2 ||w||^2 + C sum max(0, 1 - y w x)^2 is reached."""
    signs = np.where(LABELS == "a", 1.0, -1.0)

    def cost(weights: Matrix) -> float:
        lost = np.maximum(0, 1 - signs * (PAPERS @ weights))
        return float(weights @ weights / 2 + 10 * (lost**2).sum())

    weights = minimize(cost, np.zeros(6)).x
    theirs = np.where(TEST_PAPERS @ weights > 0, 1.0, -1.0)
    assert Learner((10.0,)).classify(PAPERS, signs, TEST_PAPERS).tolist() == theirs.tolist()


def test_too_few_papers_are_refused() -> None:
    learner = Learner(COSTS)
    with pytest.raises(ConfigError, match="90 training papers with 1 labels"):
        learner.classify(PAPERS, np.zeros(90), TEST_PAPERS)
    with pytest.raises(ConfigError, match="4 training papers with 4 labels"):
        learner.classify(PAPERS[:4], np.arange(4), TEST_PAPERS)
    with pytest.raises(ConfigError, match="0 training papers with 0 labels"):
        learner.classify(PAPERS[:0], LABELS[:0], TEST_PAPERS)
    with pytest.raises(ConfigError, match="5 training papers"):
        learner.regress(PAPERS[:5], NUMBERS[:5], TEST_PAPERS)


def test_parts_are_stratified_and_disjoint() -> None:
    parts = split_few(LABELS, 20, 100)
    assert len(parts) == 5  # 90 / 20, rounded up
    assert sorted(np.concatenate(parts).tolist()) == list(range(90))
    whole = Counter(LABELS.tolist())
    for part in parts:
        for label, count in Counter(LABELS[part].tolist()).items():
            assert abs(count - whole[label] / 5) <= 1
    assert [p.tolist() for p in split_few(LABELS, 20, 2)] == [p.tolist() for p in parts[:2]]


def test_too_few_papers_for_parts_are_refused() -> None:
    with pytest.raises(ConfigError, match="parts of 90"):
        split_few(LABELS, 90, 3)
    with pytest.raises(ConfigError, match="5 papers, 1 with the most frequent label"):
        split_few(np.arange(5), 2, 3)
