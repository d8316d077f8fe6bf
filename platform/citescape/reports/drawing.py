"""Common to all pictures: colours, settings of matplotlib, reproducible files."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CATEGORIES = ("#0072b2", "#d55e00", "#66cc99", "#880066", "#ddaa00", "#dd88ff", "#664400")
"""Blue and vermilion of Okabe and Ito (2008), then colours optimised for distance from each other
and from `OTHER`, in normal vision, protanopia and deuteranopia."""
OTHER, NOTHING = "#8b9199", "#d3d7db"
"""Colour of other categories; colour of missing values."""
COLOURS = (*CATEGORIES, OTHER)
"""Colours of systems in SVG drawings: classes `s0`, `s1`, ..."""
_LETTERS = 0.62


def darken(colour: Any) -> tuple[float, float, float]:
    """Darkens a colour, in any form that matplotlib accepts, for text on white."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return red * _LETTERS, green * _LETTERS, blue * _LETTERS


@contextmanager
def own_settings(*, font_size: float = 10.0) -> Iterator[None]:
    """Default settings of matplotlib with its own font, independent of the user's settings.

    Characters missing from the font are drawn as boxes without a warning.

    Args:
        font_size: default font size, in points.
    """
    from matplotlib import rc_context, rcdefaults, rcParams

    with rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        rcdefaults()
        rcParams["font.family"] = "DejaVu Sans"
        rcParams["svg.fonttype"] = "path"
        rcParams["svg.hashsalt"] = "citescape"
        rcParams["font.size"] = font_size
        yield


def save(figure: Figure, path: Path) -> None:
    """Writes a picture as PNG or SVG, by the extension of the path; the bytes are reproducible.

    Text in an SVG is drawn as outlines, so that it does not depend on installed fonts.
    """
    metadata: dict[str, Any] = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    with own_settings():
        figure.savefig(path, dpi=figure.dpi, metadata=metadata)
