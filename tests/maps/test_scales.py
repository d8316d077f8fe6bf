"""Shares of a scale, its ends and its ticks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.maps.scales import Scale, fit_scale, tell

VALUE = st.floats(0, 1e6)


@given(VALUE, VALUE, st.booleans(), st.lists(VALUE, max_size=20))
def test_shares_are_between_0_and_1_and_in_the_order_of_values(
    one: float, other: float, log: bool, values: list[float]
) -> None:
    scale = Scale(min(one, other), max(one, other), log=log)
    shares = scale(np.sort(np.array(values, np.float64)))
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (np.diff(shares) >= 0).all()


@given(st.floats(0, 1e4), st.floats(1e-3, 1e4), st.booleans(), st.booleans())
def test_ticks_are_round_few_and_on_the_scale(
    low: float, extent: float, log: bool, whole: bool
) -> None:
    high = low + extent
    if whole:  # as `fit_scale` has them
        low, high = math.floor(low), math.ceil(high)
    scale = Scale(0.0 if log else low, high, log=log, whole=whole)
    ticks = scale.ticks
    assert 1 <= len(ticks) <= 11
    assert ticks == sorted(set(ticks))
    shares = scale(np.array(ticks))
    assert (np.diff(shares) >= 0.09 - 1e-9).all()
    if not log:
        assert len(ticks) >= (1 if whole else 3)
        assert not whole or all(tick == int(tick) for tick in ticks)
    if len(ticks) > 1:
        assert scale.low - 1e-6 <= ticks[0]
        assert ticks[-1] <= scale.high * (1 + 1e-9)


def test_linear_and_logarithmic() -> None:
    assert Scale(10, 20)(np.array([5, 10, 12, 20, 99.0])).tolist() == [0, 0, 0.2, 1, 1]
    assert Scale(0, 99, log=True)(np.array([9.0])) == pytest.approx(math.log(10) / math.log(100))
    assert np.isnan(Scale(0, 1)(np.array([np.nan]))).all()
    assert Scale(3, 3)(np.array([3.0])).tolist() == [0]


def test_years_have_whole_ticks() -> None:
    scale = fit_scale(np.array([2016, 2017, 2017, 2018, np.nan]), whole=True)
    assert scale.ticks == [2016, 2017, 2018]


def test_ticks_of_numbers() -> None:
    assert Scale(0.0, 0.3).ticks == [0, 0.1, 0.2, 0.3]
    assert Scale(2000.7, 2017.3).ticks == [2005, 2010, 2015]
    assert Scale(2012, 2013, whole=True).ticks == [2012, 2013]


def test_ends_leave_out_the_extremes() -> None:
    values = np.append(np.linspace(0, 1, 200), 1000.0)
    scale = fit_scale(values)
    assert scale.high == pytest.approx(np.quantile(values, 0.96))
    assert fit_scale(np.zeros(5), log=True) == Scale(0, 0, log=True)
    assert fit_scale(np.full(4, 7.0)) == Scale(7, 7)


@pytest.mark.parametrize(
    ("value", "text"),
    [(2015, "2015"), (12000, "12,000"), (0.25, "0.25"), (0, "0"), (2017.8, "2017.8"), (5, "5")],
)
def test_ticks_as_text(value: float, text: str) -> None:
    assert tell(value) == text
