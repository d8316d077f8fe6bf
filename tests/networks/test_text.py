"""BM25 by hand, compared with plain loops and with bm25s; networks of texts from a store."""

from __future__ import annotations

import math
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError, StoreError
from citescape.core.types import Document
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.networks.text import link_texts
from citescape.search.bm25 import compute_weights
from citescape.search.terms import ANALYSER, count_terms
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert
from tests.networks.conftest import listed

Row = dict[int, int]
rows_of_terms = st.lists(
    st.dictionaries(st.integers(0, 7), st.integers(1, 4), max_size=5), min_size=1, max_size=8
)
parameters = st.sampled_from([(1.2, 0.75), (2.0, 0.0), (0.0, 0.5), (0.5, 1.0)])


def matrix(rows: list[Row]) -> csr_array:
    dense = np.zeros((len(rows), 8))
    for k, row in enumerate(rows):
        for term, count in row.items():
            dense[k, term] = count
    return csr_array(dense)


def score(rows: list[Row], query: int, text: int, *, k1: float, b: float) -> float:
    """Okapi BM25, term by term."""
    mean = sum(sum(row.values()) for row in rows) / len(rows)
    total = 0.0
    for term, times in rows[query].items():
        f = rows[text].get(term, 0)
        n = sum(term in row for row in rows)
        idf = math.log((len(rows) - n + 0.5) / (n + 0.5) + 1)
        if f:
            damping = k1 * (1 - b + b * sum(rows[text].values()) / mean)
            total += times * idf * f * (k1 + 1) / (f + damping)
    return total


def test_bm25_of_two_texts_equals_hand_computed_scores() -> None:
    """N = 3; term 0 is in two texts; lengths 3, 1, 2, so m = 2."""
    rows: list[Row] = [{0: 2, 1: 1}, {0: 1}, {2: 2}]
    ends, scores = link_texts(matrix(rows), compute_weights(matrix(rows), k1=1.2, b=0.75), k=2)
    idf = math.log((3 - 2 + 0.5) / (2 + 0.5) + 1)
    forth = 2 * idf * 1 * (1.2 + 1) / (1 + 1.2 * (1 - 0.75 + 0.75 * 1 / 2))
    back = 1 * idf * 2 * (1.2 + 1) / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 2))
    assert [end.tolist() for end in ends] == [[0], [1]]
    assert scores.tolist() == pytest.approx([(forth + back) / 2])


@settings(max_examples=80, deadline=None)
@given(rows_of_terms, parameters, st.integers(1, 8))
@example([{}, {0: 1}, {0: 1}], (1.2, 0.75), 1)  # less than one term per text
def test_pairs_and_scores_equal_plain_loops(
    rows: list[Row], parameters_: tuple[float, float], k: int
) -> None:
    k1, b = parameters_
    counts = matrix(rows)
    ends, scores = link_texts(counts, compute_weights(counts, k1=k1, b=b), k=k)
    expected = {}
    for i in range(len(rows)):
        others = [j for j in range(len(rows)) if j != i]
        by_score = {j: score(rows, i, j, k1=k1, b=b) for j in others}
        ranked = sorted((-round(s, 12), j) for j, s in by_score.items() if s > 0)
        least = -ranked[min(k, len(ranked)) - 1][0] if ranked else 0.0
        for j in (j for s, j in ranked if -s >= least):
            both = (by_score[j] + score(rows, j, i, k1=k1, b=b)) / 2
            expected[min(i, j), max(i, j)] = both
    weights = dict(zip(zip(*(end.tolist() for end in ends), strict=True), scores, strict=True))
    assert set(weights) <= set(expected)  # at the end, equal scores prefer the lower row
    assert len(weights) >= min(1, len(expected))
    assert weights == {pair: pytest.approx(expected[pair]) for pair in weights}
    degrees = np.bincount(np.concatenate(ends), minlength=len(rows))
    for i in range(len(rows)):
        positive = sum(score(rows, i, j, k1=k1, b=b) > 0 for j in range(len(rows)) if j != i)
        assert degrees[i] >= min(k, positive)


def test_equal_scores_prefer_the_lower_row() -> None:
    rows: list[Row] = [{0: 1}, {0: 1}, {0: 1}, {0: 1}]
    ends, _ = link_texts(matrix(rows), compute_weights(matrix(rows)), k=1)
    assert [end.tolist() for end in ends] == [[0, 0, 0], [1, 2, 3]]


def test_weights_equal_bm25s() -> None:
    random = np.random.default_rng(0)
    texts = [random.integers(0, 300, size).tolist() for size in random.integers(1, 80, 200)]
    counts = np.zeros((200, 300))
    for row, text in enumerate(texts):
        np.add.at(counts[row], text, 1)
    kept = np.flatnonzero(counts.sum(axis=0))
    other = bm25s.BM25(k1=1.5, b=0.6, method="atire", idf_method="lucene", dtype="float64")
    words = [[str(term) for term in text] for text in texts]
    other.index(words, show_progress=False)
    ours = compute_weights(csr_array(counts[:, kept]), k1=1.5, b=0.6)
    for query in range(0, 200, 20):
        expected = other.get_scores(words[query])
        assert counts[query][kept] @ ours.T.toarray() == pytest.approx(expected, abs=1e-6)


def test_empty_texts() -> None:
    for shape in ((0, 0), (3, 0), (0, 4)):
        counts = csr_array(shape)
        ends, scores = link_texts(counts, compute_weights(counts))
        assert [len(ends[0]), len(ends[1]), len(scores)] == [0, 0, 0]


TEXTS = {
    "a": ("Rice blast", "The fungus Magnaporthe oryzae causes rice blast."),
    "b": ("Blast of rice", "Magnaporthe oryzae"),
    "c": ("Salt tolerance of wheat", None),
    "d": ("Wheat under salt", "Tolerance"),
    "e": (None, "—"),
    "f": (None, " "),
}


def fill(store: GraphStore) -> GraphStore:
    papers = [
        {"id": id_, "title": title, "abstract": abstract, "fulltext": True}
        for id_, (title, abstract) in TEXTS.items()
    ]
    insert(store, "Paper", [*papers, {"id": "z", "title": "Rice blast", "fulltext": False}])
    return store


def test_a_network_of_texts(store: GraphStore, tmp_path: Path) -> None:
    """Papers without text or terms are isolated and counted."""
    run = build(fill(store), NetworkConfig(kind="bm25"), runs=tmp_path)
    assert run.counts["without_text"] == 1
    assert run.counts["without_terms"] == 1
    assert (run.counts["papers"], run.counts["isolated"]) == (6, 2)
    assert set(listed(run.read())) == {"ab", "cd"}
    assert run.record.inputs["analyser"] == ANALYSER
    documents = [Document(title or "", (text or "").strip()) for title, text in TEXTS.values()][:5]
    terms = count_terms(documents)
    rows = [
        dict(zip(row.indices.tolist(), row.data.astype(int).tolist(), strict=True))
        for row in (terms.counts[[k]] for k in range(5))
    ]
    forth, back = (score(rows, i, j, k1=1.2, b=0.75) for i, j in ((0, 1), (1, 0)))
    assert listed(run.read())["ab"] == pytest.approx((forth + back) / 2)
    assert build(store, NetworkConfig(kind="bm25"), runs=tmp_path).unchanged
    whole = build(store, NetworkConfig(kind="bm25", papers="all"), runs=tmp_path)
    assert {"az", "bz"} <= set(listed(whole.read()))


def test_settings_and_texts_decide_the_run(store: GraphStore, tmp_path: Path) -> None:
    fill(store)
    every = [
        NetworkConfig(kind="bm25", **changes)
        for changes in ({}, {"k1": 2.0}, {"b": 0.5}, {"k": 1}, {"terms": "words"}, {"seed": 3})
    ]
    runs = [build(store, config, runs=tmp_path).run for config in every]
    assert len(set(runs)) == 5
    assert runs[0] == runs[-1]  # the seed has no effect here
    insert(store, "Paper", [{"id": "g", "title": "Barley", "fulltext": True}])
    assert build(store, every[0], runs=tmp_path).run not in runs


def test_missing_texts_are_reported(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    with pytest.raises(StoreError, match="holds no papers for a network"):
        build(store, NetworkConfig(kind="bm25"), runs=runs)
    insert(store, "Paper", [{"id": "a", "fulltext": True}, {"id": "b", "fulltext": True}])
    with pytest.raises(StoreError, match="none with a title or an abstract"):
        build(store, NetworkConfig(kind="bm25"), runs=runs)
    insert(store, "Paper", [{"id": "c", "title": "Rice", "fulltext": True}])
    with pytest.raises(ConfigError, match="terms is 'stems'; expected one of: phrases, words"):
        build(store, NetworkConfig(kind="bm25", terms="stems"), runs=runs)
    assert list(runs.iterdir()) == []
