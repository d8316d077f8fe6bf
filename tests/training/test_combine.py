"""Combinations of encoders: weights, runs and invalid input."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.encoders.combined import combine, make_grid
from citescape.encoders.documents import Adapter, EncoderSettings
from citescape.encoders.saved import load_document_encoder, write_adapter
from citescape.evaluation.choosing import open_choice_tasks
from citescape.evaluation.scidocs.evaluate import rank_candidates
from citescape.sampling.triplets import Triplets
from citescape.training.choosing import to_embeddings
from citescape.training.combine import combine_encoders, weigh_parts
from citescape.training.texts import read_texts
from tests.training.conftest import PAPERS, Training, paper_id, papers, plain_triplets

Arrays = list[np.ndarray]


def plain_score(vectors: Arrays, triplets: Triplets, weights: tuple[float, ...]) -> float:
    """Share of triplets whose positive is nearer in the weighted sum; ties count one half."""
    total = sum(w * v.astype(np.float64) for w, v in zip(weights, vectors, strict=True))
    near = np.linalg.norm(total[triplets.anchor] - total[triplets.positive], axis=1)
    far = np.linalg.norm(total[triplets.anchor] - total[triplets.negative], axis=1)
    return float(((near < far) + 0.5 * (near == far)).mean())


def planted(papers: int = 98, each: int = 30, seed: int = 0) -> tuple[Arrays, Triplets]:
    """Vectors of three encoders; only the second depends on the kind of paper."""
    chance = np.random.default_rng(seed)
    kind = np.arange(papers) % 2
    noise = [chance.normal(size=(papers, 8)) for _ in range(3)]
    noise[1] = 0.3 * noise[1] + np.outer(kind, np.ones(8))
    rows = []
    for anchor in range(0, papers, 2):
        near = chance.choice(np.arange(2, papers, 2), each)
        far = chance.choice(np.arange(1, papers, 2), each)
        rows += [(anchor, int(p), int(n)) for p, n in zip(near, far, strict=True) if p != anchor]
    used = sorted({paper for row in rows for paper in row})
    return [v[used].astype(np.float32) for v in noise], plain_triplets(*rows)


def test_the_only_useful_encoder_gets_the_largest_weight() -> None:
    vectors, triplets = planted()
    search, figures = weigh_parts(vectors, triplets)
    assert search.weights == (0.1, 0.8, 0.1)
    assert figures["alone"][1] == max(figures["alone"]) > 0.95
    assert figures["alone"][::2] == pytest.approx([0.5, 0.5], abs=0.1)
    assert (
        figures["score"] > figures["equal_weights"] > max(figures["alone"][0], figures["alone"][2])
    )
    assert (figures["points"], figures["triplets"]) == (36, len(triplets))


@pytest.mark.parametrize("scale", [1.0, 50.0])
def test_scores_equal_those_of_plain_sums(scale: float) -> None:
    """Vectors are not normalised: an encoder with longer vectors needs less weight."""
    vectors, triplets = planted(60, 3, 1)
    vectors = [scale * vectors[0], vectors[1], vectors[2]]
    search, figures = weigh_parts(vectors, triplets, step=0.2)
    assert [weights for weights, _ in search.grid] == make_grid(3, 0.2)
    for weights, score in search.grid:
        assert score == pytest.approx(plain_score(vectors, triplets, weights), abs=1e-9)
        whole = combine(vectors, weights)
        assert plain_score([whole], triplets, (1.0,)) == pytest.approx(score, abs=2 / len(triplets))
    for k, alone in enumerate(figures["alone"]):
        assert alone == pytest.approx(plain_score([vectors[k]], triplets, (1.0,)))
    assert figures["equal_weights"] == plain_score(vectors, triplets, (1 / 3,) * 3)
    if scale > 1:
        first = dict(search.grid)[0.6, 0.2, 0.2]
        assert first == pytest.approx(figures["alone"][0], abs=0.05)


def test_equal_encoders_tie_and_get_the_most_equal_weights() -> None:
    vectors, triplets = planted(60, 3)
    search, figures = weigh_parts([vectors[1]] * 3, triplets)
    assert search.tied == len(search.grid) == 36
    assert search.weights == (0.3, 0.3, 0.4), "the most equal ones"
    assert {score for _, score in search.grid} == {figures["alone"][0]}


def test_ties_count_one_half() -> None:
    triplets = plain_triplets((0, 1, 2))
    same = np.array([[0.0], [1.0], [-1.0]], np.float32)
    assert weigh_parts([same, same], triplets)[1]["score"] == 0.5


@pytest.fixture
def parts(training: Training) -> list[str]:
    """Three runs with adapters on the same transformer."""
    return [write_part(training, f"train-{k}", seed=k) for k in range(3)]


def write_part(
    training: Training, name: str, *, seed: int, form: str = "sep", width: int = 8
) -> str:
    path = training.runs / name
    path.mkdir(parents=True)
    weight = np.random.default_rng(seed).normal(size=(width, 32)).astype(np.float32)
    pooling = "cls" if form == "sep" else "mean"
    settings = EncoderSettings(form, pooling, 40, base=str(training.still))
    write_adapter(path, Adapter(weight, np.zeros(width, np.float32)), settings)
    return name


def test_a_combination_is_saved_as_an_encoder(training: Training, parts: list[str]) -> None:
    run = combine_encoders(training.store, parts, task=training.triplets, runs=training.runs)
    assert run.parts == tuple(str((training.runs / part).resolve()) for part in parts)
    encoder = load_document_encoder(str(run.path), precision="float32")
    assert encoder.settings.parts == run.parts
    assert encoder.settings.weights == run.weights
    documents = list(read_texts(training.store, training.triplets.ids, training.runs))
    alone = [load_document_encoder(part, precision="float32")(documents) for part in run.parts]
    expected = sum(w * v for w, v in zip(run.weights, alone, strict=True))
    assert encoder(documents) == pytest.approx(expected, abs=1e-5)
    record = json.loads((run.path / "run.json").read_text())
    assert record["command"] == "combine"
    assert record["counts"]["weights"] == list(run.weights)
    again = combine_encoders(training.store, parts, task=training.triplets, runs=training.runs)
    assert again == replace(run, unchanged=True)
    runs = training.store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert runs == [run.run]


def test_other_texts_give_another_combination(training: Training, parts: list[str]) -> None:
    """Changed abstracts give another run."""
    run = combine_encoders(training.store, parts, task=training.triplets, runs=training.runs)
    training.store.write("MATCH (p:Paper) SET p.abstract = 'rice'")
    again = combine_encoders(training.store, parts, task=training.triplets, runs=training.runs)
    assert not again.unchanged
    assert again.run != run.run


def test_weights_are_chosen_on_validation_triplets_only(
    training: Training, parts: list[str]
) -> None:
    task = training.triplets
    run = combine_encoders(training.store, parts, task=task, step=0.2, runs=training.runs)
    held = task.select_rows(task.validation)
    documents = list(read_texts(training.store, task.ids, training.runs))
    vectors = [load_document_encoder(part)(documents) for part in run.parts]
    search, figures = weigh_parts(vectors, held, step=0.2)
    assert run.weights == search.weights
    assert run.figures["score"] == pytest.approx(figures["score"])
    assert run.figures["triplets"] == len(held)
    turned = replace(task, positive=np.where(task.validation, task.positive, task.negative))
    same = combine_encoders(training.store, parts, task=turned, step=0.2, runs=training.runs)
    assert (same.run, same.unchanged) == (run.run, True), "training triplets are not looked at"


def test_weights_may_be_given(training: Training, parts: list[str]) -> None:
    run = combine_encoders(training.store, parts[:2], weights=(0.25, 0.75), runs=training.runs)
    assert (run.weights, run.figures) == ((0.25, 0.75), {})
    assert load_document_encoder(str(run.path)).settings.weights == (0.25, 0.75)
    other = combine_encoders(training.store, parts[:2], weights=(0.5, 0.5), runs=training.runs)
    assert other.run != run.run


def test_invalid_input_is_refused(training: Training, parts: list[str]) -> None:
    store, runs, task = training.store, training.runs, training.triplets
    whole = combine_encoders(store, parts[:2], weights=(0.5, 0.5), runs=runs).run
    joined = write_part(training, "joined", seed=9, form="joined")
    wide = write_part(training, "wide", seed=9, width=9)
    for given, message in (
        ([parts[0], joined], r"in different forms \(.*train-0 sep, .*joined joined\)"),
        ([parts[0], whole], "or are weighted sums"),
        ([parts[0], wide], "8, 9 dimensions cannot be summed"),
        ([parts[0]], "1 encoder; expected two or more"),
        ([], "0 encoder; expected two or more"),
    ):
        with pytest.raises(ConfigError, match=message):
            combine_encoders(store, given, task=task, runs=runs)
    with pytest.raises(ConfigError, match="no triplets, no task and no weights"):
        combine_encoders(store, parts, runs=runs)
    with pytest.raises(ConfigError, match=r"weights are 0\.5, 0\.4; expected 2"):
        combine_encoders(store, parts[:2], weights=(0.5, 0.4), runs=runs)
    with pytest.raises(ConfigError, match=r"step is 0\.4"):
        combine_encoders(store, parts, task=task, step=0.4, runs=runs)
    unsplit = replace(task, validation=np.zeros(len(task), np.bool_))
    with pytest.raises(ConfigError, match=r"none of the 90 triplets is for validation"):
        combine_encoders(store, parts, task=unsplit, runs=runs)
    with pytest.raises(ConfigError):
        combine_encoders(store, [parts[0], str(Path("no/such"))], task=task, runs=runs)


@pytest.fixture
def scidocs(tmp_path: Path) -> Path:
    """Relevant candidates share the subject of the query; the test part has other queries."""
    folder = tmp_path / "scidocs"
    (folder / "cite").mkdir(parents=True)
    texts = {str(row["id"]): row for row in papers()}
    (folder / "paper_metadata_all.json").write_text(json.dumps(texts))
    for split, queries in (("val", range(12)), ("test", range(12, 20))):
        write_judged(folder / "cite" / f"{split}.qrel", queries)
    return folder


def write_judged(path: Path, queries: range) -> None:
    lines = [
        f"{paper_id(query)} 0 {paper_id(paper)} {int(paper % 2 == query % 2)}"
        for query in queries
        for paper in range(PAPERS)
        if paper != query
    ]
    path.write_text("\n".join(lines) + "\n")


def test_weights_are_chosen_on_the_validation_part_of_a_task(
    training: Training, parts: list[str], scidocs: Path
) -> None:
    (task,) = open_choice_tasks(scidocs, ["cite"])
    run = combine_encoders(
        training.store, parts, benchmark=task, step=0.2, runs=training.runs, progress=print
    )
    vectors = [load_document_encoder(part)(task.corpus.documents) for part in run.parts]

    def figure(split: str, *weights: float) -> float:
        embeddings = to_embeddings(task.corpus.papers, combine(vectors, weights), "test")
        return rank_candidates(scidocs / "cite", embeddings, split=split)[0].value

    scores = {weights: figure("val", *weights) for weights in make_grid(3, 0.2)}
    assert max(scores.values()) > min(scores.values())
    assert run.weights == max(scores, key=lambda weights: scores[weights])
    figures = run.figures
    assert (figures["task"], figures["split"], figures["points"]) == ("cite", "val", 6)
    assert figures["score"] == pytest.approx(max(scores.values()))
    for part, found in (("val", figures), ("test", figures["test"])):
        assert found["score"] == pytest.approx(figure(part, *run.weights))
        assert found["equal_weights"] == pytest.approx(figure(part, *[1 / 3] * 3))
        alone = [figure(part, *row) for row in np.eye(3).tolist()]
        assert found["alone"] == pytest.approx(alone)
    assert run.arrow["test"].to_pylist() == figures["test"]["alone"]
    assert load_document_encoder(str(run.path)).settings.weights == run.weights

    write_judged(scidocs / "cite" / "test.qrel", range(16, 24))
    (other,) = open_choice_tasks(scidocs, ["cite"])
    again = combine_encoders(training.store, parts, benchmark=other, step=0.2, runs=training.runs)
    assert again.run != run.run
    assert again.weights == run.weights, "the test part decides nothing"
    assert again.figures["score"] == figures["score"]
    assert again.figures["test"] != figures["test"]
