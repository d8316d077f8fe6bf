"""Accuracy curves, and comparison of networks at equal granularity."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.mapping.communities.relative import (
    AccuracyCurve,
    build_curve,
    compare_curves,
    find_overlap,
)

granularities = st.floats(1e-4, 1.0)
points = st.lists(st.tuples(granularities, st.floats(0.01, 1.0)), min_size=2, max_size=6)


def curve(*at: tuple[float, float]) -> AccuracyCurve:
    return build_curve([g for g, _ in at], [a for _, a in at])


@given(points)
def test_points_are_sorted_and_unique(at: list[tuple[float, float]]) -> None:
    found = curve(*at)
    assert found.granularity.tolist() == sorted({g for g, _ in at})
    for g, accuracy in zip(found.granularity, found.accuracy, strict=True):
        equal = [a for other, a in at if other == g]
        assert accuracy == pytest.approx(sum(equal) / len(equal))


def test_accuracy_is_interpolated_as_a_power_of_granularity() -> None:
    """Halfway between two points it is their geometric mean; next to zero it is linear."""
    found = curve((0.1, 0.8), (0.2, 0.4), (0.8, 0.0))
    at = np.array([0.1, math.sqrt(0.02), 0.2, 0.6, 0.8])
    rest = 0.4 * (1 - math.log(0.6 / 0.2) / math.log(0.8 / 0.2))
    np.testing.assert_allclose(found.at(at), [0.8, math.sqrt(0.32), 0.4, rest, 0.0], atol=1e-12)
    assert found.reach == (0.1, 0.8)


def test_accuracy_outside_the_curve_is_missing() -> None:
    found = curve((0.03, 0.8), (0.1, 0.4)).at(np.array([0.029, 0.05, 0.11]))
    assert np.isnan(found).tolist() == [True, False, True]


def test_gaps_depend_on_the_ratio_and_have_no_accuracy() -> None:
    """.01 to .05 is a gap (a ratio of 5); .05 to .24 is not."""
    curve_with_gap = curve((0.01, 0.8), (0.05, 0.5), (0.24, 0.4))
    assert curve_with_gap.gaps == [(0.01, 0.05)]
    found = curve_with_gap.at(np.array([0.01, 0.011, 0.049, 0.05, 0.1]))
    assert np.isnan(found).tolist() == [False, True, True, False, False]
    assert curve((0.3, 0.5)).gaps == []


def test_an_empty_curve_is_refused() -> None:
    with pytest.raises(ConfigError, match="no points"):
        build_curve([], [])


def test_relative_accuracy_of_two_networks_by_hand() -> None:
    """One network is twice as accurate everywhere: 4/3 and 2/3 of the mean."""
    first, second = curve((0.1, 0.8), (0.4, 0.2)), curve((0.05, 0.4), (0.1, 0.4), (0.4, 0.1))
    assert find_overlap([first, second]) == (0.1, 0.4)
    grid = np.geomspace(0.1, 0.4, 5)
    found = compare_curves({"one": first, "other": second}, grid)
    np.testing.assert_array_equal(found.granularity, grid)
    np.testing.assert_allclose(found.accuracy["one"], np.geomspace(0.8, 0.2, 5))
    assert found.mean == pytest.approx({"one": 4 / 3, "other": 2 / 3})


@given(st.lists(points, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_relative_accuracies_average_to_1(
    all_points: list[list[tuple[float, float]]], chance: random.Random
) -> None:
    """P1-31: at each point of the grid, for any order of networks."""
    curves = {f"n{k}": curve(*at) for k, at in enumerate(all_points)}
    grid = np.geomspace(1e-4, 1.0, 50)
    grid = grid[np.all([np.isfinite(line.at(grid)) for line in curves.values()], axis=0)]
    if not len(grid):
        with pytest.raises(ConfigError, match="can be compared at 0 of 0 granularities"):
            compare_curves(curves, grid)
        return
    found = compare_curves(curves, grid)
    np.testing.assert_allclose(np.mean(list(found.relative.values()), axis=0), 1.0)
    assert sum(found.mean.values()) / len(curves) == pytest.approx(1.0)
    for name, line in curves.items():
        np.testing.assert_array_equal(found.accuracy[name], line.at(grid))
    names = chance.sample(list(curves), len(curves))
    shuffled = compare_curves({name: curves[name] for name in names}, grid)
    assert shuffled.mean == pytest.approx(found.mean)


def test_ranges_of_zero_accuracy_cannot_be_compared() -> None:
    first, second = curve((0.1, 0.5), (0.4, 0.0)), curve((0.1, 0.1), (0.4, 0.0))
    with pytest.raises(
        ConfigError, match="at 1 of 2 granularities; expected granularities at which all"
    ):
        compare_curves({"one": first, "other": second}, np.array([0.2, 0.4]))
    with pytest.raises(ConfigError, match="at 1 of 2 granularities"):
        compare_curves({"one": first, "other": second}, np.array([0.05, 0.2]))
