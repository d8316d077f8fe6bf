"""Palettes: distinguishable colours, darkness by value, and colours of neighbours."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex, to_rgb

from citescape.mapping.maps.palettes import ramps, shade, shade_density, spread_colours
from citescape.reports.drawing import CATEGORIES, NOTHING, OTHER

EYES = {
    "all cones": np.eye(3),
    "no medium cones": np.array(
        [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]
    ),
    "no long cones": np.array(
        [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]
    ),
}
"""Colour vision deficiencies in linear RGB (Vienot et al. 1999)."""
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""Oklab (Ottosson 2020), a perceptually uniform colour space."""


def to_linear(rgb: np.ndarray) -> np.ndarray:
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def luminance(rgb: np.ndarray) -> np.ndarray:
    """Relative luminance of WCAG 2."""
    return to_linear(rgb) @ np.array([0.2126, 0.7152, 0.0722])


def test_larger_values_are_darker_on_white() -> None:
    shares = np.linspace(0, 1, 50)
    assert (np.diff(luminance(shade(shares))) < 0).all()
    assert (np.diff(luminance(shade_density(shares))) < 0).all()
    assert to_hex(shade_density(np.zeros(1))[0]) == "#ffffff"
    assert to_hex(shade(np.array([np.nan]))[0]) == NOTHING


def test_larger_values_are_lighter_on_black() -> None:
    dark = np.array([to_rgb(colour) for colour in ramps(32)["values"]["dark"]])
    assert (np.diff(luminance(dark)) > 0).all()
    assert {len(ramp) for both in ramps(32).values() for ramp in both.values()} == {32}


@pytest.mark.parametrize("eyes", EYES)
def test_categories_are_distinguishable(eyes: str) -> None:
    """Categories also differ from the colour of other values."""
    rgb = np.array([to_rgb(colour) for colour in (*CATEGORIES, OTHER)])
    seen = np.clip(to_linear(rgb) @ EYES[eyes].T, 0, 1)
    lab = np.cbrt(seen @ TO_CONES.T) @ TO_LAB.T
    for k in range(len(lab)):
        away = np.linalg.norm(np.delete(lab, k, axis=0) - lab[k], axis=1)
        assert away.min() > 0.12


def test_categories_have_contrast_on_white_and_black() -> None:
    own = luminance(np.array([to_rgb(colour) for colour in CATEGORIES]))
    white, black = 1.0, float(luminance(np.array(to_rgb("#14181d"))))
    assert ((white + 0.05) / (own + 0.05)).min() > 1.9
    assert ((own + 0.05) / (black + 0.05)).min() > 1.9


@given(st.integers(1, 60), st.integers(0, 99))
def test_colours_are_reused_for_distant_points(count: int, seed: int) -> None:
    """Computed in plain loops; largest group first, ties by order."""
    chance = np.random.default_rng(seed)
    positions, sizes = chance.normal(size=(count, 2)), chance.integers(1, 9, count)
    taken: dict[int, int] = {}
    for row in sorted(range(count), key=lambda k: (-sizes[k], k)):
        away = [
            min(
                (math.dist(positions[row], positions[k]) for k in taken if taken[k] == c),
                default=9e9,
            )
            for c in range(len(CATEGORIES))
        ]
        taken[row] = away.index(max(away))
    found = spread_colours(positions, sizes)
    assert found.tolist() == [taken[row] for row in range(count)]


@pytest.mark.parametrize("count", [1, 5, 40])
def test_neighbours_have_different_colours(count: int) -> None:
    side = np.arange(count)
    positions = np.stack([side % 7, side // 7], axis=1).astype(float)
    sizes = np.arange(count, 0, -1)
    colours = spread_colours(positions, sizes)
    assert colours.min() >= 0
    assert colours.max() < len(CATEGORIES)
    away = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    np.fill_diagonal(away, np.inf)
    assert all(colours[k] != colours[j] for k, j in enumerate(away.argmin(axis=1)) if count > 1)
    assert (colours == spread_colours(positions, sizes)).all()
