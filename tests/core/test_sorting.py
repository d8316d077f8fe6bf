"""Sorting and bisection in kernels equal NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from citescape.core.sorting import bisect, order_descending, sort

Array = npt.NDArray[Any]
INTEGERS = arrays(np.int32, st.integers(0, 200), elements=st.integers(-30, 30))
SCORES = arrays(
    np.float32, st.integers(0, 200), elements=st.sampled_from([-np.inf, -1, -0.0, 0, 2])
)
UNSIGNED = arrays(np.uint64, st.integers(0, 200))
LONG = [
    np.arange(5000),
    np.arange(5000)[::-1].copy(),
    np.zeros(5000, np.int64),
    np.concatenate([np.arange(2500), np.arange(2500)[::-1]]),
    np.random.default_rng(0).integers(0, 9, 5000),
]


@pytest.mark.parametrize("values", LONG)
def test_long_arrays(values: Array) -> None:
    ordered = values.copy()
    sort(ordered)
    assert ordered.tolist() == np.sort(values).tolist()
    assert order_descending(values).tolist() == np.argsort(-values, kind="stable").tolist()


@given(INTEGERS | SCORES | UNSIGNED)
def test_sort(values: Array) -> None:
    expected = np.sort(values)
    sort(values)
    assert values.tolist() == expected.tolist()


@given(INTEGERS | SCORES)
def test_ties_are_in_the_order_of_positions(values: Array) -> None:
    assert order_descending(values).tolist() == np.argsort(-values, kind="stable").tolist()


@given(INTEGERS, st.integers(-31, 31))
def test_bisect_equals_searchsorted(values: Array, value: int) -> None:
    values.sort()
    assert bisect(values, value) == np.searchsorted(values, value)
