"""Training on labelled citations: held-out figures, runs, refusals."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import roc_auc_score

from citescape.core.errors import ConfigError, SourceError
from citescape.importance.labelled import open_labelled
from citescape.importance.learned import training
from citescape.importance.learned.additive import fit, score
from citescape.importance.learned.training import STATED, TrainedImportance, read_values
from citescape.importance.text_encoder import HASHED
from citescape.runs.kept import find_kept
from citescape.store.graph_store import GraphStore
from tests.importance.labels import LabelSettings, make_records, write_labels


def figures(run: TrainedImportance) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["score"], row["metric"]): row for row in run.counts["held_out"]}


def no_store() -> GraphStore:
    raise AssertionError("not needed")


def test_it_learns_more_than_the_number_of_mentions(trained: TrainedImportance) -> None:
    found = figures(trained)
    lead = found["learned", "AUC"]
    assert lead["value"] > found["mentions", "AUC"]["value"] + 0.05
    assert lead["lead_low"] > 0
    assert found["mentions", "AUC"]["lead"] is None
    strength = trained.counts["predictors"]
    assert {"mentions", "own_voice"} <= set(list(strength)[:4])
    assert trained.counts["citations"] == 40 * 8
    assert trained.counts["calibration_error"] < 0.12
    assert trained.counts["brier"] < trained.counts["brier_of_share"]
    assert "first_position" in trained.counts["unused"]
    assert not set(strength) & set(trained.counts["unused"])
    assert not {"cited_by", "references", "spread"} & set(strength)  # need whole papers
    table = trained.arrow.to_pydict()
    assert table["predictor"] == list(strength)
    assert table["mean_effect"] == sorted(table["mean_effect"], reverse=True)


def test_figures_are_those_of_unseen_papers(trained: TrainedImportance, labels_file: Path) -> None:
    """Each probability is by the model without the fold of the citing paper, and by no other."""
    predictions = pq.read_table(trained.path / "predictions.parquet").to_pydict()
    folds, models = trained.read_folds(), trained.read_models()
    whole, *others = models
    with open_labelled([labels_file], graph="sentences", store=no_store) as pairs:
        values = read_values(pairs, None, mentions="stated")
        assert predictions["citing"] == pairs.citing.to_pylist()
    chosen = np.column_stack([values[name] for name in whole.names])
    fold = np.array([folds[paper] for paper in predictions["citing"]])
    assert set(fold.tolist()) == {0, 1, 2}
    assert len(others) == 3
    found = np.array(predictions["probability"])
    for number, other in enumerate(others):
        held = fold == number
        assert found[held] == pytest.approx(score(other, chosen[held])[0], abs=1e-12)
        assert np.abs(found[held] - score(whole, chosen[held])[0]).max() > 1e-3
    auc = roc_auc_score(predictions["important"], found)
    assert figures(trained)["learned", "AUC"]["value"] == pytest.approx(auc, abs=1e-12)


def test_no_model_has_seen_its_held_out_papers(
    labels_file: Path, tmp_path: Path, train_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[np.ndarray] = []
    original = training.fit

    def listen(kind: str, values: Any, labels: Any, names: Any, *, seed: int) -> Any:
        seen.append(labels)
        return original(kind, values, labels, names, seed=seed)

    monkeypatch.setattr(training, "fit", listen)
    run = train_file(labels_file, tmp_path, kind="linear")
    predictions = pq.read_table(run.path / "predictions.parquet").to_pydict()
    folds = run.read_folds()
    fold = np.array([folds[paper] for paper in predictions["citing"]])
    important = np.array(predictions["important"], float)
    *known, every = seen
    assert [labels.tolist() for labels in known] == [
        important[fold != k].tolist() for k in range(3)
    ]
    assert every.tolist() == important.tolist()


def test_labels_that_a_model_could_only_remember(tmp_path: Path, train_file: Any) -> None:
    """All citations of a paper have one label and one number of words, which says nothing else.

    A model that has seen a paper knows its label by its words; one that has not, guesses.
    """
    records = make_records(LabelSettings(papers=60, works=4, by_mentions=0, by_voice=0))
    chance = random.Random(1)
    label = {record["citingPaperId"]: chance.random() < 0.5 for record in records}
    words = {paper: 5 + k for k, paper in enumerate(label)}
    for record in records:
        paper = record["citingPaperId"]
        record |= {"isKeyCitation": label[paper], "sectionName": "Methods", "excerpt_index": None}
        record |= {"string": "rice " * words[paper], "citeStart": None}
    run = train_file(write_labels(tmp_path / "x.jsonl", records), tmp_path)
    assert figures(run)["learned", "AUC"]["value"] < 0.6
    with open_labelled([tmp_path / "x.jsonl"], graph="sentences", store=no_store) as pairs:
        values = read_values(pairs, None, mentions="stated")
    model = fit("boosted", values["words"][:, None], pairs.important, ("words",), seed=0)
    assert roc_auc_score(pairs.important, score(model, values["words"][:, None])[0]) > 0.7


def test_a_model_that_is_worse_than_chance_is_not_reversed() -> None:
    """Log odds against the labels: their slope would be negative, and AUC above .5 by it."""
    labels = np.repeat([1.0, 0.0], [30, 70])
    slope, offset = training._calibrate(-labels + np.linspace(0, 0.1, 100), labels)
    assert (slope, offset) == (0, math.log(30 / 70))
    slope, _ = training._calibrate(labels + np.linspace(0, 0.1, 100), labels)
    assert 0 < slope < 100  # perfectly separated


def test_calibrated_probabilities_have_the_share_of_important_ones(
    trained: TrainedImportance,
) -> None:
    predictions = pq.read_table(trained.path / "predictions.parquet").to_pydict()
    share = np.mean(predictions["important"])
    assert np.mean(predictions["probability"]) == pytest.approx(share, abs=0.01)


def test_figures_of_the_calibration_are_those_of_unseen_papers(
    trained: TrainedImportance,
) -> None:
    """Each fold is calibrated by the others, from any straight line of the log odds."""
    predictions = pq.read_table(trained.path / "predictions.parquet").to_pydict()
    folds = trained.read_folds()
    fold = np.array([folds[paper] for paper in predictions["citing"]])
    probability, labels = (np.array(predictions[n], float) for n in ("probability", "important"))
    log_odds, errors = np.log(probability / (1 - probability)), []
    for number in range(3):
        held = fold == number
        slope, offset = training._calibrate(log_odds[~held], labels[~held])
        calibrated = 1 / (1 + np.exp(-slope * log_odds[held] - offset))
        errors += ((calibrated - labels[held]) ** 2).tolist()
    assert trained.counts["brier"] == pytest.approx(np.mean(errors), abs=1e-4)
    assert trained.counts["brier"] > np.mean((probability - labels) ** 2) + 1e-3


def test_the_same_labels_in_any_order_are_the_same_run(
    labels_file: Path, tmp_path: Path, trained: TrainedImportance, train_file: Any
) -> None:
    records = make_records()
    random.Random(3).shuffle(records)
    again = train_file(write_labels(tmp_path / "mixed.jsonl", records), tmp_path)
    assert (again.run, again.unchanged) == (trained.run, False)
    for name in ("models.json", "predictions.parquet", "folds.parquet"):
        assert (again.path / name).read_bytes() == (trained.path / name).read_bytes()
    assert train_file(labels_file, tmp_path).unchanged


def test_other_labels_sentences_or_settings_are_another_run(
    labels_file: Path, tmp_path: Path, trained: TrainedImportance, train_file: Any
) -> None:
    records = make_records()
    for record in records[:20]:
        record["string"] = "Other words, of equal counts [1]."
    other = write_labels(tmp_path / "other.jsonl", records)
    linear = {"kind": "linear"}
    runs = [
        train_file(other, tmp_path, **linear),
        train_file(labels_file, tmp_path, **linear),
        train_file(labels_file, tmp_path, seed=1, **linear),
        train_file(labels_file, tmp_path, folds=4, **linear),
        train_file(labels_file, tmp_path, mentions="counted", **linear),
        train_file(labels_file, tmp_path, title_encoder=HASHED, **linear),
        trained,
    ]
    assert len({run.run for run in runs}) == len(runs)
    assert runs[2].record.seed == 1


def test_counted_and_stated_mentions(tmp_path: Path, train_file: Any) -> None:
    """The file has the first sentence of each pair, and states which of them it is."""
    records = make_records(LabelSettings(by_mentions=2.0, by_voice=0, base=-4))
    last = {(r["citingPaperId"], r["citedPaperId"]): r["excerpt_index"] for r in records}
    some = [
        {**r, "excerpt_index": last[r["citingPaperId"], r["citedPaperId"]]}
        for r in records
        if r["excerpt_index"] == 0
    ]
    path = write_labels(tmp_path / "x.jsonl", some)
    stated, counted = (
        train_file(path, tmp_path, kind="linear", mentions=name) for name in ("stated", "counted")
    )
    assert "mentions" in stated.counts["predictors"]
    assert "mentions" in counted.counts["unused"]
    for run in (stated, counted):
        assert figures(run)["mentions", "AUC"]["value"] == 0.5
        assert figures(run)[STATED, "AUC"]["value"] > 0.7
    assert figures(stated)["learned", "AUC"]["value"] > 0.7
    assert figures(counted)["learned", "AUC"]["value"] < 0.65


def test_contradicting_labels_are_left_out_and_counted(tmp_path: Path, train_file: Any) -> None:
    records = make_records()
    first = records[0]
    path = write_labels(
        tmp_path / "x.jsonl", [*records, {**first, "isKeyCitation": not first["isKeyCitation"]}]
    )
    run = train_file(path, tmp_path, kind="linear")
    assert run.counts["citations"] == 40 * 8 - 1
    assert run.counts["labels"][1] == "left out of 320 pairs: 1 with contradicting labels"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"isKeyCitation": True}, r"320 important and 0 other citations .* expected both kinds"),
        ({"isKeyCitation": False}, "0 important and 320 other"),
        ({"citingPaperId": "p"}, r"of 1 papers; expected at least 30 of each, of 6 papers"),
    ],
)
def test_labels_that_are_not_enough_are_refused_and_nothing_is_written(
    change: dict[str, object], found: str, tmp_path: Path, train_file: Any
) -> None:
    path = write_labels(tmp_path / "x.jsonl", [{**record, **change} for record in make_records()])
    with pytest.raises(ConfigError, match=found) as caught:
        train_file(path, tmp_path / "runs")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "runs").exists()


def test_too_few_important_citations(tmp_path: Path, train_file: Any) -> None:
    few = LabelSettings(base=-6, by_mentions=0)
    path = write_labels(tmp_path / "x.jsonl", make_records(few))
    with pytest.raises(ConfigError, match=r"expected at least 30 of each, of 6 papers, for 3 fol"):
        train_file(path, tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_citations_that_are_all_alike(tmp_path: Path, train_file: Any) -> None:
    one = make_records()[0]
    records = [
        {**one, "citingPaperId": f"p{k}", "citedPaperId": f"w{k}", "isKeyCitation": k % 2 == 0}
        for k in range(80)
    ]
    path = write_labels(tmp_path / "x.jsonl", records)
    with pytest.raises(ConfigError, match="80 labelled citations have the same mentions, in_intro"):
        train_file(path, tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_all_important_citations_in_one_paper(tmp_path: Path, train_file: Any) -> None:
    """Then a fold has none to learn from."""
    records = make_records(LabelSettings(papers=20, works=40))
    for record in records:
        record["isKeyCitation"] = record["citingPaperId"] == "p000"
    path = write_labels(tmp_path / "x.jsonl", records)
    with pytest.raises(ConfigError, match="all labels are equal"):
        train_file(path, tmp_path / "runs")
    assert not list((tmp_path / "runs").glob("*"))


def test_labels_of_a_store(
    fresh_store: Any, tmp_path: Path, train_file: Any, labels_file: Path
) -> None:
    """The same sentences in a store of the user: predictors of whole papers count as well."""
    from citescape.ingest.labelled_contexts import load_contexts
    from citescape.loaders.citation_labels import read_labels

    load_contexts(store := fresh_store(), read_labels([labels_file]))
    run = train_file(labels_file, tmp_path, store=store, kind="linear")
    assert run.counts["citations"] == 40 * 8
    assert run.counts["labels"][0].endswith(store.location)
    assert figures(run)["learned", "AUC"]["value"] > 0.7


def test_the_encoder_is_recorded_and_its_absence_too(
    tmp_path: Path, train_file: Any, labels_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = train_file(labels_file, tmp_path, kind="linear", title_encoder=HASHED)
    assert run.record.config["title_encoder"] == HASHED
    assert {"title_similarity", "abstract_similarity"} <= set(run.counts["unused"])
    plain = train_file(labels_file, tmp_path, kind="linear", title_encoder="")
    assert plain.record.config["title_encoder"] == "none"  # no titles
    monkeypatch.setattr("citescape.importance.text_encoder.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install"):
        train_file(labels_file, tmp_path, title_encoder="some/model")


def copy_run(run: TrainedImportance, runs: Path) -> Path:
    folder = runs / run.run
    folder.mkdir(parents=True)
    for file in run.path.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.mark.parametrize("text", ["", "[]", "[1]", "{}", "\ud800"])
def test_damaged_models_are_named(text: str, trained: TrainedImportance, tmp_path: Path) -> None:
    folder = copy_run(trained, tmp_path)
    (folder / "models.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(SourceError, match=r"models\.json.*move the folder away and train again"):
        find_kept(TrainedImportance, tmp_path, trained.run).read_models()


def test_a_run_that_lacks_a_model_of_a_fold_is_refused(
    trained: TrainedImportance, tmp_path: Path
) -> None:
    """Papers of that fold would be scored by a model that has seen them."""
    path = copy_run(trained, tmp_path) / "models.json"
    path.write_text(json.dumps(json.loads(path.read_text())[:-1]))
    with pytest.raises(SourceError, match="found: 3 models, not 4"):
        find_kept(TrainedImportance, tmp_path, trained.run).read_models()


def test_the_summary_names_figures_and_the_next_command(trained: TrainedImportance) -> None:
    summary = trained.summarise()
    text = "\n".join(part if isinstance(part, str) else repr(part) for part in summary.parts)
    for words in ("held-out citing papers, 3 folds", "calibration error", "not known in these"):
        assert words in text
    assert summary.next == [("scores by this model", f"score --weights learned:{trained.run}")]
    json.dumps(summary.figures, allow_nan=False)
    assert replace(trained, unchanged=True).summarise().figures["run"] == trained.run
