"""Contradictory pairs: all their triplets are removed, and no others."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.sampling.contradictions import find_contradictory
from citescape.sampling.triplets import Triplets, from_table

Plain = tuple[int, int, int]


def triplets(plain: list[Plain]) -> Triplets:
    columns = list(zip(*plain, strict=True)) or [(), (), ()]
    roles = ("anchor", "positive", "negative")
    return from_table(
        pa.table(
            {
                role: pa.array([f"p{paper:04d}" for paper in column], pa.string())
                for role, column in zip(roles, columns, strict=True)
            }
        )
    )


def pairs(plain: list[Plain], role: int) -> set[frozenset[int]]:
    """Unordered pairs of the anchor with its positive (1) or negative (2)."""
    return {frozenset((row[0], row[role])) for row in plain}


def list_contradictory(plain: list[Plain]) -> list[bool]:
    both = pairs(plain, 1) & pairs(plain, 2)
    return [frozenset((a, p)) in both or frozenset((a, n)) in both for a, p, n in plain]


def test_both_triplets_of_a_contradictory_pair_are_removed() -> None:
    plain = [(1, 2, 3), (2, 4, 1), (5, 6, 7), (8, 7, 5), (9, 5, 6)]
    assert list_contradictory(plain) == [True, True, False, False, False]
    assert find_contradictory(triplets(plain)).tolist() == list_contradictory(plain)


def test_repeated_consistent_pairs_are_kept() -> None:
    plain = [(1, 2, 3), (2, 1, 4), (3, 5, 1)]
    assert not find_contradictory(triplets(plain)).any()


def test_no_triplets_have_no_contradictions() -> None:
    assert find_contradictory(triplets([])).tolist() == []


paper = st.integers(0, 12)
distinct = st.tuples(paper, paper, paper).filter(lambda row: len(set(row)) == 3)


@settings(max_examples=120, deadline=None)
@given(st.lists(distinct, max_size=60))
def test_contradictions_equal_those_of_sets(plain: list[Plain]) -> None:
    plain = sorted(plain, key=lambda row: row[0])  # order of triplets
    found = find_contradictory(triplets(plain)).tolist()
    assert found == list_contradictory(plain)
    kept = [row for row, out in zip(plain, found, strict=True) if not out]
    assert not pairs(kept, 1) & pairs(kept, 2)


def test_contradictions_among_many_papers() -> None:
    """More pairs than the smallest hash table holds; every third pair is contradictory."""
    plain = []
    for k in range(3000):
        a, b = 3 * k, 3 * k + 1
        plain.append((a, b, (a + 3000) % 9000))
        plain.append((b, 3 * k + 2, a if k % 3 == 0 else (b + 4500) % 9000))
    plain.sort(key=lambda row: row[0])
    assert find_contradictory(triplets(plain)).tolist() == list_contradictory(plain)
    assert sum(list_contradictory(plain)) == 2 * 1000
