from __future__ import annotations

import json
from pathlib import Path

import pytest

from citescape.runs.directory import list_runs
from tests.cli.conftest import Platform
from tests.evaluation.scidocs.conftest import write_embeddings, write_scidocs
from tests.evaluation.scirepeval.conftest import KNOWN, write_jsonl, write_scirepeval


@pytest.fixture(scope="module")
def scidocs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set with files of embeddings."""
    folder = tmp_path_factory.mktemp("scidocs")
    write_scidocs(folder)
    write_embeddings(folder / "own.jsonl")
    return folder


@pytest.fixture(scope="module")
def scirepeval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scirepeval")
    write_scirepeval(folder)
    write_jsonl(
        folder / "own.jsonl",
        [{"doc_id": paper, "embedding": vector.tolist()} for paper, vector in KNOWN.items()],
    )
    return folder


def test_scidocs(platform: Platform, scidocs: Path, tmp_path: Path) -> None:
    words = ("evaluate", "scidocs", "--data", scidocs, "--runs", tmp_path)
    systems = (f"own={scidocs / 'own.jsonl'}", "minilm")
    shown = platform(*words, *systems)
    assert shown.status == 0, shown.err
    assert "SciDocs: 7 tasks" in shown.out
    assert "difference from own, by task" in shown.out
    assert "no average: 2 columns absent: recomm ndcg, recomm precision@1" in shown.out
    assert "own: papers without an embedding: " in shown.out
    result = json.loads(platform(*words, *systems, "--json").out)
    assert result["unchanged"]
    means = {(r["system"], r["condition"], r["metric"]): r["mean"] for r in result["figures"]}
    assert means["own", "cite", "map"] > means["minilm", "cite", "map"]
    assert means["own", "average", "average"] is None
    assert_encoding_is_recorded(Path(result["path"]))


def assert_encoding_is_recorded(run: Path) -> None:
    """Encoding counts in the seconds of the run, which start with it."""
    record = json.loads((run / "run.json").read_text())
    ((encoding, _),) = list_runs(run.parent, "encode")
    assert record["seconds"] >= record["timings"]["encoding"] >= encoding.timings["encode"] > 0


def test_scidocs_with_features_has_an_average(
    platform: Platform, scidocs: Path, tmp_path: Path
) -> None:
    words = ("evaluate", "scidocs", "--data", scidocs, "--runs", tmp_path, "--json")
    result = json.loads(platform(*words, scidocs / "own.jsonl", "--ranker", "features").out)
    means = {(r["condition"], r["metric"]): r["mean"] for r in result["figures"]}
    average = means.pop(("average", "average"))
    assert len(means) == 12
    assert average == pytest.approx(sum(means.values()) / 12)


def test_scirepeval(platform: Platform, scirepeval: Path, tmp_path: Path) -> None:
    words = ("evaluate", "scirepeval", "--tasks", scirepeval / "tasks.jsonl", "--runs", tmp_path)
    shown = platform(*words, f"own={scirepeval / 'own.jsonl'}")
    assert shown.status == 0, shown.err
    assert "SciRepEval: 6 tasks" in shown.out
    assert "near" in shown.out
    chosen = ("--task", "near", "--type", "regression")
    result = json.loads(platform(*words, *chosen, "minilm", "--json").out)
    assert result["tasks"] == ["number", "near"]
    assert {row["condition"] for row in result["figures"]} >= {"number", "near", "PRX", "average"}
    assert_encoding_is_recorded(Path(result["path"]))


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ((), "expected at least one file of embeddings, or an encoder"),
        (("nowhere.jsonl",), "no file nowhere.jsonl"),
        (("nobody",), "no pretrained encoder 'nobody'"),
        (("{own}", "{own}"), "two systems are called"),
    ],
)
def test_invalid_systems_are_refused(
    platform: Platform, scidocs: Path, tmp_path: Path, system: tuple[str, ...], expected: str
) -> None:
    named = [name.format(own=scidocs / "own.jsonl") for name in system]
    failed = platform("evaluate", "scidocs", "--data", scidocs, "--runs", tmp_path, *named)
    assert failed.status == 1
    assert expected in failed.err
    assert not list(tmp_path.iterdir())


def test_an_encoder_needs_texts(platform: Platform, scirepeval: Path, tmp_path: Path) -> None:
    words = ("evaluate", "scirepeval", "--tasks", scirepeval / "tasks.jsonl", "--runs", tmp_path)
    failed = platform(*words, "minilm", "--task", "Paper-Reviewer Matching")
    assert failed.status == 1
    assert "have no texts" in failed.err
    assert "No such file" not in platform(*words, "--task", "near").err
