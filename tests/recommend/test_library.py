"""Hashes of libraries."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.types import Document
from tests.recommend.libraries import draw_library, make_library

PAPERS, PAIRS = draw_library()
HASH = make_library(PAPERS, PAIRS).hash()


def test_records_are_sorted_and_dates_parsed() -> None:
    library = make_library([("b", "B", "", "2001-05"), ("a", "", "of a", "")], PAIRS)
    assert library.ids.to_pylist() == ["a", "b"]
    assert library.documents == [Document("", "of a"), Document("B", "")]
    assert library.dates.latest[1] == 20010599


@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_change_the_hash(chance: Any) -> None:
    mixed = chance.sample(PAIRS, len(PAIRS))
    assert make_library(PAPERS, mixed).hash() == HASH


@pytest.mark.parametrize("column", range(4))
@given(data=st.data())
def test_any_change_changes_the_hash(column: int, data: st.DataObject) -> None:
    """Includes words moved from title to abstract, or from one context to the next."""
    rows = data.draw(st.sampled_from([PAPERS, PAIRS]))
    at = data.draw(st.integers(0, len(rows) - 1))
    changed = [list(row) for row in rows]
    changed[at][column] += "x"
    changed_rows = [tuple(row) for row in changed]
    library = (
        make_library(changed_rows, PAIRS) if rows is PAPERS else make_library(PAPERS, changed_rows)
    )
    assert library.hash() != HASH


def test_moving_words_from_title_to_abstract_changes_the_hash() -> None:
    in_title, in_abstract = [("a", "rust", "", "")], [("a", "", "rust", "")]
    assert make_library(in_title, []).hash() != make_library(in_abstract, []).hash()
    moved = [("c0", "a", "b", "x', 'y"), ("c1", "a", "b", "z")]
    split = [("c0", "a", "b", "x"), ("c1", "a", "b", "y', 'z")]
    assert make_library(in_title, moved).hash() != make_library(in_title, split).hash()
    assert make_library(PAPERS, PAIRS[1:]).hash() != HASH
    assert make_library(PAPERS[1:], PAIRS).hash() != HASH
