"""How systems are told apart in pictures: by a colour and a shape each."""

from __future__ import annotations

import math

from citescape.evaluation.report.board import Estimate
from citescape.reports.canvas import Canvas
from citescape.reports.drawing import COLOURS

_TURN = 2 * math.pi


def _corners(count: int, *, turned: float = 0.0, inner: float = 1.0) -> list[tuple[float, float]]:
    """Of a regular shape around 0; every second corner `inner` from the middle, as of a star."""
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
"""Corners around the middle; none is a circle."""
_LARGER = 1.3
"""A shape with corners, so that it looks as large as a circle."""


def style_of(system: int) -> str:
    """The class of its colour."""
    return f"s{system % len(COLOURS)}"


def draw_mark(canvas: Canvas, at: tuple[float, float], system: int, *, radius: float = 4.0) -> None:
    """The sign of a system; the colours are as many as the shapes, and go on by one each round."""
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
    """Signs and names, where `place_legend` puts them."""
    for number, (name, (left, row)) in enumerate(zip(systems, places, strict=True)):
        middle = top + LEGEND_ROW * row + LEGEND_ROW / 2
        draw_mark(canvas, (left + 6, middle), number)
        canvas.words((left + 16, middle + 4), shorten(name, width - left - 16), "label")


LEGEND_ROW = 20
_LETTER = 6.9
"""Width of a letter of labels, on average; a little more than that of most."""


def place_legend(systems: list[str], width: float) -> list[tuple[int, int]]:
    """From the left, and row, of each."""
    places, left, row = [], 0, 0
    for name in systems:
        room = int(min(30 + _LETTER * len(name), width))
        if left and left + room > width:
            left, row = 0, row + 1
        places.append((left, row))
        left += room
    return places


def measure_text(text: str) -> float:
    """How wide a label is."""
    return _LETTER * len(text)


def shorten(text: str, room: float) -> str:
    """The text, or what of it fits and an ellipsis."""
    most = max(int(room / _LETTER), 4)
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def is_known(figure: Estimate) -> bool:
    """Whether there is a mean to draw."""
    return math.isfinite(figure.mean)


def ends(figure: Estimate) -> tuple[float, float]:
    """Of the interval; the mean twice where there is none."""
    known = math.isfinite(figure.low) and math.isfinite(figure.high)
    return (figure.low, figure.high) if known else (figure.mean, figure.mean)
