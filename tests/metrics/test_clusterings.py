"""Measures of clusterings against plain definitions."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.metrics.clusterings import MEASURES, count_clusters, measure_clusters

entries = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12)


def measures(found: list[int], truth: list[int]) -> dict[str, float]:
    counts = count_clusters(np.array(found), np.array(truth))
    return {name: interval.mean for name, interval in measure_clusters(counts).items()}


def expected(found: list[int], truth: list[int]) -> dict[str, float]:
    """All measures, entry by entry and pair by pair."""

    def share(part: int, whole: int) -> float:
        return part / whole if whole else nan

    def f1(p: float, r: float) -> float:
        return 2 * p * r / (p + r) if p + r else nan

    n = range(len(found))
    together = {pair for pair in combinations(n, 2) if found[pair[0]] == found[pair[1]]}
    people = {pair for pair in combinations(n, 2) if truth[pair[0]] == truth[pair[1]]}
    pairs = share(len(together & people), len(together)), share(len(together & people), len(people))
    cubed = [0.0, 0.0]
    for i in n:
        own = {j for j in n if found[j] == found[i]}
        right = {j for j in n if truth[j] == truth[i]}
        cubed[0] += len(own & right) / len(own) / len(n)
        cubed[1] += len(own & right) / len(right) / len(n)
    return dict(zip(MEASURES, (*pairs, f1(*pairs), *cubed, f1(*cubed)), strict=True))


@given(entries)
def test_measures_follow_their_definitions(pairs: list[tuple[int, int]]) -> None:
    found, truth = (list(codes) for codes in zip(*pairs, strict=True))
    assert measures(found, truth) == pytest.approx(expected(found, truth), nan_ok=True)


def test_perfect_and_empty_clusterings() -> None:
    assert set(measures([0, 0, 1], [5, 5, 7]).values()) == {1.0}
    apart = measures([0, 1], [0, 1])
    assert isnan(apart["pairwise recall"])
    assert apart["B-cubed F1"] == 1
    counts = count_clusters(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert all(isnan(interval.mean) for interval in measure_clusters(counts).values())


def test_intervals_contain_the_value_and_need_ten_people() -> None:
    truth = np.repeat(np.arange(30), 3)
    found = np.where(np.arange(90) % 7 == 0, 100 + np.arange(90), truth)
    for interval in measure_clusters(count_clusters(found, truth)).values():
        assert interval.low <= interval.mean <= interval.high
    recall = measure_clusters(count_clusters(found[:27], truth[:27]))["pairwise recall"]
    assert isnan(recall.low)


def test_a_few_pairs_have_no_interval() -> None:
    """Thirty people, three of whom have two entries: pairs say too little, entries do not."""
    truth = np.array([*range(30), 0, 1, 2])
    found = np.where(np.arange(33) == 30, 99, truth)
    measured = measure_clusters(count_clusters(found, truth))
    assert measured["pairwise recall"].mean == pytest.approx(2 / 3)
    assert isnan(measured["pairwise recall"].low)
    assert isnan(measured["pairwise F1"].high)
    assert measured["B-cubed recall"].low < measured["B-cubed recall"].mean
