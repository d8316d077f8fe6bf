"""Shortlists: ranks of relevant papers, hashes and invalid input."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.search.ranker import NONE
from citescape.training.reranking.shortlists import Shortlists
from tests.training.reranking.conftest import find_ranks, plant


@st.composite
def shortlists(draw: Any) -> Shortlists:
    """Shortlists of a few queries; some are equal, have fewer candidates or cite no papers."""
    queries, papers, k = (draw(st.integers(*bounds)) for bounds in ((1, 6), (4, 9), (1, 4)))
    codes = st.lists(st.integers(0, papers - 1), max_size=k, unique=True)
    rows = [draw(codes) for _ in range(queries)]
    cited = [draw(st.lists(st.integers(0, papers - 1), max_size=3, unique=True)) for _ in rows]
    offsets = np.append(0, np.cumsum([len(row) for row in cited])).astype(np.int64)
    scores = np.array([np.arange(k, 0, -1) + draw(st.integers(0, 1)) for _ in rows], np.float32)
    return Shortlists(
        [f"query {draw(st.integers(0, 2))}" for _ in rows],
        [f"paper {code}" for code in range(papers)],
        np.array([row + [NONE] * (k - len(row)) for row in rows], np.int32),
        scores,
        np.array([code for row in cited for code in row], np.int32),
        offsets,
    )


def read(lists: Shortlists) -> list[tuple[Any, ...]]:
    """Content of each row as texts."""
    result = []
    for row, query in enumerate(lists.queries):
        papers = [(lists.candidates[c] if c >= 0 else "") for c in lists.papers[row]]
        cited = lists.relevant[lists.offsets[row] : lists.offsets[row + 1]]
        texts = sorted(lists.candidates[c] for c in cited)
        result.append((query, papers, lists.scores[row].tolist(), texts))
    return result


@given(shortlists())
def test_relevant_candidates_equal_those_of_a_loop(lists: Shortlists) -> None:
    hits = sum(rank <= lists.k for rank in find_ranks(lists))
    assert int(lists.is_relevant.sum()) == hits


@given(shortlists(), st.randoms(use_true_random=False))
def test_selected_queries_keep_their_content_in_any_order(lists: Shortlists, chance: Any) -> None:
    rows = np.array(chance.sample(range(len(lists)), chance.randint(1, len(lists))))
    taken = lists.select_rows(rows)
    message = read(lists)
    assert read(taken) == [message[row] for row in rows]
    used = {text for row in read(taken) for text in (*row[1], *row[3])} - {""}
    assert set(taken.candidates) == used
    assert read(taken.cut(1)) == [(q, p[:1], s[:1], c) for q, p, s, c in read(taken)]


@given(shortlists(), st.randoms(use_true_random=False))
def test_the_hash_depends_on_the_content(lists: Shortlists, chance: Any) -> None:
    """The order of rows, candidates and cited papers does not matter."""
    mixed = np.array(chance.sample(range(len(lists)), len(lists)))
    places = np.array(chance.sample(range(len(lists.candidates)), len(lists.candidates)))
    turned = np.append(np.argsort(places), NONE)
    other = replace(
        lists,
        candidates=[lists.candidates[place] for place in places],
        papers=turned[lists.papers].astype(np.int32),
        relevant=turned[lists.relevant].astype(np.int32),
    )
    assert read(other) == read(lists)
    assert other.sha256 == lists.sha256
    assert lists.select_rows(mixed).sort().sha256 == lists.sort().sha256


def test_the_hash_depends_on_each_part() -> None:
    lists = plant(6)
    moved = lists.papers.copy()
    moved[0, :2] = moved[0, 1::-1]
    changes: list[dict[str, Any]] = [
        {"queries": ["other", *lists.queries[1:]]},
        {"candidates": [*lists.candidates[:-1], "other"]},
        {"papers": moved},
        {"scores": lists.scores + np.float32(0.01)},
        {"relevant": lists.relevant[::-1].copy()},
    ]
    hashes = {lists.sha256} | {replace(lists, **change).sha256 for change in changes}
    assert len(hashes) == 1 + len(changes)


def test_without_citations_nothing_is_relevant() -> None:
    lists = plant(4)
    without = Shortlists(lists.queries, lists.candidates, lists.papers, lists.scores)
    assert not without.is_relevant.any()
    assert not len(without.relevant)
    assert len(without.select_rows(np.array([2])).candidates) == lists.k


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": np.zeros((4, 3), np.float32)}, r"scores \(4, 3\); expected both"),
        ({"papers": np.full((4, 8), 99, np.int32)}, "papers of shortlists are in 99..99"),
        ({"relevant": np.array([0, 1, 2, -1])}, "relevant of shortlists are in -1..2"),
        ({"offsets": np.array([0, 1])}, "2 offsets of 4 relevant"),
        ({"papers": np.tile([NONE, *range(7)], (4, 1))}, "a shortlist has a gap"),
        ({"scores": np.full((4, 8), np.nan, np.float32)}, "is not a number"),
    ],
)
def test_inconsistent_arrays_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        replace(plant(4), **change)
