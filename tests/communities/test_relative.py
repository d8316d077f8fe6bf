"""Curves, and networks compared at equal granularity."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.communities.relative import Curve, build_curve, compare_curves, find_overlap
from citescape.errors import ConfigError

granularities = st.floats(1e-4, 1.0)
points = st.lists(st.tuples(granularities, st.floats(0.01, 1.0)), min_size=2, max_size=6)


def curve(*at: tuple[float, float]) -> Curve:
    return build_curve([g for g, _ in at], [a for _, a in at])


@given(points)
def test_points_come_in_order_each_granularity_once(at: list[tuple[float, float]]) -> None:
    found = curve(*at)
    assert found.granularity.tolist() == sorted({g for g, _ in at})
    for g, accuracy in zip(found.granularity, found.accuracy, strict=True):
        equal = [a for other, a in at if other == g]
        assert accuracy == pytest.approx(sum(equal) / len(equal))


def test_accuracy_in_between_is_a_power_of_granularity() -> None:
    """Halfway between two points it is their geometric mean; linear beside one of none."""
    found = curve((0.01, 0.8), (0.1, 0.4), (1.0, 0.0))
    at = np.array([0.01, 10**-1.5, 0.1, 0.5, 1.0])
    half = 0.4 * (1 - (math.log10(0.5) + 1))
    np.testing.assert_allclose(found.at(at), [0.8, math.sqrt(0.32), 0.4, half, 0.0], atol=1e-12)
    assert found.reach == (0.01, 1.0)


def test_nothing_is_said_of_granularities_that_were_not_reached() -> None:
    found = curve((0.01, 0.8), (0.1, 0.4)).at(np.array([0.009, 0.05, 0.11]))
    assert np.isnan(found).tolist() == [True, False, True]


def test_leaps_are_by_ratio() -> None:
    """From .01 to .05 it is the fifth, from .05 to .24 it is not yet."""
    assert curve((0.01, 0.8), (0.05, 0.5), (0.24, 0.4)).leaps == [(0.01, 0.05)]
    assert curve((0.3, 0.5)).leaps == []


def test_nothing_is_compared_in_a_leap() -> None:
    one = curve((0.01, 0.9), (0.02, 0.8), (0.2, 0.1), (0.4, 0.05))
    other = curve((0.01, 0.6), (0.4, 0.1))
    found = compare_curves({"a": one, "b": other}, leaps=[(0.02, 0.2)])
    assert not ((found.granularity > 0.02) & (found.granularity < 0.2)).any()
    assert {found.granularity[0], found.granularity[-1]} == {0.01, 0.4}
    with pytest.raises(ConfigError, match="no communities, at every"):
        compare_curves({"a": one, "b": other}, leaps=[(0.001, 0.9)])


def test_a_curve_has_points() -> None:
    with pytest.raises(ConfigError, match="no points"):
        build_curve([], [])


def test_two_networks_by_hand() -> None:
    """Twice as accurate everywhere: 4/3 and 2/3 of the mean."""
    one, other = curve((0.01, 0.8), (1.0, 0.2)), curve((0.001, 0.4), (0.01, 0.4), (1.0, 0.1))
    found = compare_curves({"one": one, "other": other}, points=5)
    np.testing.assert_allclose(found.granularity, np.geomspace(0.01, 1.0, 5))
    assert find_overlap({"one": one, "other": other}) == (0.01, 1.0)
    np.testing.assert_allclose(found.accuracy["one"], np.geomspace(0.8, 0.2, 5))
    assert found.mean == pytest.approx({"one": 4 / 3, "other": 2 / 3})


@given(st.lists(points, min_size=1, max_size=4), st.none() | st.just((0.01, 0.3)))
def test_relative_accuracies_average_to_1(
    all_points: list[list[tuple[float, float]]], within: tuple[float, float] | None
) -> None:
    """P1-31: at each point of the grid, and so over it."""
    curves = {f"n{k}": curve(*at) for k, at in enumerate(all_points)}
    low, high = find_overlap(curves)
    low, high = (max(low, within[0]), min(high, within[1])) if within else (low, high)
    if low >= high:
        with pytest.raises(ConfigError, match="no granularities in common"):
            compare_curves(curves, within=within)
        return
    found = compare_curves(curves, within=within)
    np.testing.assert_allclose(np.mean(list(found.relative.values()), axis=0), 1.0)
    assert sum(found.mean.values()) / len(curves) == pytest.approx(1.0)
    assert (found.granularity[0], found.granularity[-1]) == (low, high)
    for name, one in curves.items():
        np.testing.assert_array_equal(found.accuracy[name], one.at(found.granularity))


@given(points, points)
def test_the_order_of_networks_does_not_matter(
    one: list[tuple[float, float]], other: list[tuple[float, float]]
) -> None:
    curves = {"one": curve(*one), "other": curve(*other)}
    low, high = find_overlap(curves)
    if low < high:
        found = compare_curves(curves).mean
        assert compare_curves(dict(reversed(curves.items()))).mean == pytest.approx(found)


def test_granularities_without_any_accuracy_are_left_out() -> None:
    one, other = curve((0.1, 0.5), (0.5, 0.0), (1.0, 0.0)), curve((0.1, 0.1), (0.5, 0.0), (1.0, 0))
    found = compare_curves({"one": one, "other": other}, points=50)
    assert found.granularity.max() < 0.5
    assert found.mean == pytest.approx({"one": 0.5 / 0.3, "other": 0.1 / 0.3})
    nothing = curve((0.1, 0.0), (1.0, 0.0))
    with pytest.raises(ConfigError, match="accuracy of 0"):
        compare_curves({"one": nothing, "other": nothing})
