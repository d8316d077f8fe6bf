"""Scores compared with labels: which scores, on which citations, and runs."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from citescape.importance.config import Weighting
from citescape.importance.evaluation import STATED, ImportanceEvaluation, evaluate
from citescape.importance.labelled import open_labelled
from citescape.importance.learned.training import TrainedImportance, train
from citescape.importance.score import weigh_features
from citescape.importance.scored import ScoredPairs
from citescape.importance.steps import EvaluateImportance, TrainImportance
from citescape.store.graph_store import GraphStore
from tests.importance.labels import LabelSettings, make_records, write_labels

BY_MODEL = Weighting(features="I,R,D")


def no_store() -> GraphStore:
    raise AssertionError("not needed")


def evaluate_file(
    path: Path, runs: Path, *models: TrainedImportance, **options: Any
) -> ImportanceEvaluation:
    config = EvaluateImportance(labels=(path,), **options)
    with open_labelled([path], graph="sentences", store=no_store) as pairs:
        return evaluate(pairs, config, models, runs=runs)


@pytest.fixture(scope="module")
def labels_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_labels(tmp_path_factory.mktemp("labels") / "labels.jsonl")


@pytest.fixture(scope="module")
def trained(labels_file: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainedImportance:
    config = TrainImportance(labels=(labels_file,), folds=3, title_encoder="none", kind="linear")
    with open_labelled([labels_file], graph="sentences", store=no_store) as pairs:
        return train(pairs, config, runs=tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def evaluation(
    labels_file: Path, trained: TrainedImportance, tmp_path_factory: pytest.TempPathFactory
) -> ImportanceEvaluation:
    return evaluate_file(labels_file, tmp_path_factory.mktemp("runs"), trained)


def figures(run: ImportanceEvaluation) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["score"], row["metric"]): row for row in run.arrow.to_pylist()}


def test_all_scores_are_compared(
    evaluation: ImportanceEvaluation, trained: TrainedImportance
) -> None:
    found = {score for score, _ in figures(evaluation)}
    learned = f"learned: {trained.run}"
    assert {
        "mentions",
        STATED,
        "uniform weights",
        "entropy weights without S",
        "I alone: mentions in introduction and literature review",
        "other alone: mentions anywhere else",
        learned,
    } <= found
    assert {metric for _, metric in figures(evaluation)} == {"AUC", "AP", "P@1"}
    notes = "\n".join(evaluation.counts["notes"])
    assert "S alone: the same for all labelled citations" in notes
    assert "320 of 320 citations are of papers in its training; scored by models without" in notes


def test_figures_are_those_of_the_stored_scores(evaluation: ImportanceEvaluation) -> None:
    table = pq.read_table(evaluation.path / "scores.parquet")
    important = table["important"].to_numpy()
    for (name, metric), row in figures(evaluation).items():
        if metric != "P@1":
            measure = roc_auc_score if metric == "AUC" else average_precision_score
            expected = measure(important, table[name].to_numpy())
            assert row["value"] == pytest.approx(expected, abs=1e-12), name
    assert table.num_rows == evaluation.counts["citations"] == 320


def test_scores_by_weights_are_those_of_platform_score(
    evaluation: ImportanceEvaluation, labels_file: Path
) -> None:
    table = pq.read_table(evaluation.path / "scores.parquet")
    with open_labelled([labels_file], graph="sentences", store=no_store) as pairs:
        weights, _ = weigh_features(pairs.features, BY_MODEL)
        scored = ScoredPairs(pairs.features, weights, "R")
        expected = scored.importance[pairs.positions].tolist()
        assert table["mentions"].to_pylist() == pairs.features.mentions[pairs.positions].tolist()
    assert table["entropy weights without S"].to_pylist() == expected


def test_the_learned_score_of_a_paper_is_by_a_model_without_it(
    evaluation: ImportanceEvaluation, trained: TrainedImportance
) -> None:
    """Equal to the held-out figures of the training: a seen model would give higher ones."""
    table = pq.read_table(evaluation.path / "scores.parquet")
    held_out = pq.read_table(trained.path / "predictions.parquet")
    for name in ("citing", "cited"):
        assert table[name].to_pylist() == held_out[name].to_pylist()
    found = table[f"learned: {trained.run}"].to_numpy()
    assert found == pytest.approx(held_out["probability"].to_numpy(), abs=1e-12)
    expected = next(
        row["value"]
        for row in trained.counts["held_out"]
        if (row["score"], row["metric"]) == ("learned", "AUC")
    )
    row = figures(evaluation)[f"learned: {trained.run}", "AUC"]
    assert row["value"] == pytest.approx(expected, abs=1e-12)
    assert row["lead_low"] > 0


def test_papers_outside_the_training_are_scored_by_the_whole_model(
    trained: TrainedImportance, tmp_path: Path
) -> None:
    records = [
        {**record, "citingPaperId": f"new-{record['citingPaperId']}"}
        for record in make_records(LabelSettings(seed=7))
    ]
    run = evaluate_file(write_labels(tmp_path / "x.jsonl", records), tmp_path, trained)
    assert (
        f"learned: {trained.run}: no citing paper has the id of one in its training"
        in run.counts["notes"]
    )
    assert figures(run)[f"learned: {trained.run}", "AUC"]["value"] > 0.7


def test_mentions_are_the_baseline_and_ties_are_counted(evaluation: ImportanceEvaluation) -> None:
    for (name, _), row in figures(evaluation).items():
        assert (row["lead"] is None) == (name == "mentions")
        assert (row["p"] is None) == (name == "mentions")
    table = pq.read_table(evaluation.path / "scores.parquet")
    values = table["mentions"].to_numpy()
    tied = (values[:, None] == values[None]).sum() - len(values)
    expected = tied / (len(values) * (len(values) - 1))
    assert evaluation.counts["tied"]["mentions"] == pytest.approx(expected)


def test_the_same_labels_in_any_order_are_the_same_run(
    evaluation: ImportanceEvaluation,
    trained: TrainedImportance,
    labels_file: Path,
    tmp_path: Path,
) -> None:
    records = make_records()
    random.Random(9).shuffle(records)
    again = evaluate_file(write_labels(tmp_path / "x.jsonl", records), tmp_path, trained)
    assert (again.run, again.unchanged) == (evaluation.run, False)
    assert again.arrow.equals(evaluation.arrow)
    others = [
        evaluate_file(labels_file, tmp_path, trained, seed=1),
        evaluate_file(labels_file, tmp_path, trained, k=2),
        evaluate_file(labels_file, tmp_path),
    ]
    assert len({evaluation.run, *(run.run for run in others)}) == 4
    assert evaluate_file(labels_file, tmp_path).unchanged


def test_other_predictors_of_equal_counts_are_another_run(
    trained: TrainedImportance, evaluation: ImportanceEvaluation, tmp_path: Path
) -> None:
    """Counts by section do not change, but what the model sees of the sentences does."""
    records = [{**record, "string": "Rice.", "citeStart": None} for record in make_records()]
    run = evaluate_file(write_labels(tmp_path / "x.jsonl", records), tmp_path, trained)
    assert run.run != evaluation.run


def test_few_papers_have_neither_intervals_nor_nan(tmp_path: Path) -> None:
    records = make_records(LabelSettings(papers=5))
    run = evaluate_file(write_labels(tmp_path / "x.jsonl", records), tmp_path)
    for row in run.arrow.to_pylist():
        assert row["low"] is row["high"] is row["lead_low"] is row["p"] is None
    json.dumps(run.summarise().figures, allow_nan=False)
    text = repr(run.summarise().parts)
    assert "nan" not in text


def test_scores_that_are_undefined_are_noted(tmp_path: Path) -> None:
    """Mentions in methods alone: no component of the published score varies."""
    records = [{**record, "sectionName": "Methods"} for record in make_records()]
    run = evaluate_file(write_labels(tmp_path / "x.jsonl", records), tmp_path)
    notes = run.counts["notes"]
    assert any(note.startswith("entropy weights: undefined") for note in notes)
    assert ("entropy weights with M", "AUC") in figures(run)
    assert np.isfinite([row["value"] for row in figures(run).values()]).all()


def test_the_summary_lists_the_best_first(evaluation: ImportanceEvaluation) -> None:
    summary = evaluation.summarise()
    json.dumps(summary.figures, allow_nan=False)
    assert summary.figures["run"] == evaluation.run
    tables = [part for part in summary.parts if not isinstance(part, str)]
    assert [table.header[1] for table in tables] == ["AUC", "AP", "P@1"]
    for table in tables:
        values = [row[1] for row in table.rows]
        assert values == sorted(values, reverse=True)
