"""Marks of systems in pictures: each has its own colour and shape."""

from __future__ import annotations

import math

from citescape.evaluation.report.board import Estimate
from citescape.reports.canvas import Canvas
from citescape.reports.drawing import COLOURS

_TURN = 2 * math.pi


def _corners(count: int, *, turned: float = 0.0, inner: float = 1.0) -> list[tuple[float, float]]:
    """Corners of a regular polygon around 0; for a star, every second radius is `inner`."""
    angles = [_TURN * (k / count + turned) for k in range(count)]
    radii = [inner if k % 2 else 1.0 for k in range(count)]
    return [(r * math.sin(a), -r * math.cos(a)) for r, a in zip(radii, angles, strict=True)]


SHAPES: tuple[list[tuple[float, float]], ...] = (
    [],
    _corners(4, turned=1 / 8),
    _corners(4),
    _corners(3),
    _corners(3, turned=1 / 2),
    _corners(8, inner=0.4),
    _corners(10, inner=0.5),
    _corners(6),
)
"""Corners of each shape; an empty list is a circle."""
_LARGER = 1.3
"""Scale of polygons, so that they look as large as circles."""


def style_of(system: int) -> str:
    """CSS class of the colour of a system."""
    return f"s{system % len(COLOURS)}"


def draw_mark(canvas: Canvas, at: tuple[float, float], system: int, *, radius: float = 4.0) -> None:
    """Draws the mark of a system.

    Args:
        canvas: the picture.
        at: centre of the mark, in pixels.
        system: number of the system.
        radius: radius in pixels.
    """
    # there are as many shapes as colours: each round of colours shifts the shapes by one
    shape = SHAPES[(system + system // len(COLOURS)) % len(SHAPES)]
    style = f"mark {style_of(system)}"
    if not shape:
        canvas.dot(at, radius, style)
        return
    size = radius * _LARGER
    canvas.shape([(at[0] + size * x, at[1] + size * y) for x, y in shape], style)


def draw_legend(
    canvas: Canvas, systems: list[str], *, top: float, width: float, places: list[tuple[int, int]]
) -> None:
    """Draws marks and names of systems.

    Args:
        canvas: the picture.
        systems: names of systems.
        top: top of the legend, in pixels.
        width: width of the legend, in pixels.
        places: positions from `place_legend`.
    """
    for number, (name, (left, row)) in enumerate(zip(systems, places, strict=True)):
        middle = top + LEGEND_ROW * row + LEGEND_ROW / 2
        draw_mark(canvas, (left + 6, middle), number)
        canvas.words((left + 16, middle + 4), shorten(name, width - left - 16), "label")


LEGEND_ROW = 20
"""Height of a row of the legend, in pixels."""
_LETTER = 6.9
"""Mean width of a letter of labels in pixels, slightly overestimated."""


def place_legend(systems: list[str], width: float) -> list[tuple[int, int]]:
    """(left, row) of each system in the legend."""
    places, left, row = [], 0, 0
    for name in systems:
        room = int(min(30 + _LETTER * len(name), width))
        if left and left + room > width:
            left, row = 0, row + 1
        places.append((left, row))
        left += room
    return places


def measure_text(text: str) -> float:
    """Estimated width of a label in pixels."""
    return _LETTER * len(text)


def shorten(text: str, room: float) -> str:
    """The text, cut with an ellipsis to a width in pixels."""
    most = max(int(room / _LETTER), 4)
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def is_known(figure: Estimate) -> bool:
    """Whether the mean is finite."""
    return math.isfinite(figure.mean)


def ends(figure: Estimate) -> tuple[float, float]:
    """Bounds of the interval; the mean twice if it is missing."""
    known = math.isfinite(figure.low) and math.isfinite(figure.high)
    return (figure.low, figure.high) if known else (figure.mean, figure.mean)
