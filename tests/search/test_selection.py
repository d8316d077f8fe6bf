"""The best of scores in blocks, and of rows of a sparse matrix."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citescape.search.selection import BestScores, join, kth_greatest, select_rows

Found = tuple[np.ndarray, np.ndarray]


def choose(
    scores: np.ndarray, allowed: np.ndarray, k: int, *, ranges: int, first: int = 0
) -> Found:
    best = BestScores(len(scores), k, scores.shape[1])
    for part in np.array_split(np.arange(scores.shape[1]), ranges):
        if len(part):
            own = slice(part[0], part[-1] + 1)
            best.add(np.ascontiguousarray(scores[:, own]), allowed[:, own], first + part[0])
    return best.sort()


def sort_all(scores: np.ndarray, allowed: np.ndarray, k: int) -> Found:
    """Reference implementation that sorts all scores."""
    rows = np.full((len(scores), k), -1)
    values = np.full((len(scores), k), -np.inf, np.float32)
    for query, row in enumerate(scores):
        there = [(-score, at) for at, score in enumerate(row.tolist()) if allowed[query, at]]
        for place, (score, at) in enumerate(sorted(there)[:k]):
            rows[query, place], values[query, place] = at, -score
    return rows, values


@given(
    size=st.integers(1, 700),
    k=st.integers(1, 90),
    kinds=st.integers(1, 400),
    ranges=st.integers(1, 9),
    order=st.sampled_from(["any", "ascending", "descending"]),
    seed=st.integers(0, 99),
)
def test_the_best_equal_those_of_full_sorting(
    size: int, k: int, kinds: int, *, ranges: int, order: str, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    scores = chance.integers(-kinds, kinds, (3, size)).astype(np.float32)
    if order != "any":
        scores = np.sort(scores, axis=1)[:, :: 1 if order == "ascending" else -1].copy()
    allowed = chance.random((3, size)) < 0.8
    rows, values = choose(scores, allowed, k, ranges=ranges)
    plain = sort_all(scores, allowed, k)
    np.testing.assert_array_equal(rows, plain[0])
    np.testing.assert_array_equal(values, plain[1])


@given(size=st.integers(2, 300), k=st.integers(1, 60), cut=st.integers(1, 299))
def test_results_of_blocks_are_merged(size: int, k: int, cut: int) -> None:
    scores = np.random.default_rng(size).integers(-9, 9, (2, size)).astype(np.float32)
    allowed, cut = np.ones(scores.shape, np.bool_), min(cut, size - 1)
    ends = ((0, cut), (cut, size))
    parts = [
        choose(scores[:, first:last].copy(), allowed[:, first:last], k, ranges=2, first=first)
        for first, last in ends
    ]
    found, plain = join(parts), sort_all(scores, allowed, k)
    np.testing.assert_array_equal(found[0], plain[0])
    np.testing.assert_array_equal(found[1], plain[1])


def test_without_allowed_papers_nothing_is_found() -> None:
    rows, values = choose(np.ones((1, 20), np.float32), np.zeros((1, 20), np.bool_), 3, ranges=2)
    assert rows.tolist() == [[-1, -1, -1]]
    assert np.isneginf(values).all()


@given(
    degrees=st.lists(st.integers(0, 120), min_size=1, max_size=9),
    k=st.integers(1, 130),
    kinds=st.integers(1, 60),
)
def test_the_largest_values_of_each_row(degrees: list[int], k: int, kinds: int) -> None:
    indptr = np.append(0, np.cumsum(degrees))
    values = np.random.default_rng(kinds).integers(0, kinds, indptr[-1]).astype(np.float64)
    ends, places = select_rows(indptr, values, k)
    for row, degree in enumerate(degrees):
        own = values[indptr[row] : indptr[row + 1]]
        order = indptr[row] + np.argsort(-own, kind="stable")[:k]
        assert places[ends[row] : ends[row + 1]].tolist() == order.tolist()
        assert len(order) == min(k, degree)


@given(values=st.lists(st.integers(-9, 9) | st.floats(allow_nan=False, width=32), min_size=1))
def test_the_kth_largest_equals_that_of_a_sorted_list(values: list[float]) -> None:
    array = np.array(values, np.float32)
    found = [kth_greatest(array, k) for k in range(1, len(values) + 1)]
    assert found == sorted(array.tolist(), reverse=True)
    assert array.tolist() == np.array(values, np.float32).tolist()
