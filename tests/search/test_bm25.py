from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.search import postings
from citescape.search.bm25 import Bm25
from citescape.search.terms import count_terms
from citescape.search.words import count_words

COUNTS = csr_array(
    np.array(
        [
            # a, b, c, d, e
            [2, 1, 0, 0, 0],
            [0, 1, 1, 0, 0],
            [0, 0, 2, 1, 1],
            [1, 0, 1, 0, 0],  # the query "a c"
        ],
        np.float32,
    )
)


def test_scores_by_hand() -> None:
    pool = Bm25(COUNTS, k1=1.2, b=0.75).among(np.arange(3))
    found = pool.search(np.array([3]), 3)
    assert found.papers.tolist() == [[0, 2, 1]]
    assert found.scores[0].tolist() == pytest.approx([1.348640, 0.590862, 0.544215], abs=1e-6)
    scores = pool.score(np.array([3, 3, 3]), np.array([0, 1, 2]))
    assert scores.tolist() == pytest.approx([1.348640, 0.544215, 0.590862], abs=1e-6)


def by_the_formula(counts: np.ndarray, query: int, pool: np.ndarray, k1: float, b: float) -> list:
    """(score, row) of papers with a common word, best first."""
    among, lengths = counts[pool], counts[pool].sum(axis=1)
    mean = lengths.mean() or 1.0
    scored = []
    for row, paper in zip(pool, among, strict=True):
        score = 0.0
        for word, often in enumerate(counts[query]):
            having = (among[:, word] > 0).sum()
            rarity = np.log(1 + (len(pool) - having + 0.5) / (having + 0.5))
            damped = paper[word] + k1 * (1 - b + b * paper.sum() / mean)
            score += often * rarity * paper[word] * (k1 + 1) / damped if paper[word] else 0.0
        if row != query and score > 0:
            scored.append((-score, row))
    return sorted(scored)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 40),
    st.sampled_from([0.0, 0.9, 1.2, 2.0]),
    st.sampled_from([0.0, 0.4, 0.75, 1.0]),
)
def test_search_equals_the_formula_for_any_pool(
    seed: int, papers: int, k1: float, b: float
) -> None:
    chance = np.random.default_rng(seed)
    counts = chance.poisson(0.4, (papers, 12)).astype(np.float32)
    rows = np.flatnonzero(chance.random(papers) < 0.7)
    pool = rows if len(rows) else np.arange(papers)
    queries = chance.permutation(papers)[:5].astype(np.int64)
    searched = Bm25(csr_array(counts), k1, b, threads=2).among(pool).search(queries, 7)
    for query, found, scores in zip(queries, searched.papers, searched.scores, strict=True):
        expected = by_the_formula(counts, query, pool, k1, b)[:7]
        there = found >= 0
        assert there.sum() == len(expected)
        assert scores[there] == pytest.approx([-score for score, _ in expected], rel=1e-6)
        assert set(found[there]) <= set(pool) - {query}
        again = Bm25(csr_array(counts), k1, b).among(pool)
        each = again.score(np.full(there.sum(), query), found[there].astype(np.int64))
        assert scores[there] == pytest.approx(each, rel=1e-6)


def test_papers_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 3 * postings.STRETCH + 5
    counts = csr_array(np.ones((size, 1), np.float32))  # all scores are equal
    found = Bm25(counts).among(np.arange(size)).search(np.array([1, size - 1]), 4)
    assert found.papers.tolist() == [
        [0, 2, 3, 4],
        [0, 1, 2, 3],
    ]  # never the query; lower rows first


@pytest.mark.parametrize("k", [1, 30, 1500])
@pytest.mark.parametrize("b", [0.0, 0.75])
def test_many_papers_and_ties(k: int, b: float) -> None:
    """Scores are summed word by word like in the search, so that ties are the same."""
    chance = np.random.default_rng(9)
    counts = chance.poisson(chance.random(12) ** 3, (2 * postings.STRETCH + 999, 12))
    ranker = Bm25(csr_array(counts.astype(np.float32)), b=b)
    pool = ranker.among(np.arange(len(counts)))
    weights = pool.weights.toarray().astype(np.float32).astype(np.float64)
    queries = np.array([5, 40_000, len(counts) - 1])
    found = pool.search(queries, k)
    for query, papers, scores in zip(queries, found.papers, found.scores, strict=True):
        sums = np.zeros(len(counts))
        for word in np.flatnonzero(counts[query]):
            sums += counts[query, word] * weights[:, word]
        sums[query] = 0
        order = np.argsort(-sums, kind="stable")[:k]
        assert papers.tolist() == order.tolist()
        assert scores.tolist() == sums[order].astype(np.float32).tolist()


def test_papers_without_words_are_not_found() -> None:
    counts = csr_array(np.array([[1.0, 0], [0, 0], [1, 1]], np.float32))
    ranker = Bm25(counts)
    assert ranker.lacks(np.arange(3)).tolist() == [False, True, False]
    found = ranker.among(np.arange(3)).search(np.array([0, 1]), 2)
    assert found.papers.tolist() == [[2, -1], [-1, -1]]


def test_a_paper_outside_the_pool_is_not_scored() -> None:
    with pytest.raises(ConfigError, match="1 papers to be scored are not in the pool"):
        Bm25(COUNTS).among(np.array([0, 2])).score(np.array([3, 3]), np.array([0, 1]))


@pytest.mark.parametrize(("k1", "b"), [(-0.1, 0.5), (1.2, 1.1), (float("nan"), 0.5)])
def test_invalid_settings_are_refused(k1: float, b: float) -> None:
    with pytest.raises(ConfigError, match=r"expected k1 >= 0 and 0 <= b <= 1"):
        Bm25(COUNTS, k1, b)


texts = st.text("abcXYZ-' .,é0123456789thes", max_size=60)


@given(st.lists(st.tuples(texts, texts), max_size=6))
def test_words_equal_those_of_terms(pairs: list[tuple[str, str]]) -> None:
    documents = [Document(*pair) for pair in pairs]
    keys, counts = count_words(documents)
    expected = count_terms(documents, "words")
    assert keys == expected.keys
    assert (counts.toarray() == expected.counts.toarray()).all()


def test_an_empty_pool_has_no_results() -> None:
    found = Bm25(COUNTS).among(np.empty(0, np.int64)).search(np.array([0, 3]), 2)
    assert found.papers.tolist() == [[-1, -1], [-1, -1]]
