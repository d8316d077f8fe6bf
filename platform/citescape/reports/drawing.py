"""What all pictures have in common: colours, settings of matplotlib, files of the same bytes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CATEGORIES = ("#0072b2", "#d55e00", "#66cc99", "#880066", "#ddaa00", "#dd88ff", "#664400")
"""Found by search: blue and vermilion of Okabe and Ito (2008), then colours as far as can be from
each other and from `OTHER` to eyes with all cones and to those without medium or long ones."""
OTHER, NOTHING = "#8b9199", "#d3d7db"
"""What has no colour of its own; what has no value."""
_LETTERS = 0.62


def darken(colour: Any) -> tuple[float, float, float]:
    """A colour, in any form matplotlib knows, dark enough for letters on white."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return red * _LETTERS, green * _LETTERS, blue * _LETTERS


@contextmanager
def own_settings(*, font_size: float = 10.0) -> Iterator[None]:
    """The settings of matplotlib itself, whatever a user has changed; a font that comes with it.

    Letters that the font does not know are boxes, without a warning each time.

    Args:
        font_size: of letters whose size is not given, in points.
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
    """Writes a picture as PNG or SVG, by the ending of the path; the same bytes every time.

    Letters of an SVG are outlines: they look the same where the font is not installed.
    """
    metadata: dict[str, Any] = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    with own_settings():
        figure.savefig(path, dpi=figure.dpi, metadata=metadata)
