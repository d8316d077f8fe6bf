"""Tasks to choose settings on: validation parts, held-out training papers and their test parts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings
from citescape.evaluation.choosing import CONFIGURATION, ChoiceTask, open_choice_tasks
from citescape.evaluation.linear import HELD_OUT, Labelled, hold_out
from citescape.evaluation.scidocs.evaluate import evaluate_scidocs
from citescape.evaluation.scidocs.files import read_labelled
from citescape.evaluation.scirepeval.evaluate import evaluate_scirepeval
from citescape.evaluation.scirepeval.tasks import read_tasks
from tests.evaluation.scidocs.conftest import write_embeddings, write_scidocs
from tests.evaluation.scirepeval.conftest import KNOWN, make_judgements, write_jsonl
from tests.evaluation.scirepeval.conftest import write_scirepeval as write_tasks


@pytest.fixture
def scidocs(tmp_path: Path) -> Path:
    folder = tmp_path / "scidocs"
    folder.mkdir()
    write_scidocs(folder)
    return folder


@pytest.fixture
def scirepeval(tmp_path: Path) -> Path:
    folder = tmp_path / "scirepeval"
    folder.mkdir()
    write_tasks(folder)
    (folder / "tasks.jsonl").rename(folder / CONFIGURATION)
    return folder


@pytest.fixture
def embeddings(tmp_path: Path) -> PaperEmbeddings:
    return read_paper_embeddings(write_embeddings(tmp_path / "e.jsonl"))


@pytest.fixture
def known(tmp_path: Path) -> PaperEmbeddings:
    """Embeddings of the papers of the small SciRepEval."""
    path = tmp_path / "known.jsonl"
    write_jsonl(path, [{"doc_id": p, "embedding": v.tolist()} for p, v in KNOWN.items()])
    return read_paper_embeddings(path)


def open_task(place: Path, name: str) -> ChoiceTask:
    (task,) = open_choice_tasks(place, [name])
    return task


@pytest.mark.parametrize(
    ("name", "column", "metric"),
    [("mag", "mag", "f1"), ("cite", "cite", "map"), ("recomm", "recomm (cosine)", "ndcg")],
)
def test_figures_are_those_of_the_evaluator(
    name: str, column: str, metric: str, scidocs: Path, embeddings: PaperEmbeddings
) -> None:
    task = open_task(scidocs, name)
    assert (task.benchmark, task.name, task.metric, task.split) == ("SciDocs", name, metric, "val")
    for split, value in (("val", task.validate(embeddings)), ("test", task.test(embeddings))):
        result = evaluate_scidocs(scidocs, embeddings, split=split)
        assert value == result.figures[column, metric].value


def test_texts_are_those_of_the_task(scidocs: Path) -> None:
    task = open_task(scidocs, "cite")
    lines = [
        line.split()
        for split in ("val", "test")
        for line in (scidocs / "cite" / f"{split}.qrel").read_text().splitlines()
    ]
    ids = {paper for query, _, paper, _ in lines for paper in (query, paper)}
    written = set(json.loads((scidocs / "paper_metadata_recomm.json").read_text()))
    assert set(task.corpus.papers["id"].to_pylist()) == ids & written
    assert task.corpus.left_out == len(ids - written)


def test_training_papers_are_held_out_without_a_validation_part(
    scidocs: Path, embeddings: PaperEmbeddings
) -> None:
    (scidocs / "mag" / "val.csv").unlink()
    task = open_task(scidocs, "mag")
    assert task.split == HELD_OUT
    before, tested = task.validate(embeddings), task.test(embeddings)
    known, held = hold_out(read_labelled(scidocs / "mag" / "train.csv"), seed=42)
    for name, part in (("train", known), ("val", held)):
        pairs = zip(part.papers.to_pylist(), part.labels.tolist(), strict=True)
        lines = ["pid,class_label", *(f"{paper},{label}" for paper, label in pairs)]
        (scidocs / "mesh" / f"{name}.csv").write_text("\n".join(lines) + "\n")
    assert open_task(scidocs, "mesh").validate(embeddings) == before
    test = (scidocs / "mag" / "test.csv").read_text().splitlines()
    (scidocs / "mag" / "test.csv").write_text("\n".join(test[:11]) + "\n")
    other = open_task(scidocs, "mag")
    assert other.validate(embeddings) == before, "the test part is not read to choose"
    assert other.test(embeddings) != tested
    assert other.sha256 != task.sha256


def test_labels_are_spread_over_both_parts_and_do_not_depend_on_the_order() -> None:
    papers = np.array([f"p{k}" for k in range(100)])
    labels = np.repeat([0, 1], [90, 10])

    def split(order: np.ndarray, seed: int = 0) -> tuple[set[str], set[str]]:
        known = Labelled(pa.array(papers[order]), labels[order], "file")
        parts = hold_out(known, seed=seed)
        assert [int((part.labels == 1).sum()) for part in parts] == [8, 2]
        return tuple(set(part.papers.to_pylist()) for part in parts)  # type: ignore[return-value]

    order = np.arange(100)
    known, held = split(order)
    assert (len(known), len(held), len(known & held)) == (80, 20, 0)
    assert split(order[::-1]) == (known, held)
    assert split(order, 1)[1] != held


@pytest.mark.parametrize("name", ["one", "several", "number"])
def test_tasks_of_scirepeval_hold_out_training_papers(
    name: str, scirepeval: Path, known: PaperEmbeddings
) -> None:
    task = open_task(scirepeval, name)
    assert (task.benchmark, task.split) == ("SciRepEval", HELD_OUT)
    (own,) = [t for t in read_tasks(scirepeval / CONFIGURATION) if t.name == name]
    figure = evaluate_scirepeval([own], known).figures[name, task.metric]
    assert task.test(known) == figure.value
    assert np.isfinite(task.validate(known))
    train = next((scirepeval / name).glob("train*"))
    if train.suffix != ".parquet":
        train.with_name(f"validation{train.suffix}").write_text(train.read_text())
        assert open_task(scirepeval, name).split == "validation"


def test_ranking_tasks_need_other_judgements_than_those_of_the_test(
    scirepeval: Path, known: PaperEmbeddings, scidocs: Path
) -> None:
    message = "has neither a validation part .val, validation, dev. nor training data"
    with pytest.raises(ConfigError, match=f"SciRepEval near {message}"):
        open_task(scirepeval, "near")
    for name, split in (("train", "train"), ("dev_qrel", "dev")):
        write_jsonl(scirepeval / "near" / f"{name}.jsonl", make_judgements(9, 12))
        task = open_task(scirepeval, "near")
        assert task.split == split
        assert task.validate(known) != task.test(known)
    (scidocs / "cite" / "val.qrel").unlink()
    with pytest.raises(ConfigError, match=f"SciDocs cite {message}"):
        open_task(scidocs, "cite")


def test_error_is_better_when_it_is_less(scirepeval: Path, known: PaperEmbeddings) -> None:
    lines = (scirepeval / CONFIGURATION).read_text().splitlines()
    records = [json.loads(line) for line in lines]
    records = [{**r, "metrics": ["mse"]} for r in records if r["name"] == "number"]
    write_jsonl(scirepeval / "error.jsonl", records)
    assert open_task(scirepeval / "error.jsonl", "number").test(known) < 0


def test_settings_and_texts_of_scirepeval_are_in_the_hash(scirepeval: Path) -> None:
    tasks = [json.loads(line) for line in (scirepeval / CONFIGURATION).read_text().splitlines()]
    (task,) = [record for record in tasks if record["name"] == "several"]
    texts = {"meta": "texts.jsonl", "test": "several"}  # not among the labels
    lines = (scirepeval / "several" / "meta.jsonl").read_text()
    (scirepeval / "texts.jsonl").write_text(lines.replace("of 1", "of 2"))
    changes: list[dict[str, object]] = [
        {},
        {"metrics": ["accuracy"]},
        {"type": "regression", "few_shot": []},
        {"multi_label": False},
        {"data": texts},
    ]
    hashes = set()
    for change in changes:
        write_jsonl(scirepeval / CONFIGURATION, [{**task, **change}])
        hashes.add(open_task(scirepeval, "several").sha256)
    assert len(hashes) == len(changes)


def test_texts_of_scidocs_are_in_the_hash(scidocs: Path) -> None:
    before = open_task(scidocs, "cite").sha256
    for path in scidocs.glob("paper_metadata_*.json"):
        texts = json.loads(path.read_text())
        path.write_text(json.dumps({key: {**t, "title": "Rice"} for key, t in texts.items()}))
    assert open_task(scidocs, "cite").sha256 != before


def test_unknown_tasks_are_refused_with_the_names(
    scidocs: Path, scirepeval: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="task is 'rice'; expected one of: cite, cocite, coread"):
        open_task(scidocs, "rice")
    with pytest.raises(ConfigError, match=r"task is 'rice'; expected one of: .*near, number, one"):
        open_task(scirepeval, "rice")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"no tasks in .*empty; expected folders of SciDocs"):
        open_choice_tasks(tmp_path / "empty")
    (scirepeval / "one" / "test.csv").unlink()
    with pytest.raises(SourceError, match="expected test"):
        open_task(scirepeval, "one")
