from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings
from citescape.evaluation.scirepeval import evaluate
from citescape.evaluation.scirepeval.evaluate import evaluate_scirepeval
from citescape.evaluation.scirepeval.tasks import SciRepEvalTask, read_tasks
from citescape.metrics.intervals import compare


@pytest.fixture
def tasks(scirepeval: Path) -> list[SciRepEvalTask]:
    return read_tasks(scirepeval / "tasks.jsonl")


def test_all_tasks_are_evaluated(tasks: list[SciRepEvalTask], encoded: PaperEmbeddings) -> None:
    messages: list[str] = []
    found = evaluate_scirepeval(tasks, encoded, progress=messages.append)
    assert [
        figure.task for figure in found.figures if figure.metric in ("f1", "f1_macro", "map")
    ] == [
        "one",
        "one, 16 shot",
        "several",
        "several, 5 shot",
        "near",
    ]
    assert messages[0] == "one: classification"
    assert len(messages) == len(tasks)
    assert found.table.num_rows == len(found.figures) == 16
    assert list(found.summary.columns) == ["Reviewer"]
    again = evaluate_scirepeval(tasks, {task.name: encoded for task in tasks})
    assert again.table.equals(found.table)
    near = found.figures["near", "map"].per_query
    assert near is not None
    assert compare(near.values, near.values, draws=100).p == 1


def test_embeddings_named_by_tasks(
    tasks: list[SciRepEvalTask],
    encoded: PaperEmbeddings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads = list[Path]()

    def count(path: Path) -> PaperEmbeddings:
        reads.append(path)
        return read_paper_embeddings(path)

    monkeypatch.setattr(evaluate, "read_paper_embeddings", count)
    path = tmp_path / "e.jsonl"
    values = encoded.vectors.values.tolist()
    with path.open("w") as opened:
        for paper, vector in zip(encoded.vectors.ids.to_pylist(), values, strict=True):
            opened.write(json.dumps({"doc_id": paper, "embedding": vector}) + "\n")
    near = [replace(task, embeddings=path) for task in tasks[3:]]
    found = evaluate_scirepeval(near)
    assert reads == [path]
    assert found.table.equals(evaluate_scirepeval(near, encoded).table)


def test_invalid_tasks_are_refused_before_evaluation(
    tasks: list[SciRepEvalTask], encoded: PaperEmbeddings, tmp_path: Path
) -> None:
    messages: list[str] = []
    missing_task = replace(tasks[-1], data=tmp_path / "none")
    with pytest.raises(ConfigError, match=r"1 of 2 tasks have no data: Paper-Reviewer .*none"):
        evaluate_scirepeval([tasks[0], missing_task], encoded, progress=messages.append)
    invalid_task = replace(tasks[2], metrics=("map",))
    with pytest.raises(ConfigError, match="number: metric is 'map'"):
        evaluate_scirepeval([tasks[0], invalid_task], encoded, progress=messages.append)
    with pytest.raises(ConfigError, match="no embeddings of several"):
        evaluate_scirepeval(tasks[:2], {"one": encoded}, progress=messages.append)
    with pytest.raises(ConfigError, match="no embeddings of one, several"):
        evaluate_scirepeval(tasks[:2], progress=messages.append)
    with pytest.raises(ConfigError, match="no tasks"):
        evaluate_scirepeval([], encoded)
    assert messages == []
