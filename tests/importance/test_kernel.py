"""Kernels compared with plain Python."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core import csr
from citescape.core.errors import StoreError
from citescape.core.pairs import Pairs, build_pairs, encode, sort_ids
from citescape.importance import kernel
from citescape.importance.counts import count_mentions, mark_self_citations

compiling = settings(deadline=None)
rows = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40)
floats = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e290, max_value=1e290)


def codes(values: list[int]) -> np.ndarray:
    return np.array(values, np.int32)


def one_pair() -> Pairs:
    return build_pairs(pa.array(["a", "b"]), codes([0]), codes([1]))


@compiling
@given(rows)
def test_group_sorts_values_within_rows(pairs: list[tuple[int, int]]) -> None:
    indptr, values = csr.group(codes([r for r, _ in pairs]), codes([v for _, v in pairs]), 6)
    grouped = [values[indptr[r] : indptr[r + 1]].tolist() for r in range(6)]
    assert grouped == [sorted(v for row, v in pairs if row == r) for r in range(6)]


@compiling
@given(rows, rows)
def test_locate_finds_only_existing_pairs(
    pairs: list[tuple[int, int]], queries: list[tuple[int, int]]
) -> None:
    unique = sorted(set(pairs))
    indptr, values = csr.group(codes([r for r, _ in unique]), codes([v for _, v in unique]), 6)
    positions = csr.locate(
        indptr, values, codes([r for r, _ in queries]), codes([v for _, v in queries])
    )
    assert positions.tolist() == [unique.index(p) if p in unique else -1 for p in queries]


def test_an_unknown_paper_is_in_no_pair() -> None:
    assert one_pair().locate(codes([-1, 0]), codes([1, -1])).tolist() == [-1, -1]


@settings(max_examples=500, deadline=None)
@given(st.lists(floats, max_size=7))
def test_exact_sum_is_fsum_to_the_bit(terms: list[float]) -> None:
    result = kernel.exact_sum(np.array(terms, np.float64), np.empty(8))
    assert float(result).hex() == (math.fsum(terms) + 0.0).hex()


@pytest.mark.parametrize(
    "terms",
    [
        [1.0, 2.0**-53, 2.0**-106],
        [1.0, 2.0**-53, -(2.0**-106)],
        [2.0**53, 1.0, 2.0**-1000],
        [-(2.0**53), -1.0, -(2.0**-1000)],
        [1e16, 1.0, -1e16],
    ],
)
def test_exact_sum_breaks_ties_by_the_remainder(terms: list[float]) -> None:
    assert kernel.exact_sum(np.array(terms), np.empty(8)) == math.fsum(terms)


@pytest.mark.parametrize(("mentions", "width"), [(255, 1), (256, 1 + 1), (65_535, 2), (65_536, 4)])
def test_counts_widen_before_overflow(mentions: int, width: int) -> None:
    many = (np.zeros(mentions, np.int32), np.ones(mentions, np.int32))
    half = mentions // 2
    kinds = np.full(mentions, kernel.COMBINED, np.uint8)
    chunks = [(many[0][s], many[1][s], kinds[s]) for s in (slice(0, half), slice(half, None))]
    counts, strays = count_mentions(one_pair(), chunks)
    assert counts.itemsize == width
    assert counts[0, kernel.RESULT] == counts[0, kernel.COMBINED] == mentions
    assert (counts.sum(), strays) == (2 * mentions, 0)


def test_strays_are_counted_once_when_counts_widen() -> None:
    rows = np.zeros(600, np.int32)
    cited = np.array([-1, *([1] * 598), -1], np.int32)
    counts, strays = count_mentions(one_pair(), [(rows, cited, np.zeros(600, np.uint8))])
    assert (counts[0, 0], strays) == (598, 2)


@compiling
@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_share_is_a_non_empty_intersection(first: set[int], second: set[int]) -> None:
    assert kernel.have_common(codes(sorted(first)), codes(sorted(second))) == bool(first & second)


def test_an_author_listed_twice_is_one_author() -> None:
    wrote = [(0, 7), (0, 7), (1, 7), (1, 7)]
    marks = mark_self_citations(
        one_pair(), codes([p for p, _ in wrote]), codes([a for _, a in wrote])
    )
    assert marks.tolist() == [1]


def test_a_repeated_pair_is_an_error() -> None:
    with pytest.raises(StoreError, match="1 of 3 CITES pairs"):
        build_pairs(pa.array(["a", "b"]), codes([0, 1, 0]), codes([1, 0, 1]))


def test_papers_without_a_pair_are_skipped() -> None:
    pairs = build_pairs(pa.array(["a", "b", "c", "d"]), codes([3]), codes([1]))
    assert pairs.ids.to_pylist() == ["b", "d"]
    assert pairs.locate(codes([1]), codes([0])).tolist() == [0]


def test_codes_are_ranks_of_ids() -> None:
    ids = sort_ids(pa.chunked_array([["b", "c"], ["a"]]))
    assert encode(pa.chunked_array([["c", "x", "a"]]), ids).tolist() == [2, -1, 0]
