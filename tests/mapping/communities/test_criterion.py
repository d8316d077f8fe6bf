"""Relatedness by terms equals its definition in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.mapping.communities.criterion import Criterion, build_criterion
from tests.mapping.communities.planted import name_papers, plant_criterion, relate, term_rows

Terms = dict[str, dict[str, float]]
factors = st.sampled_from([1.0, 2.0])
terms_of_papers = st.lists(
    st.dictionaries(st.sampled_from("uvwxyz"), factors, max_size=4), min_size=1, max_size=9
).map(lambda papers: {f"p{k:03d}": own for k, own in enumerate(papers)})


def similarities(terms: Terms, *, informative: bool = True) -> np.ndarray:
    """Cosines of vectors of factor * -log(n / N) for all pairs of papers; 0 on the diagonal."""
    having = sum(1 for own in terms.values() if own)
    held = {t: sum(t in own for own in terms.values()) for own in terms.values() for t in own}
    content = {t: -math.log(n / having) if informative else 1.0 for t, n in held.items()}
    found = np.zeros((len(terms), len(terms)))
    vectors = [{t: f * content[t] for t, f in own.items()} for own in terms.values()]
    lengths = [math.sqrt(sum(v * v for v in vector.values())) for vector in vectors]
    for i, first in enumerate(vectors):
        for j, second in enumerate(vectors):
            product = sum(v * second.get(t, 0.0) for t, v in first.items())
            if i != j and product > 0:
                found[i, j] = product / lengths[i] / lengths[j]
    return found


def row_normalised(found: np.ndarray) -> np.ndarray:
    sums = found.sum(axis=1, keepdims=True)
    found = np.divide(found, sums, out=np.zeros_like(found), where=sums > 0)
    return found


def relatedness(criterion: Criterion) -> np.ndarray:
    """r_ij computed pair by pair: i and j together, all other papers alone."""
    size = len(criterion.ids)
    found = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            labels = np.arange(size, dtype=np.int32)
            labels[j] = labels[i]
            found[i, j] = criterion.share(labels)[i]
    return found


@given(terms=terms_of_papers, informative=st.booleans())
def test_relatedness_equals_the_definition(terms: Terms, informative: bool) -> None:
    """P1-29: rows sum to 1 or are empty, r_ii = 0."""
    criterion = build_criterion(
        "own", name_papers(len(terms)), term_rows(terms), informative=informative
    )
    expected = row_normalised(similarities(terms, informative=informative))
    found = relatedness(criterion)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert criterion.judged.tolist() == (expected.sum(axis=1) > 0).tolist()
    assert not found.diagonal().any()


@given(terms=terms_of_papers, informative=st.booleans())
def test_counts_of_papers_that_are_not_judged(terms: Terms, informative: bool) -> None:
    found = build_criterion(
        "own", name_papers(len(terms)), term_rows(terms), informative=informative
    )
    judged = int((similarities(terms, informative=informative) > 0).any(axis=1).sum())
    without = sum(not own for own in terms.values())
    held = [t for own in terms.values() for t in own]
    assert dict(found.counts) == {
        "papers": len(terms),
        "judged": judged,
        "without_criterion": without,
        "without_relative": len(terms) - without - judged,
        "terms": len(set(held)),
        "shared_terms": sum(held.count(t) > 1 for t in set(held)),
    }


@given(terms=terms_of_papers, seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(terms: Terms, seed: int) -> None:
    rows = term_rows(terms)
    shuffled = rows.take(pa.array(np.random.default_rng(seed).permutation(len(rows))))
    ids = name_papers(len(terms))
    first, second = (build_criterion("own", ids, table) for table in (rows, shuffled))
    assert first.fingerprint() == second.fingerprint()
    labels = np.zeros(len(ids), np.int32)
    assert first.share(labels).tolist() == second.share(labels).tolist()


def test_other_papers_are_ignored_and_the_largest_factor_counts() -> None:
    rows = pa.table(
        {
            "paper": ["p000", "p000", "p001", "p002", "other"],
            "term": ["u", "u", "u", "v", "v"],
            "factor": [1.0, 2.0, 1.0, 1.0, 1.0],
        }
    )
    found = build_criterion("own", name_papers(3), rows)
    assert found.judged.tolist() == [True, True, False]
    assert found.counts["without_relative"] == 1
    assert found.counts["terms"] == 2
    again = build_criterion("own", name_papers(3), rows.slice(1))
    assert again.fingerprint() == found.fingerprint()


def test_terms_of_all_papers_are_ignored_by_default() -> None:
    rows = term_rows({"p000": {"u": 1}, "p001": {"u": 1}})
    assert not build_criterion("own", name_papers(2), rows).judged.any()
    assert build_criterion("own", name_papers(2), rows, informative=False).judged.all()


def test_equal_terms_are_most_related() -> None:
    """P1-29."""
    terms: Terms = {
        "p000": {"u": 1, "v": 1},
        "p001": {"u": 1, "v": 1},
        "p002": {"u": 1, "w": 1},
        "p003": {"w": 1, "x": 1},
        "p004": {"x": 1},
    }
    criterion = build_criterion("own", name_papers(5), term_rows(terms))
    found = relatedness(criterion)
    assert found[0].argmax() == 1
    assert found[1].argmax() == 0
    assert not np.allclose(found, found.T)
    network = criterion.to_network(0)
    np.testing.assert_allclose(network.weights.toarray(), similarities(terms), atol=1e-12)
    assert network.weights.toarray()[0, 1] == pytest.approx(1.0)


def test_the_network_keeps_the_most_related_papers() -> None:
    criterion = plant_criterion()
    whole = criterion.to_network(0).weights.toarray()
    kept = criterion.to_network(3).weights.toarray()
    best = np.argsort(-whole, axis=1, kind="stable")[:, :3]
    expected = np.zeros_like(whole)
    np.put_along_axis(expected, best, np.take_along_axis(whole, best, axis=1), axis=1)
    np.testing.assert_allclose(kept, np.maximum(expected, expected.T))


def test_the_number_of_pairs_is_counted() -> None:
    rows = term_rows({"p000": {"u": 1, "v": 1}, "p001": {"u": 1, "v": 1}, "p002": {"u": 1}})
    found = build_criterion("own", name_papers(3), rows, informative=False)
    assert found.pairs == 3 * 3 + 2 * 2


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n),
            min_size=n,
            max_size=n,
        )
    )
)
def test_given_similarities(rows: list[list[float]]) -> None:
    given_, size = np.array(rows), len(rows)
    criterion = relate("own", name_papers(size), csr_array(given_))
    off = given_ * ~np.eye(size, dtype=bool)
    np.testing.assert_allclose(relatedness(criterion), row_normalised(off), atol=1e-12)
    whole = criterion.share(np.zeros(size, np.int32))[criterion.judged]
    np.testing.assert_allclose(whole, 1.0)
    tied = criterion.to_network(0).weights.toarray()
    expected = row_normalised(off)
    np.testing.assert_allclose(tied, np.maximum(expected, expected.T))
