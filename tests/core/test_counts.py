"""Counts by key: sums and differences equal those of dictionaries."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.counts import Counts

keys = st.lists(st.integers(0, 9))


def counts(numbers: list[int]) -> Counts:
    return Counts.of(np.array(numbers, np.uint64))


@given(keys, keys, keys)
def test_sums_and_differences(one: list[int], two: list[int], three: list[int]) -> None:
    found = counts(one).add(counts(two)).add(counts(three), -1)
    expected = Counter(one)
    expected.update(two)
    expected.subtract(three)
    asked = np.arange(11, dtype=np.uint64)
    assert found.look_up(asked).tolist() == [expected[key] for key in range(11)]
    assert (np.diff(found.keys.astype(np.int64)) > 0).all()


@given(keys)
def test_adding_leaves_the_first_as_it_was(one: list[int]) -> None:
    first = counts(one)
    before = first.look_up(np.arange(10, dtype=np.uint64)).tolist()
    first.add(counts([1, 2, 3]))
    assert first.look_up(np.arange(10, dtype=np.uint64)).tolist() == before
