"""The pictures of what was planted, and of ways to find it."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.corpus_report.pictures import HALF, HEIGHT
from citescape.demo.proof import Comparison
from citescape.demo.recovery import Bin
from citescape.reports.canvas import Canvas, Scale, tick_labels

_WIDTH, _ROW, _GAP, _LEFT = 760, 22, 30, 190
_STYLES = {"untrained": "none", "uniform": "control", "shuffled importance": "control"}
_STYLES |= dict.fromkeys(("one encoder", "bm25", "dense"), "control")


def draw_recovery(bins: Sequence[Bin]) -> Canvas:
    """Mean score of each tenth of the citations by planted importance, and with shuffled truth."""
    top = max((max(b.found, b.control) for b in bins), default=1.0) or 1.0
    across, up = Scale(len(bins) - 0.6, 46, HALF), Scale(top * 1.05, HEIGHT - 38, 12)
    told = (f"{b.planted:.2f}: {b.found:.2f}, shuffled {b.control:.2f}" for b in bins)
    title = "Score by planted importance"
    canvas = Canvas(HALF, HEIGHT, name="recovery-curve", title=title, summary="; ".join(told))
    ticks = up.ticks(4)
    for tick, label in zip(ticks, tick_labels(ticks), strict=True):
        canvas.line((36, up(tick)), (HALF, up(tick)), "grid")
        canvas.words((28, up(tick) + 4), label, "tick end")
    for number, tenth in enumerate(bins):
        canvas.words((across(number), HEIGHT - 22), f"{tenth.planted:.2f}", "tick middle")
    canvas.words((HALF, HEIGHT - 4), "mean planted importance of each tenth", "tick end")
    for style, values in (
        (" control", [b.control for b in bins]),
        ("", [b.found for b in bins]),
    ):
        points = [(across(place), up(value)) for place, value in enumerate(values)]
        canvas.path(points, f"line{style}")
        for point in points:
            canvas.dot(point, 3.2, f"dot{style}")
    canvas.words((across(len(bins) - 1) - 12, up(bins[-1].found) + 4), "mean score", "key end")
    canvas.words((across(0), up(bins[0].control) - 10), "with shuffled truth", "key control")
    return canvas


def draw_comparisons(comparisons: Sequence[Comparison], *, name: str, title: str) -> Canvas:
    """A group of rows a figure, a row a way: a dot a seed, a bar at the mean; from 0 to 1.

    Args:
        comparisons: figures of ways to learn, or to recommend.
        name: prefix of ids on the page.
        title: for readers who do not see it.
    """
    rows = sum(len(comparison.values) for comparison in comparisons)
    height = 40 + rows * _ROW + len(comparisons) * _GAP
    across = Scale(1.0, _LEFT, _WIDTH - 50)
    summary = "; ".join(
        f"{one.figure}: " + ", ".join(f"{way} {one.mean(way):.2f}" for way in one.values)
        for one in comparisons
    )
    canvas = Canvas(_WIDTH, height, name=name, title=title, summary=summary)
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
    return canvas
