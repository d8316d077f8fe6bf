"""The picture of ways to learn, or to recommend, beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.demo.proof import Comparison
from citescape.reports.canvas import Canvas, Scale
from citescape.reports.template import Html

_WIDTH, _ROW, _GAP, _LEFT = 760, 22, 30, 190
_STYLES = {"untrained": "none", "uniform": "control", "shuffled importance": "control"}
_STYLES |= dict.fromkeys(("one encoder", "bm25", "dense"), "control")


def draw_learning(
    comparisons: Sequence[Comparison],
    *,
    name: str = "learning",
    title: str = "Ways to learn beside each other",
) -> Html:
    """A group of rows a figure, a row a way: a dot a seed, a bar at the mean; from 0 to 1."""
    rows = sum(len(comparison.values) for comparison in comparisons)
    height = 40 + rows * _ROW + len(comparisons) * _GAP
    across = Scale(1.0, _LEFT, _WIDTH - 50)
    canvas = Canvas(
        _WIDTH,
        height,
        name=name,
        title=title,
        summary="; ".join(
            f"{one.figure}: " + ", ".join(f"{way} {one.mean(way):.2f}" for way in one.values)
            for one in comparisons
        ),
    )
    for tick in (0, 0.25, 0.5, 0.75, 1):
        canvas.line((across(tick), 8), (across(tick), height - 22), "grid")
        canvas.words((across(tick), height - 6), f"{tick:g}", "tick middle")
    at = 0.0
    for comparison in comparisons:
        at += _GAP
        canvas.words((0, at - 4), comparison.figure, "label head")
        for way, values in comparison.values.items():
            at += _ROW
            style = _STYLES.get(way, "")
            canvas.words((0, at - 2), way, "tick")
            for value in values:
                canvas.dot((across(value), at - 6), 3.2, f"seed {style}".strip())
            mean = across(comparison.mean(way))
            canvas.line((mean, at - 14), (mean, at + 2), f"mean {style}".strip())
            canvas.words((_WIDTH, at - 2), f"{comparison.mean(way):.2f}", "value end")
    return canvas.html()
