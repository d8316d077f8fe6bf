from __future__ import annotations

import json
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.evaluation.scirepeval.tasks import FewShot, SciRepEvalTask, choose_tasks, read_tasks


def put(folder: Path, *lines: object) -> Path:
    path = folder / "tasks.jsonl"
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
    return path


LOCAL = {
    "name": "Biomimicry",
    "type": "classification",
    "data": {"meta": "m.jsonl", "test": "labels/bio"},
    "metrics": ["f1"],
    "few_shot": [{"sample_size": 64, "iterations": 50}, {"sample_size": 16, "iterations": 100}],
    "embeddings": {"save": "out/bio.jsonl"},
}
HUB = {
    "name": "Paper-Reviewer Matching",
    "type": "proximity",
    "data": {
        "meta": {"name": "allenai/scirepeval", "config": "paper_reviewer_matching"},
        "reviewers": {"name": "allenai/scirepeval_test", "config": "reviewers"},
    },
    "metrics": ["P_5", "P_10"],
    "embeddings": {"save": "a.jsonl", "load": "b.jsonl"},
}


def test_tasks_with_local_and_hub_data(tmp_path: Path) -> None:
    local, hub = read_tasks(put(tmp_path, LOCAL, "", HUB))
    assert local == SciRepEvalTask(
        "Biomimicry",
        "classification",
        tmp_path / "labels" / "bio",
        ("f1",),
        few_shot=(FewShot(64, 50), FewShot(16, 100)),
        embeddings=tmp_path / "out" / "bio.jsonl",
        texts=tmp_path / "m.jsonl",
    )
    assert hub == SciRepEvalTask(
        "Paper-Reviewer Matching",
        "proximity",
        tmp_path / "paper_reviewer_matching",
        ("P_5", "P_10"),
        reviewers=tmp_path / "reviewers",
        embeddings=tmp_path / "b.jsonl",
        texts=tmp_path / "paper_reviewer_matching",
    )
    elsewhere, _ = read_tasks(tmp_path / "tasks.jsonl", Path("/data"))
    assert elsewhere.data == Path("/data/labels/bio")
    assert elsewhere.embeddings == tmp_path / "out" / "bio.jsonl"


def test_absolute_paths_are_kept(tmp_path: Path) -> None:
    task = {**LOCAL, "data": {"test": "/labels"}}
    assert read_tasks(put(tmp_path, task), Path("/data"))[0].data == Path("/labels")


def test_tasks_are_selected_by_name(tmp_path: Path) -> None:
    local, hub = tasks = read_tasks(put(tmp_path, LOCAL, HUB))
    assert choose_tasks(tasks) == tasks
    assert choose_tasks(tasks, names=["Biomimicry"]) == [local]
    assert choose_tasks(tasks, types=["proximity", "regression"]) == [hub]
    assert choose_tasks(tasks, ["Biomimicry"], ["proximity"]) == tasks
    with pytest.raises(ConfigError, match="task is 'bio'; expected one of: Biomimicry, Paper"):
        choose_tasks(tasks, names=["bio"])
    with pytest.raises(ConfigError, match="type is 'CLF'; expected one of: adhoc_search, class"):
        choose_tasks(tasks, types=["CLF"])


def remove_key(key: str) -> dict[str, object]:
    return {name: value for name, value in LOCAL.items() if name != key}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "found no records"),
        (['{"name": '], "line 1: found not JSON"),
        ([LOCAL, "[1]"], "line 2: "),
        ([remove_key("name")], r"KeyError\('name'\)"),
        ([remove_key("data")], r"KeyError\('data'\)"),
        ([remove_key("metrics")], r"KeyError\('metrics'\)"),
        ([{**LOCAL, "data": {}}], r"KeyError\('meta'\)"),
        ([{**LOCAL, "data": {"test": 3}}], "3 is not a text"),
        ([{**LOCAL, "type": "cls"}], "line 1: type is 'cls'; expected one of"),
        ([{**LOCAL, "type": "regression"}], "few_shot of a regression"),
        ([{**LOCAL, "few_shot": [{"sample_size": 0, "iterations": 1}]}], "0 is not a number"),
        ([LOCAL, HUB, LOCAL], "line 3: .*'Biomimicry'"),
    ],
)
def test_invalid_configurations_are_refused(
    tmp_path: Path, lines: list[object], message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read_tasks(put(tmp_path, *lines))


def test_a_missing_configuration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        read_tasks(tmp_path / "none.jsonl")
