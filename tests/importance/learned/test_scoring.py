"""Scores by a trained model: written, explained, replaced by other weights and back."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.importance.config import Weighting
from citescape.importance.explain import explain
from citescape.importance.learned.additive import score as score_values
from citescape.importance.learned.predictors import read_predictors
from citescape.importance.learned.training import TrainedImportance
from citescape.importance.read import read_features
from citescape.importance.score import compute_component_weights, score
from citescape.importance.stability import evaluate_stability
from citescape.importance.steps import Stability
from citescape.importance.text_encoder import HASHED
from citescape.ingest.labelled_contexts import load_contexts
from citescape.loaders.citation_labels import read_labels
from citescape.papers.slices import read_slices
from citescape.runs.directory import read_run
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import read_importance_run
from tests.importance.labels import LabelSettings, make_records, write_labels

Rows = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def few_labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = make_records(LabelSettings(papers=20, works=5, seed=2))
    return write_labels(tmp_path_factory.mktemp("labels") / "few.jsonl", records)


@pytest.fixture
def loaded(store: GraphStore, few_labels: Path) -> GraphStore:
    """The sentences of `few_labels` in a store of the user, with titles, abstracts and years."""
    load_contexts(store, read_labels([few_labels]))
    store.write("MATCH (p:Paper) SET p.title = 'On rice ' + p.id, p.year = 2001")
    store.write("MATCH (p:Paper) WHERE p.id ENDS WITH '-1' SET p.title = NULL, p.year = 1990")
    store.write("MATCH (p:Paper) WHERE NOT p.id ENDS WITH '-2' SET p.abstract = 'Rice ' + p.id")
    return store


@pytest.fixture(params=["boosted", "linear"])
def model(request: pytest.FixtureRequest) -> TrainedImportance:
    """A model of sentences alone, without similarities."""
    return request.getfixturevalue("trained" if request.param == "boosted" else "linear")


@pytest.fixture(scope="session")
def linear(
    labels_file: Path, tmp_path_factory: pytest.TempPathFactory, train_file: Any
) -> TrainedImportance:
    run: TrainedImportance = train_file(labels_file, tmp_path_factory.mktemp("runs"), kind="linear")
    return run


def by(model: TrainedImportance, **options: Any) -> Weighting:
    """Weights `learned:` with the folder of a run: it need not be among the runs of the store."""
    return Weighting(weights=f"learned:{model.path}", **options)


def written(store: GraphStore) -> Rows:
    rows = store.read(query("features/scores"), first="", last="~").to_pylist()
    return {(row.pop("citing"), row.pop("cited")): row for row in rows}


def test_learned_scores_are_written_and_explained_bit_for_bit(
    loaded: GraphStore, model: TrainedImportance, tmp_path: Path
) -> None:
    result = score(loaded, by(model), runs=tmp_path)
    assert (result.pairs, result.written, result.unchanged) == (100, 100, False)
    assert read_importance_run(loaded) == result.run
    rows = written(loaded)
    additive = model.read_models()[0]
    slices = read_slices(loaded)
    features = read_features(loaded, slices)
    columns = read_predictors(loaded, slices, features)
    values = np.column_stack([columns[name] for name in additive.names])
    expected = score_values(additive, values)[0]
    citing, cited = features.pairs.ends(np.arange(100))
    pairs = zip(citing.to_pylist(), cited.to_pylist(), strict=True)
    for ends, importance in zip(pairs, expected.tolist(), strict=True):
        assert rows[ends]["importance"] == importance
        assert rows[ends]["run"] == result.run
        assert rows[ends]["title_similarity"] is rows[ends]["abstract_similarity"] is None
    assert len(set(expected.tolist())) > 5

    for ends in list(rows)[::7]:
        explanation = explain(loaded, *ends)
        assert math.fsum(term.product for term in explanation.terms) == explanation.score
        assert explanation.score == rows[ends]["importance"]
        assert explanation.notes == ()
        first, *others = explanation.terms
        assert (first.component, first.value, first.weight) == ("average", None, None)
        assert {term.component for term in others} == set(additive.names)
        sizes = [abs(term.product) for term in others]
        assert sizes == sorted(sizes, reverse=True)
        assert {mention.counts_in for mention in explanation.occurrences} <= {
            (name,) for name in ("I", "M", "R", "D", "other")
        }
        json.dumps(asdict(explanation), allow_nan=False, default=str)
    assert explanation.arrow.num_rows == len(explanation.occurrences)


def test_the_run_holds_the_model(
    loaded: GraphStore, linear: TrainedImportance, tmp_path: Path
) -> None:
    result = score(loaded, by(linear), runs=tmp_path)
    record = read_run(result.path)
    assert record.config["model"] == linear.read_models()[0].to_json()
    assert record.config["weights"] == f"learned:{linear.run}"
    assert record.config["components"] in ([], ())
    assert record.counts["components"] == []
    table = pq.read_table(result.path / "pairs.parquet")
    assert sorted(table["importance"].to_pylist()) == sorted(
        row["importance"] for row in written(loaded).values()
    )
    text = "\n".join(map(str, result.summarise().parts))
    assert "the probability that a citation is important" in text
    assert "leaves out" not in text
    json.dumps(result.summarise().figures, allow_nan=False)


def test_a_second_run_changes_nothing_and_names_are_alike(
    loaded: GraphStore, linear: TrainedImportance, tmp_path: Path
) -> None:
    """A model is the same by the id of its run and by its folder."""
    first = score(loaded, by(linear), runs=tmp_path)
    shutil.copytree(linear.path, tmp_path / linear.run)
    again = score(loaded, Weighting(weights=f"learned:{linear.run}"), runs=tmp_path)
    assert (again.run, again.unchanged) == (first.run, True)
    with pytest.raises(ConfigError, match="has no components and no weights; expected it without"):
        by(linear, features="S,T")
    with pytest.raises(ConfigError, match="has no components and no weights; expected it without"):
        by(linear, types=("review",))


def test_switching_to_entropy_weights_and_back(
    loaded: GraphStore, linear: TrainedImportance, tmp_path: Path
) -> None:
    published = Weighting(features="I,M,R,D")
    first = score(loaded, published, runs=tmp_path)
    before = written(loaded)
    learned = score(loaded, by(linear), runs=tmp_path)
    by_model = written(loaded)
    assert learned.written == 100
    assert by_model != before
    back = score(loaded, published, runs=tmp_path)
    assert (back.run, written(loaded)) == (first.run, before)
    assert not any(term.weight is None for term in explain(loaded, *next(iter(before))).terms)
    assert score(loaded, by(linear), runs=tmp_path).run == learned.run
    assert written(loaded) == by_model


def test_similarities_are_written_where_the_model_has_them(
    loaded: GraphStore, few_labels: Path, tmp_path: Path, train_file: Any
) -> None:
    options = {"store": loaded, "kind": "linear", "folds": 2}
    model = train_file(few_labels, tmp_path, title_encoder=HASHED, **options)
    similar = {"title_similarity", "abstract_similarity"}
    assert similar <= set(model.counts["predictors"])
    score(loaded, by(model), runs=tmp_path)
    rows = written(loaded)
    for (citing, cited), row in rows.items():
        for name, ending in (("title_similarity", "-1"), ("abstract_similarity", "-2")):
            assert (row[name] is None) == cited.endswith(ending), (citing, cited, name)
            assert row[name] is None or 0 <= row[name] <= 1
    for ends in list(rows)[::9]:
        explanation = explain(loaded, *ends)
        assert math.fsum(term.product for term in explanation.terms) == explanation.score
        shown = {term.component: term.value for term in explanation.terms}
        for name in similar:
            assert shown[name] == rows[ends][name]
    assert explanation.notes == ()


def test_a_graph_that_changed_after_scoring_is_noted(
    loaded: GraphStore, trained: TrainedImportance, tmp_path: Path
) -> None:
    run = score(loaded, by(trained), runs=tmp_path).run
    ends = min(written(loaded))
    assert explain(loaded, *ends).notes == ()
    loaded.write(
        "MATCH (p:Paper {id: $id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence) "
        "SET o.context = 'We, in our study, used many more words than in all other sentences.'",
        id=ends[0],
    )
    (note,) = explain(loaded, *ends).notes
    assert note.startswith(f"the graph changed after run {run}, so that the score is out of date")
    score(loaded, by(trained), runs=tmp_path)
    assert explain(loaded, *ends).notes == ()


def test_stability_depends_on_what_learned_scores_depend_on(
    loaded: GraphStore, trained: TrainedImportance, tmp_path: Path
) -> None:
    """The words of sentences are predictors, but no features of citations."""
    config = Stability(features="I,M,R,D", model=(str(trained.path),), draws=2, ranked_draws=1)
    run = evaluate_stability(loaded, config, runs=tmp_path)
    assert evaluate_stability(loaded, config, runs=tmp_path).unchanged
    loaded.write("MATCH (o:Occurrence) SET o.context = 'We used rice.'")
    again = evaluate_stability(loaded, config, runs=tmp_path)
    rows, others = ({row["choice"]: row for row in r.arrow.to_pylist()} for r in (run, again))
    assert again.run != run.run
    assert {name for name in rows if rows[name] != others[name]} == {f"learned: {trained.path}"}


def test_a_new_citation_of_the_paper_is_noted_or_harmless(
    loaded: GraphStore, linear: TrainedImportance, tmp_path: Path
) -> None:
    """The new pair has no counts yet."""
    score(loaded, by(linear), runs=tmp_path)
    citing, cited = next(iter(written(loaded)))
    loaded.write("MATCH (a:Paper {id: $a}) CREATE (a)-[:CITES]->(b:Paper {id: 'new'})", a=citing)
    explanation = explain(loaded, citing, cited)
    assert math.fsum(term.product for term in explanation.terms) == explanation.score
    assert "not scored yet" in explain(loaded, citing, "new").notes[0]


def test_weights_of_a_reference_run(
    loaded: GraphStore, linear: TrainedImportance, tmp_path: Path, fresh_store: Any, load: Any
) -> None:
    reference = score(loaded, Weighting(features="I,R,D"), runs=tmp_path)
    weights = {row.component: row.weight for row in reference.statistics}
    before = {ends: row["importance"] for ends, row in written(loaded).items()}
    learned = score(loaded, by(linear), runs=tmp_path)
    named = Weighting(features="I,R,D", weights=f"from:{reference.run}")
    again = score(loaded, named, runs=tmp_path)
    assert {row.component: row.weight for row in again.statistics} == weights
    assert {ends: row["importance"] for ends, row in written(loaded).items()} == before
    ends = next(iter(before))
    terms = explain(loaded, *ends).terms
    assert {term.component: term.weight for term in terms} == weights
    by_folder = Weighting(features="I,R,D", weights=f"from:{reference.path}")
    assert score(loaded, by_folder, runs=tmp_path).run == again.run
    shown = compute_component_weights(loaded, named, runs=tmp_path)
    assert {row.component: row.weight for row in shown.statistics} == weights

    for config, found in (
        (Weighting(weights=f"from:{reference.run}"), r"has weights of I, R, D .* of I, R, D, S"),
        (Weighting(features="I,R,D", weights=f"from:{reference.run}", combined="both"), "combined"),
        (Weighting(weights=f"from:{learned.run}"), "has weights of no components"),
        (Weighting(weights="from:score-none"), "no run 'score-none' in .* of `platform score`"),
        (Weighting(weights=f"from:{linear.path}"), "is a run of `platform importance train`"),
    ):
        with pytest.raises(ConfigError, match=found):
            score(loaded, config, runs=tmp_path)
    assert read_importance_run(loaded) == again.run


def test_wrong_models_are_refused(
    loaded: GraphStore, linear: TrainedImportance, tmp_path: Path
) -> None:
    entropy = score(loaded, Weighting(features="I,R,D"), runs=tmp_path)
    for named, found in (
        ("importance-none", "no run 'importance-none' in .*platform importance train"),
        (entropy.run, "is a run of `platform score`; expected a run of `platform importance"),
    ):
        with pytest.raises(ConfigError, match=found):
            score(loaded, Weighting(weights=f"learned:{named}"), runs=tmp_path)
    with pytest.raises(ConfigError, match="has no weights of components; expected entropy"):
        compute_component_weights(loaded, by(linear), runs=tmp_path)
    for weights in ("learned", "learned:", "from", "from:", "other:x"):
        with pytest.raises(ConfigError, match="expected one of: entropy, from:RUN, learned:RUN"):
            Weighting(weights=weights)
    assert read_importance_run(loaded) == entropy.run


def test_a_store_of_tables_has_no_mentions_to_learn_from(
    store: GraphStore, load: Any, make_graph: Any, linear: TrainedImportance, tmp_path: Path
) -> None:
    load(store, make_graph(3, ((0, 1), (0, 2))))
    store.write("MATCH (p:Paper) SET p.loader = 'csv-2'")
    with pytest.raises(StoreError, match="learned scores count in-text citations"):
        score(store, by(linear), runs=tmp_path)
