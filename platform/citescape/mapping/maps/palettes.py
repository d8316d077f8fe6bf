"""Colours that are distinguishable with any colour vision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.networks.network import Floats
from citescape.reports.drawing import CATEGORIES, NOTHING

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

INK, SOFT, PAPER = "#1d2530", "#59636f", "#ffffff"
"""Colours of letters, small letters and the background."""
HOLLOW = "#8b9199"
"""Edge of a circle without a value."""
_VALUES = "viridis"
"""Van der Walt and Smith (2015): even steps of lightness, also for colour-blind readers. High
values are dark on white and light on black."""
_LIGHTEST = 0.93
"""Lightest share of viridis on white: lighter yellow is invisible."""
DENSITIES = ("#ffffff", "#e9f5d3", "#b5e2a4", "#5cc27d", "#21918c", "#355f8d", "#440154")
"""Colours of density: white for zero, then towards the dark end of viridis."""
_DARKEST = 0.15
"""Darkest share of viridis on black."""
_FAINTEST = 0.06
"""Minimum density of dots: white dots are invisible."""
NOTHINGS = {"light": NOTHING, "dark": "#434c56"}
"""Colour of points without a value, on white and on black."""
Colours = npt.NDArray[np.float64]


def shade(shares: Floats) -> Colours:
    """(n, 3) colours of shares from 0 (light) to 1 (dark), on white; NaN for missing values."""
    from matplotlib.colors import to_rgb

    mixed = _mix((1 - np.nan_to_num(shares)) * _LIGHTEST, _VALUES)
    mixed[np.isnan(shares)] = to_rgb(NOTHING)
    return mixed


def shade_density(shares: Floats) -> Colours:
    """(n, 3) colours of densities from 0 (white) to 1, by square root, since most are small."""
    from matplotlib.colors import LinearSegmentedColormap

    return _mix(np.sqrt(shares), LinearSegmentedColormap.from_list("densities", DENSITIES))


def ramps(steps: int) -> dict[str, dict[str, list[str]]]:
    """Colours of values and of densities from low to high, on white and on black."""
    shares = np.linspace(0.0, 1.0, steps)
    dark = _name(_mix(_DARKEST + (1 - _DARKEST) * shares, _VALUES))
    light, dense = _name(shade(shares)), _name(shade_density(_FAINTEST + (1 - _FAINTEST) * shares))
    return {"values": {"light": light, "dark": dark}, "density": {"light": dense, "dark": dark}}


def _mix(shares: Floats, scale: str | Colormap) -> Colours:
    from matplotlib import colormaps

    colours: Colours = colormaps.get_cmap(scale)(shares)[..., :3]
    return colours


def _name(colours: Colours) -> list[str]:
    """Formats colours as `#rrggbb`."""
    from matplotlib.colors import to_hex

    return [to_hex(colour) for colour in colours]


def spread_colours(positions: Floats, sizes: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Assigns rows of `CATEGORIES` (n,), so that neighbouring points have different colours.

    From the largest point to the smallest, each gets the colour whose nearest point is farthest
    away (ties: the first). As on a political map, colours only distinguish neighbours.
    """
    order = np.argsort(-sizes, kind="stable")
    return _spread(np.asarray(positions, np.float64), order, len(CATEGORIES))


@compiled
def _spread(positions: Floats, order: npt.NDArray[np.int64], colours: int) -> npt.NDArray[np.int64]:
    chosen = np.full(len(positions), -1)
    for place, row in enumerate(order):
        nearest = np.full(colours, np.inf)  # squared distance of the nearest point of each colour
        for other in order[:place]:
            dx = positions[row, 0] - positions[other, 0]
            dy = positions[row, 1] - positions[other, 1]
            distance = dx * dx + dy * dy
            if distance < nearest[chosen[other]]:
                nearest[chosen[other]] = distance
        chosen[row] = np.argmax(nearest)
    return chosen
