"""Dot plots: dots are means, whiskers are intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citescape.evaluation.report.board import Estimate
from citescape.evaluation.report.marks import (
    LEGEND_ROW,
    draw_legend,
    draw_mark,
    ends,
    is_known,
    measure_text,
    place_legend,
    shorten,
    style_of,
)
from citescape.evaluation.report.words import per_cent
from citescape.reports.canvas import Canvas, Scale, format_ticks

WIDE, NARROW = 760, 370
"""Widths of the two forms of a picture, in pixels."""


@dataclass(frozen=True)
class Row:
    """A row of a plot: its name, and (number of the system, figure)."""

    name: str
    figures: Sequence[tuple[int, Estimate]]


@dataclass(frozen=True)
class Block:
    """Rows under a heading, which may be empty."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Dots:
    """Content of a dot plot."""

    name: str
    title: str
    blocks: Sequence[Block]
    legend: Sequence[str] = ()
    """Names of systems; empty if rows are systems."""
    signed: bool = False
    """Whether figures are differences, with a line at 0 and signed numbers."""


@dataclass(frozen=True)
class _DotLayout:
    """Positions and sizes of the parts of a plot, in pixels."""

    dots: Dots
    width: int

    @property
    def narrow(self) -> bool:
        """Whether names are above the marks, not beside them."""
        return self.width < WIDE

    @property
    def single(self) -> bool:
        """Whether each row is one system, with its figure beside it."""
        return not self.dots.legend

    @property
    def left(self) -> float:
        """Left end of the marks."""
        if self.narrow:
            return 6
        names = [row.name for block in self.dots.blocks for row in block.rows]
        return min(max(map(measure_text, names), default=0) + 16, 0.36 * self.width)

    @property
    def right(self) -> float:
        """Right end of the marks."""
        return self.width - (60 if self.single else 8)

    @property
    def top(self) -> float:
        """Top of the first block."""
        rows = [row for _, row in place_legend(list(self.dots.legend), self.width)]
        return 6 + (LEGEND_ROW * (max(rows) + 1) + 4 if rows else 0)

    def head(self, block: Block) -> float:
        """Height of a heading."""
        return 28 if block.title else 4

    def row(self, row: Row) -> float:
        """Height of a row."""
        # a name is closer to the marks below it
        below = 10 if self.narrow else 2 + 4 * (not self.single)
        return self.above + self.step * max(len(row.figures), 1) + below

    @property
    def above(self) -> float:
        """Room for a name above the marks."""
        return 15 if self.narrow else 2

    @property
    def step(self) -> float:
        """Distance between the marks of a row."""
        return (13 if self.narrow else 20) if self.single else 9

    @property
    def height(self) -> float:
        """Height of the plot."""
        blocks = self.dots.blocks
        rows = sum(self.row(row) for block in blocks for row in block.rows)
        return self.top + sum(map(self.head, blocks)) + rows + 26


def draw(dots: Dots, *, width: int = WIDE) -> Canvas:
    """Draws a plot of a width. Missing figures are left out, but their names are shown."""
    layout = _DotLayout(dots, width)
    canvas = Canvas(
        width,
        round(layout.height),
        name=f"{dots.name}-{width}",
        title=dots.title,
        summary=_summarise(dots),
    )
    scale = _scale(layout)

    top, bottom = layout.top, layout.height - 22
    ticks = scale.ticks(4 if layout.narrow else 8)
    for tick, label in zip(ticks, format_ticks(ticks), strict=True):
        style = "zero" if dots.signed and not tick else "grid"
        canvas.line((scale(tick), top), (scale(tick), bottom), style)
        sign = "+" if dots.signed and tick > 0 else ""
        number = f"{sign}{label}".replace("-", "\N{MINUS SIGN}")
        canvas.words((scale(tick), bottom + 16), number, "tick middle")

    places = place_legend(list(dots.legend), width)
    draw_legend(canvas, list(dots.legend), top=4, width=width, places=places)
    at = layout.top
    for block in dots.blocks:
        at += layout.head(block)
        if block.title:
            canvas.words((0, at - 8), block.title, "label head")
        for row in block.rows:
            _draw_row(canvas, layout, row, scale=scale, top=at)
            at += layout.row(row)
            if len(row.figures) > 1:
                canvas.line((0, at), (width, at), "grid")
    return canvas


def _scale(layout: _DotLayout) -> Scale:
    """From the lowest end of a whisker to the highest."""
    rows = [row for block in layout.dots.blocks for row in block.rows]
    figures = [figure for row in rows for _, figure in row.figures if is_known(figure)]
    values = [100 * end for figure in figures for end in (figure.mean, *ends(figure))]
    if layout.dots.signed:
        values.append(0.0)
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.03 * (high - low) or 1.0
    return Scale(high + room, layout.left, layout.right, low - room)


def _draw_row(canvas: Canvas, layout: _DotLayout, row: Row, *, scale: Scale, top: float) -> None:
    middle = top + layout.row(row) / 2
    baseline = top + 12 if layout.narrow else middle + 4
    room = layout.right if layout.narrow else layout.left - 8
    canvas.words((0, baseline), shorten(row.name, room), "label")
    for place, (system, figure) in enumerate(row.figures):
        at = top + layout.above + layout.step * (place + 0.5)
        if is_known(figure):
            low, high = (scale(100 * end) for end in ends(figure))
            canvas.line((low, at), (high, at), f"whisker {style_of(system)}")
            radius = 4.5 if layout.single else 3.4
            draw_mark(canvas, (scale(100 * figure.mean), at), system, radius=radius)
        if layout.single:
            value = per_cent(figure.mean, signed=layout.dots.signed)
            canvas.words((layout.width, baseline), value, "value end")


def _summarise(dots: Dots) -> str:
    """Description for screen readers: all figures of the plot."""
    lines = []
    for block in dots.blocks:
        for row in block.rows:
            names = [dots.legend[number] if dots.legend else "" for number, _ in row.figures]
            means = [per_cent(mean.mean, signed=dots.signed) for _, mean in row.figures]
            figures = ", ".join(" ".join(pair).strip() for pair in zip(names, means, strict=True))
            lines.append(f"{block.title} {row.name}: {figures}".strip())
    return "; ".join(lines)
