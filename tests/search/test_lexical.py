from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array

from citescape.core.types import Document
from citescape.ranking.sgc import smooth
from citescape.search.lexical import make_lsa, project, weigh_tfidf


def test_tfidf_weights_by_hand() -> None:
    """N = 3: the first word is in two papers, the second in one, the third in all."""
    counts = csr_array(np.array([[2.0, 1, 1], [1, 0, 1], [0, 0, 3]]))
    found = weigh_tfidf(counts).toarray()
    first = np.array([(1 + math.log(2)) * math.log(3 / 2), math.log(3), 0.0])
    assert found[0] == pytest.approx(first / np.linalg.norm(first))
    assert found[1] == pytest.approx([1, 0, 0])
    assert found[2].tolist() == [0, 0, 0]  # words of all papers have weight 0


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000))
def test_variance_equals_that_of_a_full_decomposition(seed: int) -> None:
    rows = csr_array(random_array((60, 40), density=0.2, rng=np.random.default_rng(seed)))
    values = np.linalg.svd(rows.toarray(), compute_uv=False)
    found = project(rows, 5, seed=seed)
    assert 0.998 <= (found**2).sum() / (values[:5] ** 2).sum() <= 1 + 1e-9
    crossed = found.T @ found
    assert crossed == pytest.approx(np.diag(np.diag(crossed)), abs=1e-9)


def test_more_dimensions_than_words() -> None:
    rows = csr_array(np.array([[1.0, 0, 0], [0, 2, 0]]))
    found = project(rows, 2)
    assert np.sort(np.linalg.norm(found, axis=0)).tolist() == pytest.approx([1, 2])


def test_a_few_strong_directions_among_many_weak_ones() -> None:
    """Single precision, with more rows than a block of a thread."""
    chance = np.random.default_rng(4)
    topics = chance.random((9000, 3)) @ chance.random((3, 80)) * 50
    rows = np.where(chance.random((9000, 80)) < 0.3, topics + chance.random((9000, 80)), 0)
    values = np.linalg.svd(rows, compute_uv=False)
    found = project(csr_array(rows.astype(np.float32)), 10)
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=0) == pytest.approx(values[:10], rel=1e-3)


def test_zero_directions_are_left_out() -> None:
    rows = np.outer([1, 2, 0, 1], [1.0, 0, 3, 1, 1])
    for kind in (np.float32, np.float64):
        found = project(csr_array(rows.astype(kind)), 4)
        assert np.linalg.norm(found) == pytest.approx(np.linalg.norm(rows), rel=1e-5)
        assert np.isfinite(found).all()
        assert found @ found.T == pytest.approx(rows @ rows.T, rel=1e-5, abs=1e-5)
    assert project(csr_array((4, 5)), 2).shape == (4, 0)


def test_papers_with_related_words_are_similar() -> None:
    """The first two papers have no common word, but both share words with the third."""
    texts = ["rice blast", "fungus lesion", "rice blast fungus lesion", "star galaxy", "galaxy"]
    documents = [Document(text) for text in texts]
    ids = pa.array([f"p{k}" for k in range(5)])
    found = make_lsa(ids, documents, dimensions=2).among(np.arange(5))
    near, far = found.score(np.array([0, 0]), np.array([1, 3]))
    assert near > 0.9 > 0.1 > abs(far)
    again = make_lsa(ids, documents, dimensions=2).among(np.arange(5))
    assert again.score(np.array([0]), np.array([1])) == found.score(np.array([0]), np.array([1]))


@pytest.mark.parametrize("title", ["", "...", "the same words"])
def test_papers_with_only_common_words_have_no_vectors(title: str) -> None:
    ids = pa.array(["a", "b", "c"])
    ranker = make_lsa(ids, [Document(title)] * 3)
    assert ranker.traits.dimension == 0
    rows = np.arange(3)
    assert ranker.lacks(rows).all()
    assert (ranker.among(rows).search(rows, 2).papers == -1).all()
    assert np.isneginf(ranker.among(rows).score(rows, rows)).all()
    ends = (np.array([0, 2], np.int32), np.array([1, 1], np.int32))
    assert smooth(ranker, ends, np.empty(0, np.int64), name="sgc").lacks(rows).all()
