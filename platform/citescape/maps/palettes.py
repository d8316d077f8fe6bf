"""Colours that people of every colour vision tell apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from citescape.networks.network import Floats

CATEGORIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255")
"""Okabe and Ito (2008), with Tol's wine (2021) in place of black, which is ink here, and of yellow,
which is hardly seen on white; darkened, it is their orange to many eyes."""
INK, SOFT, PAPER = "#1d2530", "#59636f", "#ffffff"
"""Of pictures: letters, small letters, ground."""
OTHER, NOTHING = "#8b9199", "#c3c7cc"
"""What has no colour of its own; what has no value."""
VALUES = (
    *("#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c"),
    *("#22a884", "#44bf70", "#7ad151", "#bddf26", "#fde725"),
)
"""Viridis (van der Walt and Smith 2015): even steps of lightness, also to colour-blind eyes. On
white paper the dark end stands for more, on black the light one."""
_LIGHTEST = 0.93
"""Of viridis on white; beyond, yellow is not seen on it."""
DENSITIES = ("#ffffff", "#e9f5d3", "#b5e2a4", "#5cc27d", "#21918c", "#355f8d", "#440154")
"""White where there is nothing, then towards the dark end of viridis."""
_LETTERS = 0.62
_DARKEST = 0.15
"""Of viridis on black."""
_FAINTEST = 0.06
"""Of densities that dots have: white ones are not seen."""
Colours = npt.NDArray[np.float64]


def to_rgb(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, 0 to 1, of `#rrggbb`."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


def to_hex(rgb: npt.NDArray[np.floating]) -> str:
    """`#rrggbb` of red, green and blue, 0 to 1."""
    return "#" + "".join(f"{round(float(part) * 255):02x}" for part in rgb)


def shade(shares: Floats) -> Colours:
    """(n, 3) colours of shares from 0 (light) to 1 (dark), on white; NaN for nothing."""
    mixed = _mix((1 - np.nan_to_num(shares)) * _LIGHTEST, VALUES)
    mixed[np.isnan(shares)] = to_rgb(NOTHING)
    return mixed


def shade_density(shares: Floats) -> Colours:
    """(n, 3) colours of densities from 0 (white) to 1; by their root, since most are small."""
    return _mix(np.sqrt(shares), DENSITIES)


def ramps(steps: int) -> dict[str, dict[str, list[str]]]:
    """Colours of values and of densities from little to much, on white and on black ground."""
    shares = np.linspace(0.0, 1.0, steps)
    on_black = _DARKEST + (1 - _DARKEST) * shares
    dark = [to_hex(colour) for colour in _mix(on_black, VALUES)]
    light = [to_hex(colour) for colour in shade(shares)]
    dense = [to_hex(colour) for colour in shade_density(_FAINTEST + (1 - _FAINTEST) * shares)]
    return {"values": {"light": light, "dark": dark}, "density": {"light": dense, "dark": dark}}


def darken(colour: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """A colour dark enough for letters on white."""
    return np.asarray(colour, np.float64) * _LETTERS


def _mix(shares: Floats, colours: tuple[str, ...]) -> Colours:
    stops = np.array([to_rgb(colour) for colour in colours])
    places, steps = shares * (len(stops) - 1), np.arange(len(stops))
    return np.stack([np.interp(places, steps, stops[:, k]) for k in range(3)], axis=-1)


def spread_colours(positions: Floats, sizes: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """(n,) rows of `CATEGORIES`, so that points near each other differ.

    The largest first, each takes the colour whose nearest point is furthest away; of equals the
    first. As on a political map, a colour tells neighbours apart and means nothing else.
    """
    taken = np.full(len(positions), -1)
    for row in np.argsort(-sizes, kind="stable"):
        away = np.linalg.norm(positions - positions[row], axis=1)
        room = [away[taken == k].min(initial=np.inf) for k in range(len(CATEGORIES))]
        taken[row] = int(np.argmax(room))
    return taken
