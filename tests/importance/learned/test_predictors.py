"""Predictors of pairs: each by its definition, the same for one pair and for all."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.importance.config import Weighting
from citescape.importance.learned.predictors import TABLE, read_pair_predictors, read_predictors
from citescape.importance.read import read_features
from citescape.importance.score import score
from citescape.papers.slices import read_slices
from citescape.store.graph_store import GraphStore

P = [f"doi:10.1234/p{k}" for k in range(4)]
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2))
MENTIONS = (
    ((0, 1), "I", False),
    ((0, 1), "R", False),
    ((0, 2), "I", False),
    ((1, 2), "M", False),
)
OCCURRENCES = [f"{P[citing]}#o{k}" for k, ((citing, _), _, _) in enumerate(MENTIONS)]
SENTENCES = (
    ("We follow Lee [1, 2].", "[1", 0.25),
    ("It grew [1].", "[1]", 0.75),
    ("We follow Lee [1, 2].", "2]", 0.25),
    ("Shown by Wu et al. [3, 7-9].", "[3", 0.5),
)


def north(texts: list[str]) -> np.ndarray:
    """Texts in the same direction if they are of equal length."""
    angles = np.array([len(text) for text in texts], float)
    return np.column_stack([np.cos(angles), np.sin(angles)])


@pytest.fixture
def described(store: GraphStore, load: Any, make_graph: Any) -> GraphStore:
    """Paper 0 cites 1 (twice), 2 and 3 (never in the text); 1 cites 2; 0 and 2 share an author."""
    titles = {0: "Rice", 1: "Rice", 2: None, 3: "On rust of wheat"}
    load(store, make_graph(4, PAIRS, MENTIONS, ((0, 0), (0, 2)), titles))
    for id_, (context, marker, position) in zip(OCCURRENCES, SENTENCES, strict=True):
        store.write(
            "MATCH (o:Occurrence {id: $id}) SET o.context = $context, o.marker = $marker, "
            "o.position = $position",
            id=id_,
            context=context,
            marker=marker,
            position=position,
        )
    store.write(
        "MATCH (o:Occurrence {id: $id}) SET o.intents = ['result'], o.intent_background = 0.25, "
        "o.intent_method = 0.5, o.intent_result = 0.75",
        id=OCCURRENCES[0],
    )
    store.write("MATCH (o:Occurrence {id: $id}) SET o.intents = ['method']", id=OCCURRENCES[1])
    for paper, year in ((0, 2010), (1, 2004), (2, 2012)):
        store.write("MATCH (p:Paper {id: $id}) SET p.year = $year", id=P[paper], year=year)
    for paper, abstract in ((0, "abcdef"), (1, "abcdef"), (3, "")):
        store.write("MATCH (p:Paper {id: $id}) SET p.abstract = $text", id=P[paper], text=abstract)
    return store


def read(store: GraphStore, **options: Any) -> dict[str, list[float]]:
    slices = read_slices(store)
    columns = read_predictors(store, slices, read_features(store, slices), **options)
    assert set(columns) == set(TABLE)
    return {name: column.tolist() for name, column in columns.items()}


def test_each_predictor_by_its_definition(described: GraphStore) -> None:
    """Pairs in order: (0, 1), (0, 2), (0, 3), (1, 2)."""
    nan = math.nan
    words = [(4 + 1) / 1, 3]
    expected = {
        "mentions": [2, 1, 0, 1],
        "in_introduction": [1 / 2, 1, nan, 0],
        "in_methods": [0, 0, nan, 1],
        "in_results": [1 / 2, 0, nan, 0],
        "in_discussion": [0, 0, nan, 0],
        "fewest_beside": [0, 1, nan, 3],  # [1, 2] is one beside, [3, 7-9] three
        "words": [(words[0] + words[1]) / 2, words[0], nan, 7],
        "own_voice": [1 / 2, 1, nan, 0],
        "names_authors": [1 / 2, 0, nan, 1],
        "place": [8 / 12, 18 / 21, nan, 19 / 28],
        "background": [(0.25 + 0) / 2, nan, nan, nan],
        "method": [(0.5 + 1) / 2, nan, nan, nan],
        "result": [(0.75 + 0) / 2, nan, nan, nan],
        "first_position": [0.25, 0.25, nan, 0.5],
        "spread": [0.5, 0, nan, 0],
        "self": [0, 1, 0, 0],
        "title_similarity": [nan] * 4,
        "abstract_similarity": [nan] * 4,
        "age": [6, -2, nan, -8],
        "cited_by": [1, 2, 1, 2],
        "references": [3, 3, 3, 1],
    }
    found = read(described)
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, nan_ok=True), name
    assert found["place"][0] == min(14 / 21, 8 / 12)


def test_similarities_with_an_encoder(described: GraphStore) -> None:
    found = read(described, encode_texts=north)
    assert found["title_similarity"][0] == 1
    assert np.isnan(found["title_similarity"]).tolist() == [False, True, False, True]
    assert found["title_similarity"][2] == pytest.approx(math.cos(16 - 4), abs=2**-15)
    assert np.isnan(found["abstract_similarity"]).tolist() == [False, True, True, True]


def test_works_in_one_sentence_without_markers_are_counted_in_the_graph(
    store: GraphStore, load: Any, make_graph: Any
) -> None:
    """The same text in two papers is two sentences; one work twice in a sentence is one work."""
    mentions = [((i, j), "I", False) for i, j in ((0, 1), (0, 2), (0, 3), (0, 3), (1, 2))]
    load(store, make_graph(4, PAIRS, tuple(mentions)))
    store.write("MATCH (o:Occurrence) SET o.context = 'As others found.'")
    assert read(store)["fewest_beside"] == [2, 2, 2, 0]


@pytest.mark.parametrize("text", ["''", "NULL"])
def test_mentions_without_their_sentence_have_no_wording(
    text: str, store: GraphStore, load: Any, make_graph: Any
) -> None:
    load(store, make_graph(4, PAIRS, MENTIONS))
    store.write(f"MATCH (o:Occurrence) SET o.context = {text}, o.marker = {text}")
    found = read(store)
    assert found["mentions"] == [2, 1, 0, 1]
    for name in ("fewest_beside", "words", "own_voice", "names_authors", "place"):
        assert np.isnan(found[name]).all(), name


def test_a_graph_without_mentions(store: GraphStore, load: Any, make_graph: Any) -> None:
    load(store, make_graph(4, PAIRS))
    found = read(store)
    assert found["mentions"] == [0, 0, 0, 0]
    assert np.isnan(found["in_methods"] + found["fewest_beside"] + found["spread"]).all()


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_one_pair_has_the_predictors_that_all_pairs_have(
    data: st.DataObject,
    small_graphs: Any,
    load: Any,
    fresh_store: Callable[[], GraphStore],
    tmp_path: Path,
) -> None:
    store = load(fresh_store(), graph := data.draw(small_graphs))
    store.write("MATCH (o:Occurrence) SET o.context = 'We follow [1, 2] ' + o.id, o.marker = '[1'")
    store.write("MATCH (p:Paper) WHERE p.title IS NOT NULL SET p.year = 2000")
    score(store, Weighting(weights="uniform"), runs=tmp_path)
    slices = read_slices(store)
    features = read_features(store, slices)
    columns = read_predictors(store, slices, features)
    citing, cited = features.pairs.ends(np.arange(len(graph.pairs)))
    for row, ends in enumerate(zip(citing.to_pylist(), cited.to_pylist(), strict=True)):
        one = read_pair_predictors(store, *ends)
        every = {name: float(column[row]) for name, column in columns.items()}
        assert repr(sorted(one.items())) == repr(sorted(every.items()))


def test_a_pair_that_is_not_scored_does_not_disturb_another(
    described: GraphStore, tmp_path: Path
) -> None:
    score(described, Weighting(weights="uniform"), runs=tmp_path)
    before = read_pair_predictors(described, P[0], P[1])
    described.write(
        "MATCH (a:Paper {id: $a}) CREATE (a)-[:CITES]->(b:Paper {id: 'doi:10.1234/new'})", a=P[0]
    )
    after = read_pair_predictors(described, P[0], P[1])
    assert {name for name in before if repr(before[name]) != repr(after[name])} == {"references"}
