"""Figures by size of the pool: one panel per metric, one line per system."""

from __future__ import annotations

import math

from citescape.evaluation.report.board import Board
from citescape.evaluation.report.dots import WIDE
from citescape.evaluation.report.marks import (
    LEGEND_ROW,
    draw_legend,
    draw_mark,
    ends,
    is_known,
    place_legend,
    style_of,
)
from citescape.evaluation.report.words import name_metric, per_cent
from citescape.reports.canvas import Canvas, Scale, format_ticks

_PANEL, _GAP, _FOOT, _HEAD = 290, 34, 40, 26
"""Height of a panel, gap between panels, and space below and above the axis, in pixels."""
_AXIS = 34
"""Space for numbers at the left of a panel, in pixels."""
_LABEL = 62
"""Space for a size below a panel, in pixels."""


def draw_curves(board: Board, *, width: int = WIDE) -> Canvas:
    """Draws a panel per metric, with a logarithmic axis of sizes."""
    metrics, across = board.metrics(), 1 if width < WIDE else 2
    places = place_legend(board.systems, width)
    top = 8 + LEGEND_ROW * (max(row for _, row in places) + 1)
    rows = math.ceil(len(metrics) / across)
    canvas = Canvas(
        width,
        top + rows * _PANEL,
        name=f"curves-{width}",
        title="Figures by size of the pool",
        summary=_summarise(board),
    )
    draw_legend(canvas, board.systems, top=2, width=width, places=places)
    own = (width - _GAP * (across - 1)) / across
    for number, metric in enumerate(metrics):
        left = (own + _GAP) * (number % across)
        corner = (left, top + _PANEL * (number // across))
        _draw_panel(canvas, board, metric, corner=corner, width=own)
    return canvas


def _draw_panel(
    canvas: Canvas, board: Board, metric: str, *, corner: tuple[float, float], width: float
) -> None:
    left, top = corner
    low, high = top + _PANEL - _FOOT, top + _HEAD + 6

    # the axis covers all intervals, with a margin; it does not go below 0
    figures = (board.find(system, size, metric) for system in board.systems for size in board.sizes)
    known = [ends(figure) for figure in figures if is_known(figure)]
    least = 100 * min((end for end, _ in known), default=0.0)
    most = 100 * max((end for _, end in known), default=1.0)
    room = 0.06 * (most - least) or 1.0
    up = Scale(most + room, low, high, max(least - room, 0.0))
    canvas.words((left, top + 18), name_metric(metric), "label head")
    ticks = up.ticks(4)
    for tick, label in zip(ticks, format_ticks(ticks), strict=True):
        canvas.line((left + _AXIS, up(tick)), (left + width, up(tick)), "grid")
        canvas.words((left + _AXIS - 6, up(tick) + 4), label, "tick end")
    sizes = [math.log(size) for size in board.sizes.values()]
    inset = 22 + 2 * len(board.systems)
    along = Scale(sizes[-1], left + _AXIS + inset, left + width - inset, sizes[0])
    last = math.inf  # labels that fit, beginning with the largest size
    for name, size in reversed(list(board.sizes.items())):
        at = along(math.log(size))
        if last - at >= _LABEL:
            canvas.words((at, low + 16), name, "tick middle")
            last = at
    for number in reversed(range(len(board.systems))):  # the first system is drawn on top
        _draw_curve(canvas, board, (number, metric), along=along, up=up)


def _draw_curve(
    canvas: Canvas, board: Board, key: tuple[int, str], *, along: Scale, up: Scale
) -> None:
    number, metric = key
    aside = 4 * (number - (len(board.systems) - 1) / 2)
    points = []
    for name, size in board.sizes.items():
        figure = board.find(board.systems[number], name, metric)
        if is_known(figure):
            at = along(math.log(size)) + aside
            points.append((at, up(100 * figure.mean)))
            low, high = (up(100 * end) for end in ends(figure))
            canvas.line((at, low), (at, high), f"whisker {style_of(number)}")
    if len(points) > 1:
        canvas.path(points, f"curve {style_of(number)}")
    for point in points:
        draw_mark(canvas, point, number, radius=3.4)


def _summarise(board: Board) -> str:
    lines = []
    for metric in board.metrics():
        for system in board.systems:
            means = [per_cent(board.find(system, n, metric).mean) for n in board.sizes]
            lines.append(f"{name_metric(metric)} of {system}: {', '.join(means)}")
    return f"pools of {'; '.join(board.sizes)} papers. " + "; ".join(lines)
