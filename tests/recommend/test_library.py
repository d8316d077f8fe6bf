"""What tells one library from another."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.types import Document
from tests.recommend.libraries import draw_library, make_library

PAPERS, PAIRS = draw_library()
HASH = make_library(PAPERS, PAIRS).hash()


def test_records() -> None:
    library = make_library([("b", "B", "", "2001-05"), ("a", "", "of a", "")], PAIRS)
    assert library.ids.to_pylist() == ["a", "b"]
    assert library.documents == [Document("", "of a"), Document("B", "")]
    assert library.dates.latest[1] == 20010599


@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_is_no_difference(chance: Any) -> None:
    mixed = chance.sample(PAIRS, len(PAIRS))
    assert make_library(PAPERS, mixed).hash() == HASH


@pytest.mark.parametrize("column", range(4))
@given(data=st.data())
def test_any_change_is_a_difference(column: int, data: st.DataObject) -> None:
    """Also words that move from a title to its abstract, or from a context to the next."""
    rows = data.draw(st.sampled_from([PAPERS, PAIRS]))
    at = data.draw(st.integers(0, len(rows) - 1))
    changed = [list(row) for row in rows]
    changed[at][column] += "x"
    told = [tuple(row) for row in changed]
    library = make_library(told, PAIRS) if rows is PAPERS else make_library(PAPERS, told)
    assert library.hash() != HASH


def test_where_words_stand_is_a_difference() -> None:
    one, other = [("a", "rust", "", "")], [("a", "", "rust", "")]
    assert make_library(one, []).hash() != make_library(other, []).hash()
    moved = [("c0", "a", "b", "x', 'y"), ("c1", "a", "b", "z")]
    split = [("c0", "a", "b", "x"), ("c1", "a", "b", "y', 'z")]
    assert make_library(one, moved).hash() != make_library(one, split).hash()
    assert make_library(PAPERS, PAIRS[1:]).hash() != HASH
    assert make_library(PAPERS[1:], PAIRS).hash() != HASH
