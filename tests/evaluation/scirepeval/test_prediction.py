"""Predictions compared with scikit-learn, with the settings of the published evaluator."""

from __future__ import annotations

import csv
import json
import math
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.stats import kendalltau
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC, LinearSVR

from citescape.core.errors import ConfigError, SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.scirepeval.prediction import predict
from citescape.evaluation.scirepeval.tasks import FewShot, SciRepEvalTask, read_tasks
from citescape.metrics.figures import Figure

Known = dict[str, np.ndarray]
Data = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
AS_LIGHTNING = {"fit_intercept": False, "tol": 1e-3, "dual": True, "random_state": 42}


@pytest.fixture(autouse=True)
def _quiet() -> None:
    warnings.simplefilter("ignore")


@pytest.fixture
def tasks(scirepeval: Path) -> dict[str, SciRepEvalTask]:
    return {task.name: task for task in read_tasks(scirepeval / "tasks.jsonl")}


def read(path: Path, split: str) -> list[dict]:  # type: ignore[type-arg]
    if path.name == "one":
        with (path / f"{split}.csv").open() as opened:
            return [{**row, "label": int(row["label"])} for row in csv.DictReader(opened)]
    if path.name == "several":
        return [json.loads(line) for line in (path / f"{split}.jsonl").read_text().splitlines()]
    parts = sorted(path.glob(f"{split}-*"))
    return [row for part in parts for row in pq.read_table(part).to_pylist()]


def load(task: SciRepEvalTask, known: Known) -> Data:
    """Training papers and labels, test papers and labels; only papers with an embedding."""
    found = []
    for split in ("train", "test"):
        rows = [row for row in read(task.data, split) if row["paper_id"] in known]
        found += [
            np.array([known[row["paper_id"]] for row in rows]),
            np.array([row["label"] for row in rows]),
        ]
    return found[0], found[1], found[2], found[3]


def values(figures: list[Figure]) -> dict[tuple[str, str], float]:
    return {(figure.task, figure.metric): figure.value for figure in figures}


def test_single_label_classification(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings, known: Known
) -> None:
    papers, labels, test_papers, truth = load(tasks["one"], known)
    search = GridSearchCV(LinearSVC(**AS_LIGHTNING), {"C": np.logspace(-2, 2, 5)}, cv=3)
    predicted = search.fit(papers, labels).predict(test_papers)
    few = []
    folds = StratifiedKFold(n_splits=math.ceil(len(papers) / 16))
    for (_, part), _ in zip(folds.split(papers, labels), range(3), strict=False):
        model = LinearSVC(**AS_LIGHTNING).fit(papers[part], labels[part])
        few.append(model.predict(test_papers))
    found = predict(tasks["one"], encoded)
    assert values(found) == pytest.approx(
        {
            ("one", "f1"): 100 * f1_score(truth, predicted),
            ("one", "accuracy"): 100 * accuracy_score(truth, predicted),
            ("one, 16 shot", "f1"): 100 * np.mean([f1_score(truth, item) for item in few]),
            ("one, 16 shot", "accuracy"): 100
            * np.mean([accuracy_score(truth, item) for item in few]),
        }
    )
    counts = {(item.used, item.missing, item.missing_others) for item in found}
    assert counts == {(len(truth), 50 - len(truth), 110 - len(labels))}
    assert len(truth) < 50
    assert {item.covered for item in found} == {(len(truth) + len(labels)) / 160}


def test_multilabel_classification(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings, known: Known
) -> None:
    papers, labels, test_papers, truth = load(tasks["several"], known)

    def learn(part: np.ndarray) -> float:
        model = LinearSVC(**AS_LIGHTNING, loss="hinge", max_iter=10_000)
        search = GridSearchCV(model, {"C": np.logspace(-2, 2, 5)}, cv=3)
        fitted = OneVsRestClassifier(search).fit(papers[part], labels[part])
        return 100 * float(f1_score(truth, fitted.predict(test_papers), average="macro"))

    few = []
    for run in range(2):
        np.random.seed(42 + run)
        drawn: set[int] = set()
        for column in range(3):
            there = np.where(labels[:, column] == 1)[0]
            drawn.update(np.random.choice(there, 5, replace=False).tolist())
        few.append(learn(np.array(sorted(drawn))))
    assert values(predict(tasks["several"], encoded)) == pytest.approx(
        {
            ("several", "f1_macro"): learn(np.arange(len(papers))),
            ("several, 5 shot", "f1_macro"): np.mean(few),
        }
    )


def test_regression(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings, known: Known
) -> None:
    papers, labels, test_papers, truth = load(tasks["number"], known)
    search = GridSearchCV(
        LinearSVR(**AS_LIGHTNING, epsilon=0), {"C": np.logspace(-4, 2, 7)}, cv=3
    ).fit(papers, labels)
    predicted = search.predict(test_papers)
    assert values(predict(tasks["number"], encoded)) == pytest.approx(
        {
            ("number", "kendalltau"): 100 * kendalltau(truth, predicted)[0],
            ("number", "mse"): ((truth - predicted) ** 2).mean(),
        }
    )


def write(folder: Path, train: str, test: str = "0_p,1\n1_p,0\n") -> SciRepEvalTask:
    (folder / "train.csv").write_text("paper_id,label\n" + train)
    (folder / "test.csv").write_text("paper_id,label\n" + test)
    return SciRepEvalTask("t", "classification", folder, ("f1_macro",))


HALF = "".join(f"{number}_p,{number % 2}\n" for number in range(20))


def test_texts_and_numbers_as_labels(tmp_path: Path, encoded: PaperEmbeddings) -> None:
    train = HALF.replace(",1", ",x")
    found = predict(write(tmp_path, train, "2_p,0\n4_p,0\n"), encoded)
    assert found[0].value > 0


def test_a_part_with_a_single_label_predicts_it(tmp_path: Path, encoded: PaperEmbeddings) -> None:
    """Of 20 papers in 10 parts one has the rare label: nine parts have the other label only."""
    train = "".join(f"{n + 20}_p,{int(n == 0)}\n" for n in range(5)) + "".join(
        f"{n + 40}_p,0\n" for n in range(15)
    )
    task = replace(write(tmp_path, train, "0_p,0\n1_p,0\n"), metrics=("accuracy",))
    found = predict(replace(task, few_shot=(FewShot(2, 10),)), encoded)
    assert found[1].value >= 100 * 9 / 10


def test_too_few_labels_are_refused(tmp_path: Path, encoded: PaperEmbeddings) -> None:
    single_label = write(tmp_path, HALF.replace(",1", ",0"))
    with pytest.raises(SourceError, match=r"train\.csv: .* training papers with 1 labels"):
        predict(single_label, encoded)
    with pytest.raises(SourceError, match=r"train\.csv: none of its 1 papers has an embedding"):
        predict(write(tmp_path, "x,1\n"), encoded)
    with pytest.raises(SourceError, match=r"test\.csv: none of its 2 papers has an embedding"):
        predict(write(tmp_path, HALF, "x,1\ny,0\n"), encoded)
    with pytest.raises(SourceError, match="found no records"):
        predict(write(tmp_path, HALF, ""), encoded)
    few = replace(write(tmp_path, HALF), few_shot=(FewShot(64, 2),))
    with pytest.raises(SourceError, match="for parts of 64"):
        predict(few, encoded)
    five = write(tmp_path, "".join(f"{n}_p,{n}\n" for n in range(5)))
    with pytest.raises(SourceError, match="5 training papers; expected 6"):
        predict(replace(five, type="regression", metrics=("r2",)), encoded)


def test_invalid_label_lists_are_refused(tmp_path: Path, encoded: PaperEmbeddings) -> None:
    train = "".join(f'{n}_p,"[{n % 2}, {int(n < 4)}]"\n' for n in range(20))
    task = replace(write(tmp_path, train, '0_p,"[1, 0, 1]"\n'), multi_label=True)
    with pytest.raises(SourceError, match="as many labels as in train; found 2 and 3"):
        predict(task, encoded)
    task = replace(write(tmp_path, train, '0_p,"[1, 0]"\n'), multi_label=True)
    with pytest.raises(SourceError, match=r"4 papers with label 1; expected 5"):
        predict(replace(task, few_shot=(FewShot(5, 1),)), encoded)
    with pytest.raises(SourceError, match="use f1_macro"):
        predict(replace(task, metrics=("f1",)), encoded)


def test_an_unknown_metric_is_refused(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings
) -> None:
    with pytest.raises(ConfigError, match="metric is 'f1'; expected one of: kendalltau"):
        predict(replace(tasks["number"], metrics=("f1",)), encoded)
