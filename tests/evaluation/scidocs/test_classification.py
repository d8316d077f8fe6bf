"""Classification compared with scikit-learn, with the settings of the published evaluator."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC

from citescape.core.errors import SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.scidocs.classification import classify

Known = dict[str, np.ndarray]


def theirs(folder: Path, known: Known, split: str) -> float:
    found = {}
    for name in ("train", split):
        with (folder / f"{name}.csv").open() as opened:
            rows = list(csv.reader(opened))[1:]
        vectors = [np.asarray(known.get(paper, np.zeros(4)), np.float64) for paper, _ in rows]
        found[name] = np.array(vectors), np.array([int(label) for _, label in rows])
    model = LinearSVC(fit_intercept=False, tol=1e-3, dual=True, random_state=42)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GridSearchCV(model, {"C": np.logspace(-4, 2, 7)}, cv=3).fit(*found["train"])
    predicted = model.predict(found[split][0])
    return 100 * float(f1_score(found[split][1], predicted, average="macro"))


@pytest.mark.parametrize("split", ["val", "test"])
@pytest.mark.parametrize("task", ["mag", "mesh"])
def test_macro_f1_equals_that_of_scikit_learn(
    scidocs: Path, encoded: PaperEmbeddings, known: Known, task: str, split: str
) -> None:
    found = classify(scidocs / task, encoded, split=split)
    assert found.value == pytest.approx(theirs(scidocs / task, known, split))
    assert (found.task, found.metric, found.used) == (task, "f1", 20)
    missing = []
    for name in (split, "train"):
        lines = (scidocs / task / f"{name}.csv").read_text().splitlines()[1:]
        missing.append(sum(line.split(",")[0] not in known for line in lines))
    assert [found.missing, found.missing_others] == missing
    learned = len((scidocs / task / "train.csv").read_text().splitlines()) - 1
    assert found.covered == pytest.approx(1 - sum(missing) / (20 + learned))
    assert found.value > 50


def write(folder: Path, train: str, test: str = "pid,class\n0001_p,1\n") -> Path:
    (folder / "train.csv").write_text("pid,class\n" + train)
    (folder / "test.csv").write_text(test)
    return folder


def test_labels_may_be_texts(tmp_path: Path, encoded: PaperEmbeddings) -> None:
    train = "".join(f"{n:04x}_p,{'abc'[n % 3]}\n" for n in range(30))
    folder = write(tmp_path, train, "pid,class\n001e_p,a\n001f_p,b\n0020_p,c\n")
    assert classify(folder, encoded, split="test").value > 0


def test_too_few_labels_are_refused(tmp_path: Path, encoded: PaperEmbeddings) -> None:
    same = "".join(f"{n:04x}_p,1\n" for n in range(9))
    with pytest.raises(SourceError, match=r"train\.csv: 9 training papers with 1 labels"):
        classify(write(tmp_path, same), encoded, split="test")
    with pytest.raises(SourceError, match="none of its 2 papers has an embedding"):
        classify(write(tmp_path, "x,1\ny,2\n"), encoded, split="test")
    with pytest.raises(SourceError, match="found no row after the header"):
        classify(write(tmp_path, same, "pid,class\n"), encoded, split="test")
    with pytest.raises(SourceError, match=r"val\.csv: expected a file; found"):
        classify(write(tmp_path, same), encoded, split="val")
