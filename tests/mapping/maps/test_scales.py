"""Scales of values: shares, limits and ticks."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.mapping.maps.scales import ValueScale, fit_scale, format_tick

VALUE = st.floats(0, 1e6)


POSITIVE = st.floats(1e-4, 1e6)


@given(VALUE, VALUE, st.lists(VALUE, max_size=20))
def test_shares_are_between_0_and_1_and_sorted(
    first: float, second: float, values: list[float]
) -> None:
    shares = ValueScale(min(first, second), max(first, second))(
        np.sort(np.array(values, np.float64))
    )
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (np.diff(shares) >= 0).all()


@given(POSITIVE, POSITIVE, st.lists(POSITIVE, max_size=20))
def test_shares_on_a_logarithmic_scale(first: float, second: float, values: list[float]) -> None:
    shares = ValueScale(min(first, second), max(first, second), log=True)(np.sort(np.array(values)))
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (np.diff(shares) >= 0).all()


@given(st.lists(POSITIVE, min_size=1, max_size=60), st.booleans(), st.booleans())
def test_ticks_include_the_limits_and_do_not_overlap(
    values: list[float], log: bool, whole: bool
) -> None:
    given_ = np.array(values)
    scale = fit_scale(given_, log=log, whole=whole and not log)
    shares, labels = zip(*scale.marks, strict=True)
    assert all(0 <= share <= 1 for share in shares)
    assert len(labels) == 1 or (shares[0], shares[-1]) == (0, 1)
    assert (np.diff(shares) >= 0.09).all()
    assert len(labels) <= 12
    assert (given_.min() < scale.low) == labels[0].startswith("≤ ")
    assert (given_.max() > scale.high) == labels[-1].startswith("≥ ")
    numbers = [float(text.strip("≤≥ ").replace(",", "")) for text in labels]
    assert numbers == sorted(numbers)


def test_linear_and_logarithmic_shares() -> None:
    assert ValueScale(10, 20)(np.array([5, 10, 12, 20, 99.0])).tolist() == [0, 0, 0.2, 1, 1]
    shares = ValueScale(1, 100, log=True)(np.array([0.5, 1, 10, 1000]))
    assert shares == pytest.approx([0, 0, math.log(10) / math.log(100), 1])
    assert np.isnan(ValueScale(0, 1)(np.array([np.nan]))).all()
    assert np.isnan(ValueScale(1, 9, log=True)(np.array([0.0, np.nan]))).all()
    assert ValueScale(3, 3)(np.array([3.0])).tolist() == [0]


def test_years_have_whole_ticks() -> None:
    scale = fit_scale(np.array([2016, 2017, 2017, 2018, np.nan]), whole=True)
    assert scale.marks == [(0, "2016"), (0.5, "2017"), (1, "2018")]


def test_ticks_of_numbers() -> None:
    assert [text for _, text in ValueScale(0.0, 0.3).marks] == ["0", "0.1", "0.2", "0.3"]
    labels = [text for _, text in ValueScale(0.0, 0.025, above=True).marks]
    assert labels == ["0", "0.005", "0.01", "0.015", "0.02", "≥ 0.025"]
    assert [text for _, text in ValueScale(2012, 2013, whole=True).marks] == ["2012", "2013"]
    powers = ValueScale(0.3, 4000, log=True, below=True).marks
    assert [text for _, text in powers] == ["≤ 0.3", "10", "100", "1000", "4,000"]


def test_limits_exclude_extremes() -> None:
    values = np.append(np.linspace(0, 1, 200), 1000.0)
    scale = fit_scale(values)
    assert (scale.low, scale.high) == (pytest.approx(0.03), pytest.approx(0.97))
    assert (scale.below, scale.above) == (True, True)
    assert fit_scale(np.full(4, 7.0)) == ValueScale(7, 7)


def test_a_logarithmic_scale_starts_above_zero() -> None:
    scale = fit_scale(np.array([0, 0, 0, 0.031, 2, 8.66]), log=True)
    assert scale == ValueScale(0.031, 8.7, log=True)


@pytest.mark.parametrize(
    ("value", "text"),
    [(2015, "2015"), (12000, "12,000"), (0.25, "0.25"), (0, "0"), (2017.8, "2017.8"), (5, "5")],
)
def test_ticks_are_formatted(value: float, text: str) -> None:
    assert format_tick(value) == text


@settings(max_examples=100, deadline=None)
@given(st.floats(0.001, 1e4), st.floats(1.01, 1e4), st.booleans())
def test_classes_follow_each_other(low: float, times: float, log: bool) -> None:
    """Classes cover the scale, and a bound in a text is the bound of its class."""
    scale = ValueScale(low, low * times, log=log)
    classes = scale.classes()
    assert 1 <= len(classes) <= 5
    assert (classes[0][0], classes[-1][1]) == (0, 1)
    assert all(a[1] == b[0] for a, b in itertools.pairwise(classes))
    assert all(a[0] < a[1] for a in classes)


@pytest.mark.parametrize(
    ("scale", "texts"),
    [
        (ValueScale(2015, 2018, whole=True), ["before 2016", "2016", "2017 or later"]),
        (ValueScale(0.0, 1.0), [f"{a}" for a in ("under 0.2", "0.2 to 0.4", "0.4 to 0.6")]),
        (ValueScale(3, 3), ["3"]),
    ],
)
def test_texts_of_classes(scale: ValueScale, texts: list[str]) -> None:
    assert [text for *_, text in scale.classes()][: len(texts)] == texts


def test_a_year_is_in_the_class_that_names_it() -> None:
    scale = ValueScale(2000, 2019, whole=True)
    low, high, text = scale.classes()[1]
    first, last = (int(year) for year in text.split(" to "))
    for year in range(2000, 2020):
        share = float(scale(np.array(float(year))))
        assert (low <= share < high) is (first <= year <= last)
