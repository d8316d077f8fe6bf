"""Importance on the labelled citations of SciCite (Cohan et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citescape.importance.evaluation import STATED, evaluate
from citescape.importance.labelled import LabelAccount, LabelledPairs, open_labelled
from citescape.importance.learned.training import train
from citescape.importance.steps import EvaluateImportance, TrainImportance
from citescape.store.graph_store import GraphStore

FILES = ("train.jsonl", "dev.jsonl")


def no_store() -> GraphStore:
    raise AssertionError("not needed")


@pytest.fixture(scope="module")
def scicite(data: Path) -> Iterator[LabelledPairs]:
    files = [data / "scicite" / name for name in FILES]
    if missing := [str(file) for file in files if not file.exists()]:
        pytest.skip(f"no SciCite: {', '.join(missing)}")
    with open_labelled(files, graph="auto", store=no_store) as pairs:
        yield pairs


def figures(rows: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["score"], row["metric"]): row for row in rows}


def test_scores_by_counts(scicite: LabelledPairs, tmp_path: Path) -> None:
    assert scicite.account == LabelAccount(9_159, 4_997 + 49, contradicting=49)
    assert len(scicite) == 4_997
    found = figures(evaluate(scicite, EvaluateImportance(), (), runs=tmp_path).arrow.to_pylist())
    assert found["mentions", "AUC"]["value"] == pytest.approx(0.6695, abs=5e-5)
    assert found["mentions", "AP"]["value"] == pytest.approx(0.4739, abs=5e-5)
    without = found["entropy weights without S", "AUC"]
    assert without["value"] == pytest.approx(0.5969, abs=5e-5)
    assert without["lead_high"] < 0
    assert found[STATED, "AUC"]["value"] > found["mentions", "AUC"]["value"]


def test_learned_importance_with_counted_mentions(scicite: LabelledPairs, tmp_path: Path) -> None:
    config = TrainImportance(mentions="counted", title_encoder="none")
    found = figures(train(scicite, config, runs=tmp_path).counts["held_out"])
    assert found["learned", "AUC"]["value"] >= 0.78
    for metric in ("AUC", "AP"):
        assert found["learned", metric]["lead_low"] > 0
