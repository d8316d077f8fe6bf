"""Scores of all papers, compared with other implementations."""

from __future__ import annotations

from typing import Any

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from citescape.core.types import Document
from citescape.recommend.fields import DenseField, LexicalField
from citescape.recommend.queries import ContextQueries
from citescape.recommend.tiles import scale
from citescape.search.bm25 import compute_weights
from citescape.search.words import count_words
from tests.training.conftest import WORDS

ROWS = arrays(np.float32, (7, 3), elements=st.integers(-3, 3))
COUNTS = arrays(np.float32, (7, 5), elements=st.sampled_from([0, 0, 0, 1, 2]))
CHOSEN = arrays(np.bool_, 7)


def make_queries(vectors: Any, words: Any) -> ContextQueries:
    return ContextQueries.from_vectors(
        np.asarray(vectors, np.float32), csr_array(np.asarray(words, np.float32))
    )


def score(field: DenseField | LexicalField, queries: ContextQueries, part: slice) -> Any:
    return field.scorer(queries, part)(slice(0, len(field)))


def vectors_of(field: DenseField | LexicalField) -> Any:
    rows = np.arange(len(field))
    return field.vectors[rows] if isinstance(field, DenseField) else field.weights.toarray()


@given(ROWS, ROWS, st.integers(0, 6))
def test_scores_are_cosines(base: Any, query_vectors: Any, start: int) -> None:
    """The cosine of a zero vector with any vector is 0."""
    found = score(DenseField(base), make_queries(query_vectors, np.zeros((7, 1))), slice(start, 7))
    for query in range(start, 7):
        for paper in range(7):
            lengths = np.linalg.norm(query_vectors[query]) * np.linalg.norm(base[paper])
            wanted = np.dot(query_vectors[query], base[paper]) / lengths if lengths else 0
            assert found[query - start, paper] == pytest.approx(wanted, abs=1e-6)


def test_scaling_does_not_change_its_input() -> None:
    rows = np.array([[3, 4], [0, 0], [1e-9, 0]], np.float32)
    kept = rows.copy()
    assert scale(rows) == pytest.approx(np.array([[0.6, 0.8], [0, 0], [1, 0]]))
    assert (rows == kept).all()


@given(COUNTS, COUNTS, st.integers(0, 6))
def test_scores_of_words_are_sums_of_products(weights: Any, query_weights: Any, start: int) -> None:
    field = LexicalField(csr_array(weights))
    found = score(field, make_queries(np.zeros((7, 1)), query_weights), slice(start, 7))
    assert (
        found.tolist() == (query_weights[start:] @ weights.T).tolist()
    )  # small whole numbers are exact
    some = field.scorer(make_queries(np.zeros((7, 1)), query_weights), slice(start, 7))(slice(2, 6))
    assert some.tolist() == found[:, 2:6].tolist()


def test_bm25_agrees_with_bm25s() -> None:
    """bm25s omits the factor k1 + 1, which is the same for all words."""
    chance = np.random.default_rng(0)
    texts = [list(chance.choice(WORDS[0], size)) for size in chance.integers(1, 30, 40)]
    queries = [list(chance.choice(WORDS[0], 4, replace=False)) for _ in range(9)]
    known, counts = count_words([Document("", " ".join(text)) for text in texts])
    query_counts = [[word in query for word in known] for query in queries]
    assert known == sorted(WORDS[0])
    field = LexicalField(compute_weights(counts))
    found = score(field, make_queries(np.zeros((9, 1)), query_counts), slice(0, 9))
    other = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    other.index(texts, show_progress=False)
    for query, scores in zip(queries, found, strict=True):
        assert scores == pytest.approx(2.2 * other.get_scores(query), rel=1e-4)


@given(st.sampled_from([ROWS, COUNTS]).flatmap(lambda rows: st.tuples(rows, rows)), CHOSEN)
def test_mix_and_select_rows_choose_rows(both: Any, chosen: Any) -> None:
    def make(rows: Any) -> Any:
        return LexicalField(csr_array(rows)) if rows.shape[1] == 5 else DenseField(rows)

    first, second = map(make, both)
    assert len(first) == 7
    wanted = np.where(chosen[:, None], both[1], both[0])
    assert (vectors_of(first.mix(second, chosen)) == wanted).all()
    rows = np.flatnonzero(chosen)
    assert (vectors_of(first.select_rows(rows)) == both[0][rows]).all()
    assert len(first.select_rows(rows)) == len(rows)
