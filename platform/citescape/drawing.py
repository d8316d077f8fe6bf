"""What all pictures have in common: colours, settings of matplotlib, files of the same bytes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CATEGORIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255")
"""Okabe and Ito (2008), with Tol's wine (2021) in place of black, which is ink here, and of yellow,
which is hardly seen on white; darkened, it is their orange to many eyes."""
OTHER, NOTHING = "#8b9199", "#c3c7cc"
"""What has no colour of its own; what has no value."""


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def require_drawing() -> None:
    """Before the work: whether pictures can be drawn.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    if not can_draw():
        raise ConfigError(
            "matplotlib is not installed; expected for pictures: `pip install 'citescape[map]'`"
        )


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
