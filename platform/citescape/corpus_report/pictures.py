"""Pictures of importance by section and of its distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from citescape.corpus_report.pairs import SECTION_LABELS, Floats, PairTable
from citescape.reports.canvas import Canvas, Scale, format_ticks

_WIDE, HALF, HEIGHT = 760, 370, 236
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_BARS = 14
_LABELS = 9
_GAP = 26
"""Gap between the bar of importance 0 and the others."""
_NAMED = 0.01
"""Minimum share that is printed on its bar."""


@dataclass(frozen=True)
class _BoxLayout:
    """Positions of names, boxes and numbers in a box plot."""

    name: str
    width: int
    row: int
    box_left: int
    box_right: int
    label: int
    """Baseline of the name, relative to the middle of the box."""
    count: tuple[int, int]
    """Position of the number of citations: from the left, and relative to the middle of the box."""


_WIDE_LAYOUT = _BoxLayout("by-section", _WIDE, 36, 210, _WIDE - 76, -1, (0, 13))
_NARROW_LAYOUT = _BoxLayout("by-section-narrow", HALF, 58, 4, HALF - 48, -18, (180, -18))


def draw_by_section(pairs: PairTable, *, narrow: bool = False) -> Canvas:
    """Importance of the works mentioned in each type of section: 5 to 95%, quartiles, median.

    With `narrow`, for phones, the names are above the boxes, not beside them.
    """
    groups = [
        (name, pairs.importance[pairs.counts[:, column] > 0])
        for column, name in enumerate(SECTION_LABELS.values())
    ]
    groups.append(("By one of the authors", pairs.importance[pairs.shared]))
    groups.append(("Listed, never mentioned", pairs.importance[pairs.counts.sum(axis=1) == 0]))
    groups = [(name, values) for name, values in groups if len(values)]
    layout = _NARROW_LAYOUT if narrow else _WIDE_LAYOUT
    top = max((float(np.quantile(values, 0.95)) for _, values in groups), default=1.0) or 1.0
    scale = Scale(top * 1.02, layout.box_left, layout.box_right)
    height = 44 + layout.row * len(groups)
    canvas = Canvas(
        layout.width,
        height,
        name=layout.name,
        title="Importance by where a work is mentioned",
        summary="; ".join(f"{name}: median {np.median(v):.2f}" for name, v in groups),
    )
    ticks = scale.ticks()
    for tick, label in zip(ticks, format_ticks(ticks), strict=True):
        canvas.line((scale(tick), 22), (scale(tick), height - 22), "grid")
        canvas.words((scale(tick), height - 6), label, "tick middle")
    canvas.words((layout.width, 12), "median", "tick end")
    canvas.words((scale(0), 12), "importance", "tick")
    for row, (name, values) in enumerate(groups):
        bottom = 22 + layout.row * (row + 1)
        canvas.words((0, bottom - 18 + layout.label), name, "label")
        left, down = layout.count
        canvas.words((left, bottom - 18 + down), f"{len(values):,} citations", "tick")
        middle = bottom - 18
        low, first, median, third, high = (scale(q) for q in np.quantile(values, _QUANTILES))
        canvas.line((low, middle), (high, middle), "whisker")
        canvas.bar((first, middle - 7), (max(third - first, 2), 14), "box")
        canvas.line((median, middle - 9), (median, middle + 9), "median")
        canvas.words((layout.width, bottom - 14), f"{np.median(values):.2f}", "value end")
    return canvas


def draw_distribution(importance: Floats) -> Canvas:
    """Histogram of importance, with a separate bar for importance 0."""
    top = Scale(float(importance.max(initial=0.0)) or 1.0, 0, 1)
    step = top.ticks(_BARS)[1]
    place = np.ceil(importance / step - 1e-9).astype(int)
    shares = np.bincount(place, minlength=2) / max(len(importance), 1)
    canvas = Canvas(
        HALF,
        HEIGHT,
        name="distribution",
        title="Distribution of importance",
        summary=f"{shares[0]:.1%} have importance 0; {shares[1]:.1%} up to {step:g}",
    )
    width = (HALF - _GAP - 12) / len(shares)
    scale = Scale(float(shares.max()) or 1.0, HEIGHT - 38, 24)
    for number, share in enumerate(shares.tolist()):
        left = number * width + (_GAP if number else 0)
        high = scale(share)
        style = "bar none" if number == 0 else "bar"
        canvas.bar((left + 2, high), (width - 4, HEIGHT - 38 - high), style)
        if share >= _NAMED:
            canvas.words((left + width / 2, high - 6), f"{share:.0%}", "tick middle")
    canvas.words((width / 2, HEIGHT - 22), "none", "tick middle")
    edges = ["0", *format_ticks([step * number for number in range(1, len(shares))])]
    for number in range(0, len(shares), math.ceil(len(shares) / _LABELS)):
        at = (number + 1) * width + _GAP
        canvas.line((at, HEIGHT - 38), (at, HEIGHT - 34), "axis")
        canvas.words((at, HEIGHT - 22), edges[number], "tick middle")
    canvas.line((0, HEIGHT - 38), (HALF, HEIGHT - 38), "axis")
    canvas.words((HALF, HEIGHT - 4), "importance", "tick end")
    return canvas
