"""Sampling from shortlists: one cited paper and others, reproducibly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citescape.search.ranker import NONE
from citescape.training.reranking.drawn import draw_candidates, find_trainable, order_queries
from citescape.training.reranking.shortlists import Shortlists
from tests.training.reranking.conftest import plant
from tests.training.reranking.test_shortlists import shortlists


@given(shortlists(), st.integers(1, 5), st.integers(0, 3), st.integers(0, 5))
def test_samples_have_one_cited_and_other_retrieved_papers(
    lists: Shortlists, negatives: int, seed: int, epoch: int
) -> None:
    rows = find_trainable(lists)
    drawn = draw_candidates(lists, rows, negatives=negatives, seed=seed, epoch=epoch)
    for k, row in enumerate(rows):
        cited = set(lists.relevant[lists.offsets[row] : lists.offsets[row + 1]].tolist())
        listed = [code for code in lists.papers[row].tolist() if code != NONE]
        positive, *others = drawn.papers[k].tolist()
        place = int(drawn.places[k, 0])
        assert positive in cited
        assert (place == lists.k) == (not cited & set(listed))
        assert place == lists.k or listed[place] == positive
        there = [code for code in others if code != NONE]
        assert len(set(there)) == len(there) == min(negatives, len(set(listed) - cited))
        assert set(there) <= set(listed) - cited
        assert [listed[p] for p in drawn.places[k, 1 : 1 + len(there)]] == there


@given(shortlists())
def test_trainable_queries_have_positives_and_negatives(lists: Shortlists) -> None:
    expected = []
    for row in range(len(lists)):
        cited = set(lists.relevant[lists.offsets[row] : lists.offsets[row + 1]].tolist())
        if cited and set(lists.papers[row].tolist()) - cited - {NONE}:
            expected.append(row)
    assert find_trainable(lists).tolist() == expected
    result = [row for row in expected if lists.is_relevant[row].any()]
    assert find_trainable(lists, inject=False).tolist() == result


def test_samples_depend_on_the_query_only() -> None:
    lists = plant(20, missed=4)
    rows = np.arange(20)
    whole = draw_candidates(lists, rows, negatives=3, seed=1, epoch=2)
    order = np.random.default_rng(0).permutation(20)[:7]
    some = draw_candidates(lists.select_rows(order), np.arange(7), negatives=3, seed=1, epoch=2)
    np.testing.assert_array_equal(some.places, whole.places[order])
    turns = [lists.queries[row] for row in order_queries(lists, seed=1, epoch=2)]
    mixed = lists.select_rows(order)
    chosen = set(mixed.queries)
    again = [mixed.queries[row] for row in order_queries(mixed, seed=1, epoch=2)]
    assert again == [query for query in turns if query in chosen]


def test_epochs_and_seeds_sample_candidates_uniformly() -> None:
    """Each of 7 negatives is sampled in 1/7 of the draws, each of two cited papers in half."""
    lists = plant(30)
    second = np.where(lists.is_relevant[:, 0], lists.papers[:, 1], lists.papers[:, 0])
    both = np.column_stack([lists.relevant, second]).ravel().astype(np.int32)
    lists = replace(lists, relevant=both, offsets=np.arange(31) * 2)
    first = np.zeros(8)
    cited = 0
    for epoch in range(100):
        drawn = draw_candidates(lists, np.arange(30), negatives=1, seed=0, epoch=epoch)
        first += np.bincount(drawn.places[:, 1], minlength=8)
        cited += int((drawn.papers[:, 0] == second).sum())
    shares = first[2:] / first[2:].sum()
    np.testing.assert_allclose(shares, 1 / 6, atol=0.03)
    assert abs(cited / 3000 - 0.5) < 0.03
