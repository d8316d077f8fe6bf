"""TF-IDF, compared with scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer

from citescape.core.types import Document
from citescape.search.lexical import TfIdf, weigh_tfidf

TEXTS = [
    "rice blast rice resistance blast rice",
    "millet yield drought",
    "drought resistance rice",
    "galaxies",
    "",
]


def by_scikit_learn(counts: np.ndarray) -> np.ndarray:
    """Cosines of scikit-learn, corrected because its idf is ln(N / n) + 1."""
    having = np.maximum((counts > 0).sum(axis=0), 1)
    sublinear = TfidfTransformer(use_idf=False, norm=None, sublinear_tf=True)
    weights = sublinear.fit_transform(counts).toarray() * np.log(len(counts) / having)
    norms = np.linalg.norm(weights, axis=1, keepdims=True)
    units = np.divide(weights, norms, out=np.zeros_like(weights), where=norms > 0)
    return units @ units.T


def test_cosines_equal_those_of_scikit_learn() -> None:
    vectors = TfidfVectorizer(smooth_idf=False, sublinear_tf=True, norm=None)
    vectors.fit(TEXTS[:4])
    # without the 1 that scikit-learn adds, following Salton and Buckley
    vectors.idf_ = np.log(len(TEXTS) / (len(TEXTS) - 1)) + vectors.idf_ - 1
    weights = vectors.transform(TEXTS).toarray()
    units = weights / np.maximum(np.linalg.norm(weights, axis=1, keepdims=True), 1e-300)
    pool = TfIdf.from_documents([Document(text) for text in TEXTS]).among(np.arange(5))
    queries, papers = (side.ravel() for side in np.mgrid[0:5, 0:5])
    found = pool.score(queries, papers).reshape(5, 5)
    np.testing.assert_allclose(found, units @ units.T, atol=1e-6)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 40))
def test_pools_are_searched_by_cosines_of_the_corpus(seed: int, papers: int) -> None:
    chance = np.random.default_rng(seed)
    counts = chance.poisson(0.3, (papers, 15)).astype(np.float32)
    cosines = by_scikit_learn(counts)
    pool = np.flatnonzero(chance.random(papers) < 0.7)
    queries = chance.permutation(papers)[:5].astype(np.int64)
    ranker = TfIdf(weigh_tfidf(csr_array(counts)), threads=2)
    found = ranker.among(pool).search(queries, 6)
    for query, own, scores in zip(queries, found.papers, found.scores, strict=True):
        others = pool[(pool != query) & (cosines[query, pool] > 1e-12)]
        expected = np.sort(cosines[query, others])[::-1][:6]
        there = own >= 0
        assert there.sum() == len(expected)
        assert scores[there] == pytest.approx(expected, rel=1e-5)
        assert cosines[query, own[there]] == pytest.approx(expected, rel=1e-5)
        assert query not in own


def test_papers_with_only_common_words_have_no_vector() -> None:
    ranker = TfIdf.from_documents([Document("rice"), Document("rice blast"), Document("")])
    assert ranker.lacks(np.arange(3)).tolist() == [False, False, True]
    alike = TfIdf.from_documents([Document("rice"), Document("rice blast")])  # `rice` has weight 0
    assert alike.lacks(np.arange(2)).tolist() == [True, False]
    assert alike.among(np.arange(2)).search(np.arange(2), 1).papers.tolist() == [[-1], [-1]]
