"""`platform sections train|label|eval` as a user meets them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Made, Platform


@pytest.fixture
def mine(made: Made, tmp_path: Path) -> Path:
    """A copy of the scored store, to write to."""
    return Path(shutil.copy(made.store, tmp_path / "mine.lbug"))


def test_train_label_and_score(platform: Platform, mine: Path) -> None:
    trained = platform("sections", "train", "--titles-only", "--epochs", 2, "--store", mine)
    assert trained.status == 0, trained.err
    assert "trained: sections-" in trained.out
    assert "next: " in trained.out
    again = platform("sections", "train", "--titles-only", "--epochs", 2, "--store", mine, "--json")
    assert again.json["unchanged"] is True
    labelled = platform("sections", "label", "--store", mine)
    assert labelled.status == 0, labelled.err
    assert "told by" in labelled.out
    assert again.json["run"] in labelled.out
    once_more = platform("sections", "label", "--store", mine, "--json")
    assert once_more.json["written"] == 0
    scored = platform("score", "--store", mine, "--sections", "rules", "--json")
    assert scored.status == 0, scored.err
    back = platform("sections", "label", "--model", "rules", "--store", mine, "--json")
    assert back.json["run"] == "rules"


def test_without_a_model_it_is_said_how_to_get_one(platform: Platform, mine: Path) -> None:
    found = platform("sections", "label", "--store", mine, "--runs", mine.parent / "none")
    assert found.status == 1
    assert "no trained model" in found.err
    assert "`platform sections train`" in found.err
    assert found.err.count("\n") == 1


def test_the_comparison_prints_tables(ask: Platform) -> None:
    options: tuple[Any, ...] = ("--method", "rules", "--method", "words", "--seeds", 2)
    found = ask("sections", "eval", *options)
    assert found.status == 0, found.err
    assert "TOP F1" in found.out
    assert "rows are true, columns given" in found.out
    table = ask("sections", "eval", *options, "--json").json
    assert {row["method"] for row in table["scores"]} == {"rules", "words"}
    assert all(0 <= row["top"]["macro_f1"] <= 1 for row in table["scores"])


def test_a_way_that_does_not_exist_is_named(ask: Platform) -> None:
    found = ask("sections", "eval", "--method", "magic")
    assert found.status == 1
    assert "method is 'magic'; expected one of" in found.err
