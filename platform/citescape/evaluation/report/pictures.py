"""Pictures of a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from citescape.evaluation.report.board import Board
from citescape.evaluation.report.curves import draw_curves
from citescape.evaluation.report.dots import NARROW, WIDE, Block, Dots, Row, draw
from citescape.evaluation.report.words import name_metric
from citescape.metrics.summary import EACH
from citescape.reports.canvas import Canvas
from citescape.reports.content import Picture

PICTURES = ("intervals", "tasks", "differences", "fields", "kinds", "curves")
"""Names of all pictures."""


def picture_main(board: Board) -> Picture:
    """Means of the main condition: one block per metric, one row per system."""
    blocks = [
        Block(
            name_metric(metric),
            [
                Row(name, [(number, board.find(name, board.main, metric))])
                for number, name in enumerate(board.systems)
            ],
        )
        for metric in board.metrics(board.main)
    ]
    caption = f"Per cent. Dot: mean; line: {board.level:.0%} interval. The axis may not start at 0."
    return _picture(Dots("intervals", "Means with intervals", blocks), caption)


def picture_tasks(board: Board) -> Picture:
    """Figures by task: one row per task and metric with all systems."""
    rows = [
        _row(board, f"{condition}, {name_metric(metric)}", (condition, EACH, metric))
        for condition, metric in board.tasks
    ]
    return _compare(board, rows, name="tasks", title="Figures by task")


def picture_differences(board: Board) -> Picture:
    """Differences of systems from the baseline, by metric."""
    blocks = [
        Block(
            name_metric(metric),
            [
                Row(name, [(number, board.differences[name, board.main, metric].estimate)])
                for number, name in enumerate(board.systems)
                if (name, board.main, metric) in board.differences
            ],
        )
        for metric in board.metrics(board.main)
    ]
    caption = f"Percentage points, {board.intervals} of the differences."
    title = f"Difference from {board.against}"
    return _picture(Dots("differences", title, blocks, signed=True), caption)


def picture_groups(board: Board) -> Picture:
    """First metric by group: one row per group with all systems."""
    condition = board.main or board.conditions[0]
    metric = board.metrics(condition)[0]
    rows = [_row(board, group, (condition, group, metric)) for group in board.groups]
    return _compare(board, rows, name="fields", title=f"{name_metric(metric)} by field")


def picture_kinds(board: Board) -> Picture:
    """First metric by kind of negatives: one row per kind with all systems."""
    metric = board.metrics()[0]
    rows = [_row(board, board.label(name), (name, EACH, metric)) for name in board.parts]
    return _compare(board, rows, name="kinds", title=f"{name_metric(metric)} by kind")


def picture_sizes(board: Board) -> Picture:
    """Curves of figures over the sizes of pools."""
    title = "Figures by size of the pool"
    caption = (
        f"Per cent; vertical lines are {board.level:.0%} intervals. Each metric has its own axis, "
        "which may not start at 0. Sizes are on a logarithmic axis; systems are slightly shifted."
    )
    return _make("curves", title, caption, draw=lambda width: draw_curves(board, width=width))


def _row(board: Board, name: str, key: tuple[str, str, str]) -> Row:
    condition, group, metric = key
    figures = [
        (number, board.find(system, condition, metric, group=group))
        for number, system in enumerate(board.systems)
    ]
    return Row(name, figures)


def _compare(board: Board, rows: Sequence[Row], *, name: str, title: str) -> Picture:
    caption = f"Per cent, {board.intervals}. The axis may not start at 0."
    return _picture(Dots(name, title, [Block("", rows)], board.systems), caption)


def _picture(dots: Dots, caption: str) -> Picture:
    return _make(dots.name, dots.title, caption, draw=lambda width: draw(dots, width=width))


def _make(name: str, title: str, caption: str, *, draw: Callable[[int], Canvas]) -> Picture:
    return Picture(name, title, caption, draw(WIDE), draw(NARROW))
