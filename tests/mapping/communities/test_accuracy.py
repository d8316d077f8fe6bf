"""Accuracy equals Eq. 3, scaled from 0 to 1."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.mapping.communities.accuracy import expect_accuracy, judge_clustering
from citescape.mapping.communities.clustering import Clustering, order_labels
from citescape.mapping.communities.criterion import TermCriterion, build_criterion
from tests.mapping.communities.planted import name_papers, relate, term_rows, together
from tests.mapping.communities.test_criterion import (
    Terms,
    row_normalised,
    similarities,
    terms_of_papers,
)

ABCD = pa.array(list("abcd"))
TOY = np.array([[0, 0.8, 0.2, 0], [0.8, 0, 0, 0.2], [0.2, 0, 0, 0.6], [0, 0.2, 0.6, 0]])


@pytest.mark.parametrize(
    ("groups", "accuracy", "granularity"),
    [
        (("ab", "cd"), (0.8 + 0.8 + 0.6 / 0.8 + 0.6 / 0.8) / 4, 4 / (4 + 4)),
        (("abcd",), 1.0, 4 / 16),
        (("a", "b", "c", "d"), 0.0, 4 / 4),
        (("abc", "d"), (1.0 + 0.8 + 0.2 / 0.8 + 0) / 4, 4 / (9 + 1)),
    ],
)
def test_accuracy_of_four_papers_by_hand(
    groups: tuple[str, ...], accuracy: float, granularity: float
) -> None:
    """P1-28: .775, 1, 0, .5125; granularity .5, .25, 1, .4."""
    criterion = relate("toy", ABCD, csr_array(TOY))
    found = judge_clustering(criterion, together(ABCD, *groups))
    assert found.accuracy == pytest.approx(accuracy)
    assert found.granularity == pytest.approx(granularity)
    assert (found.communities, found.papers) == (len(groups), 4)


def dense_accuracy(related: np.ndarray, labels: np.ndarray) -> float:
    """The double sum over pairs of papers, over N."""
    judged = int((related.sum(axis=1) > 0).sum())
    pairs = itertools.product(range(len(labels)), repeat=2)
    return sum(float(related[i, j]) for i, j in pairs if labels[i] == labels[j]) / judged


def cluster(draw: st.DrawFn, criterion: TermCriterion) -> Clustering:
    size = len(criterion.ids)
    labels = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    return order_labels(criterion.ids, np.array(labels))


@st.composite
def judged_clusterings(draw: st.DrawFn) -> tuple[Terms, TermCriterion, Clustering]:
    terms = draw(terms_of_papers)
    criterion = build_criterion("own", name_papers(len(terms)), term_rows(terms))
    return terms, criterion, cluster(draw, criterion)


@given(judged_clusterings())
def test_accuracy_equals_the_sum_over_pairs(
    given_: tuple[Terms, TermCriterion, Clustering],
) -> None:
    terms, criterion, clustering = given_
    if not criterion.judged.any():
        with pytest.raises(ConfigError, match="0 can be judged by own"):
            judge_clustering(criterion, clustering)
        return
    related = row_normalised(similarities(terms))
    expected = dense_accuracy(related, clustering.labels)
    assert judge_clustering(criterion, clustering).accuracy == pytest.approx(expected, abs=1e-12)
    same = relate("own", criterion.ids, csr_array(related))
    assert judge_clustering(same, clustering).accuracy == pytest.approx(expected, abs=1e-12)


@given(judged_clusterings())
def test_one_community_scores_1_and_singletons_0(
    given_: tuple[Terms, TermCriterion, Clustering],
) -> None:
    """Exact, also with papers that cannot be judged."""
    _, criterion, _ = given_
    if not criterion.judged.any():
        return
    size, judged = len(criterion.ids), int(criterion.judged.sum())
    whole = judge_clustering(criterion, order_labels(criterion.ids, np.zeros(size, np.int32)))
    assert (whole.accuracy, whole.granularity, whole.expected) == (1.0, 1 / judged, 1.0)
    alone = judge_clustering(criterion, order_labels(criterion.ids, np.arange(size)))
    assert (alone.accuracy, alone.granularity, alone.expected) == (0.0, 1.0, 0.0)
    assert alone.communities == judged


@given(judged_clusterings(), st.permutations(range(4)))
def test_accuracy_does_not_depend_on_labels(
    given_: tuple[Terms, TermCriterion, Clustering], names: list[int]
) -> None:
    _, criterion, clustering = given_
    renamed = Clustering(
        clustering.ids, np.array(names, np.int32)[clustering.labels], clustering.core
    )
    if criterion.judged.any():
        assert judge_clustering(criterion, renamed) == judge_clustering(criterion, clustering)


def test_papers_that_cannot_be_judged_are_ignored() -> None:
    ids = pa.array(list("abcdef"))
    size = np.zeros((6, 6))
    size[:4, :4] = TOY
    wide = relate("toy", ids, csr_array(size))
    narrow = relate("toy", ABCD, csr_array(TOY))
    found = judge_clustering(wide, together(ids, "abef", "cd"))
    assert found == judge_clustering(narrow, together(ABCD, "ab", "cd"))


def test_papers_missing_from_the_criterion_are_ignored() -> None:
    criterion = relate("toy", ABCD, csr_array(TOY))
    ids = pa.array(list("abcdxyz"))
    wider = together(ids, "abxyz", "cd")
    assert judge_clustering(criterion, wider).accuracy == pytest.approx(0.775)
    outside = Clustering(ids, np.where(wider.labels == 0, 1, 0).astype(np.int32), wider.core)
    outside.labels[4:] = -1
    assert judge_clustering(criterion, outside).granularity == 0.5


def test_papers_that_are_not_clustered_are_reported() -> None:
    criterion = relate("toy", ABCD, csr_array(TOY))
    with pytest.raises(ConfigError, match="1 are not in the core of the clustering"):
        judge_clustering(criterion, together(pa.array(list("abc")), "abc"))


def test_papers_outside_the_core_are_no_community() -> None:
    """They share the label -1, but do not form a community."""
    ids = pa.array(list("abcdef"))
    criterion = relate("all alike", ids, csr_array(np.ones((6, 6)) - np.eye(6)))
    core = np.array([True] * 4 + [False] * 2)
    clustering = Clustering(ids, np.array([0, 0, 1, 1, -1, -1], np.int32), core)
    with pytest.raises(ConfigError, match="2 are not in the core of the clustering"):
        judge_clustering(criterion, clustering)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda s: 2 <= sum(s) <= 6))
def test_expected_accuracy_is_the_mean_over_all_assignments(sizes: list[int]) -> None:
    labels = np.repeat(np.arange(len(sizes)), sizes)
    size = len(labels)
    random = np.random.default_rng(0)
    given_ = random.random((size, size)) + 0.1
    criterion = relate("own", name_papers(size), csr_array(given_ + given_.T))
    found = [
        judge_clustering(criterion, order_labels(criterion.ids, np.array(dealt))).accuracy
        for dealt in set(itertools.permutations(labels.tolist()))
    ]
    counts = np.array(sizes, np.int64)
    assert expect_accuracy(counts) == pytest.approx(np.mean(found))
    granularity = size / (counts**2).sum()
    assert expect_accuracy(counts) == pytest.approx((1 / granularity - 1) / (size - 1))


def test_expected_accuracy_of_one_paper_is_zero() -> None:
    assert expect_accuracy(np.array([1])) == 0.0
