"""Section types from a model next to types from rules alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.importance.config import Weighting
from citescape.importance.explain import explain
from citescape.importance.read import read_features
from citescape.importance.score import score
from citescape.papers.slices import read_slices
from citescape.store.graph_store import GraphStore

PAIRS = ((0, 1), (0, 2), (0, 3), (4, 1))
MENTIONS = (
    ((0, 1), "I", None),
    ((0, 1), "R", None),
    ((0, 2), "R", None),
    ((0, 2), "R", None),
    ((0, 3), "other", None),
    ((4, 1), "D", None),
)

BY_MODEL = Weighting(features="I,R,D", weights="uniform")
BY_RULES = Weighting(features="I,R,D", weights="uniform", sections="rules")


@pytest.fixture
def labelled(store: GraphStore, load: Any, make_graph: Any) -> GraphStore:
    """Paper 0's results section, and its section of type `other`, are typed by a model."""
    load(store, make_graph(5, PAIRS, MENTIONS))
    store.write(
        "MATCH (p:Paper {id: 'doi:10.1234/p0'})-[:HAS_SECTION]->(s:Section) "
        "WHERE s.type IN ['R', 'other'] "
        "SET s.type_run = 'sections-1', s.type_source = 'model', s.type_probability = 0.75"
    )
    return store


def test_with_rules_alone_sections_typed_by_a_model_count_as_other(labelled: GraphStore) -> None:
    slices = read_slices(labelled)
    by_model = read_features(labelled, slices)
    by_rules = read_features(labelled, slices, sections="rules")
    assert by_model.mentions_by_type == {"I": 1, "M": 0, "R": 3, "D": 1, "other": 1}
    assert by_rules.mentions_by_type == {"I": 1, "M": 0, "R": 0, "D": 1, "other": 4}
    assert by_model.mentions.tolist() == by_rules.mentions.tolist() == [2, 2, 1, 1]


def test_pairs_that_differ_are_counted_once(labelled: GraphStore) -> None:
    slices = read_slices(labelled)
    by_model = read_features(labelled, slices)
    by_rules = read_features(labelled, slices, sections="rules")
    differ = (by_model.counts != by_rules.counts).any(axis=1)
    assert by_model.relabelled == by_rules.relabelled == differ.sum() == 2


def test_both_settings_have_separate_runs(labelled: GraphStore, tmp_path: Path) -> None:
    by_model = score(labelled, BY_MODEL, runs=tmp_path)
    assert (by_model.relabelled, by_model.pairs) == (2, 4)
    again = score(labelled, BY_MODEL, runs=tmp_path)
    assert (again.run, again.unchanged) == (by_model.run, True)
    by_rules = score(
        labelled,
        BY_RULES,
        runs=tmp_path,
    )
    assert by_rules.run != by_model.run
    assert by_rules.written == 4  # all pairs get the run's name, two of them other counts
    assert by_rules.config.sections == "rules"


def test_an_explanation_shows_the_types_used_by_the_run(
    labelled: GraphStore, tmp_path: Path
) -> None:
    ends = ("10.1234/p0", "10.1234/p2")
    score(labelled, BY_MODEL, runs=tmp_path)
    explanation = explain(labelled, *ends)
    assert [(m.type, m.type_source, m.probability) for m in explanation.occurrences] == [
        ("R", "model", 0.75)
    ] * 2
    assert explanation.notes == ()
    score(
        labelled,
        BY_RULES,
        runs=tmp_path,
    )
    explanation = explain(labelled, *ends)
    assert [(m.type, m.counts_in) for m in explanation.occurrences] == [("other", ())] * 2
    assert explanation.score == 0


def test_an_explanation_reports_types_that_changed(labelled: GraphStore, tmp_path: Path) -> None:
    ends = ("10.1234/p0", "10.1234/p2")
    run = score(labelled, BY_MODEL, runs=tmp_path).run
    assert explain(labelled, *ends).notes == ()
    labelled.write("MATCH (s:Section) WHERE s.type_run = 'sections-1' SET s.type = 'D'")
    explanation = explain(labelled, *ends)
    assert [(t.component, t.value) for t in explanation.terms] == [("I", 0), ("R", 2), ("D", 0)]
    assert {mention.counts_in for mention in explanation.occurrences} == {("D",)}
    (note,) = explanation.notes
    assert note.startswith(f"section types changed after run {run}: the citations below are shown")
    assert note.endswith(f"run `platform score --store {labelled.location}`")
    score(labelled, BY_MODEL, runs=tmp_path)
    explanation = explain(labelled, *ends)
    assert (explanation.notes, explanation.terms[2].value) == ((), 2)


def test_sections_typed_by_a_model_name_its_run(labelled: GraphStore, tmp_path: Path) -> None:
    labelled.write("MATCH (s:Section) SET s.type_probability = NULL")
    score(labelled, BY_RULES, runs=tmp_path)
    explanation = explain(labelled, "10.1234/p0", "10.1234/p2")
    assert [(m.type, m.counts_in) for m in explanation.occurrences] == [("other", ())] * 2
    assert explanation.notes == ()


def test_pairs_that_differ_are_counted_in_any_slices(labelled: GraphStore) -> None:
    for size in (1, 2, 100):
        assert read_features(labelled, read_slices(labelled, pairs=size)).relabelled == 2


def test_an_invalid_choice_lists_the_valid_choices(labelled: GraphStore) -> None:
    with pytest.raises(ConfigError, match="sections is 'bert'; expected one of: model, rules"):
        score(labelled, Weighting(sections="bert"))
