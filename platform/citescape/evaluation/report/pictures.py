"""The pictures of a report."""

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
"""Names of all there are."""


def picture_main(board: Board) -> Picture:
    """A block a metric, a row a system, under the condition that stands for the whole."""
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
    caption = (
        f"Per cent. Dot: mean; line: {board.level:.0%} interval. The axis need not begin at 0."
    )
    return _picture(Dots("intervals", "Means with intervals", blocks), caption)


def picture_tasks(board: Board) -> Picture:
    """A row a task and metric, systems side by side."""
    rows = [
        _row(board, f"{condition}, {name_metric(metric)}", (condition, EACH, metric))
        for condition, metric in board.tasks
    ]
    return _side_by_side(board, rows, name="tasks", title="Figures by task")


def picture_differences(board: Board) -> Picture:
    """Systems less the one that all are compared with, by metric."""
    blocks = [
        Block(
            name_metric(metric),
            [
                Row(name, [(number, board.leads[name, board.main, metric].of)])
                for number, name in enumerate(board.systems)
                if (name, board.main, metric) in board.leads
            ],
        )
        for metric in board.metrics(board.main)
    ]
    caption = f"Points of per cent, {board.intervals} of the differences."
    title = f"Less {board.against}"
    return _picture(Dots("differences", title, blocks, signed=True), caption)


def picture_groups(board: Board) -> Picture:
    """A row a group, systems side by side, by the first metric."""
    condition = board.main or board.conditions[0]
    metric = board.metrics(condition)[0]
    rows = [_row(board, group, (condition, group, metric)) for group in board.groups]
    return _side_by_side(board, rows, name="fields", title=f"{name_metric(metric)} by field")


def picture_kinds(board: Board) -> Picture:
    """A row a kind of negatives, likewise."""
    metric = board.metrics()[0]
    rows = [_row(board, board.label(name), (name, EACH, metric)) for name in board.parts]
    return _side_by_side(board, rows, name="kinds", title=f"{name_metric(metric)} by kind")


def picture_sizes(board: Board) -> Picture:
    """Curves over the sizes of pools."""
    title = "Figures by size of the pool"
    caption = (
        f"Per cent; lines up and down are {board.level:.0%} intervals. Each metric has a scale of "
        "its own, which need not begin at 0; sizes stand on a logarithmic one, systems a little "
        "beside each other."
    )
    return _make("curves", title, caption, draw=lambda width: draw_curves(board, width=width))


def _row(board: Board, name: str, of: tuple[str, str, str]) -> Row:
    condition, group, metric = of
    found = [
        (number, board.find(system, condition, metric, group=group))
        for number, system in enumerate(board.systems)
    ]
    return Row(name, found)


def _side_by_side(board: Board, rows: Sequence[Row], *, name: str, title: str) -> Picture:
    caption = f"Per cent, {board.intervals}. The axis need not begin at 0."
    return _picture(Dots(name, title, [Block("", rows)], board.systems), caption)


def _picture(dots: Dots, caption: str) -> Picture:
    return _make(dots.name, dots.title, caption, draw=lambda width: draw(dots, width=width))


def _make(name: str, title: str, caption: str, *, draw: Callable[[int], Canvas]) -> Picture:
    return Picture(name, title, caption, draw(WIDE), draw(NARROW))
