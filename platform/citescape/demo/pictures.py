"""Pictures of the recovery of importance, and of methods beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.corpus_report.pictures import HALF, HEIGHT
from citescape.demo.proof import MethodComparison
from citescape.demo.recovery import Bin
from citescape.reports.canvas import Canvas, Scale, format_ticks

_WIDTH, _ROW, _GAP, _LEFT = 760, 22, 30, 190
_STYLES = {"untrained": "none", "uniform": "control", "shuffled importance": "control"}
_STYLES |= dict.fromkeys(("one encoder", "bm25", "dense"), "control")


def draw_recovery(bins: Sequence[Bin]) -> Canvas:
    """Mean score per tenth of the citations by planted importance, and with shuffled importance."""
    top = max((max(b.score, b.control) for b in bins), default=1.0) or 1.0
    across, up = Scale(len(bins) - 0.6, 46, HALF), Scale(top * 1.05, HEIGHT - 38, 12)
    summaries = (f"{b.planted:.2f}: {b.score:.2f}, shuffled {b.control:.2f}" for b in bins)
    title = "Score by planted importance"
    canvas = Canvas(HALF, HEIGHT, name="recovery-curve", title=title, summary="; ".join(summaries))
    ticks = up.ticks(4)
    for tick, label in zip(ticks, format_ticks(ticks), strict=True):
        canvas.line((36, up(tick)), (HALF, up(tick)), "grid")
        canvas.words((28, up(tick) + 4), label, "tick end")
    for number, tenth in enumerate(bins):
        canvas.words((across(number), HEIGHT - 22), f"{tenth.planted:.2f}", "tick middle")
    canvas.words((HALF, HEIGHT - 4), "mean planted importance of each tenth", "tick end")
    for style, values in (
        (" control", [b.control for b in bins]),
        ("", [b.score for b in bins]),
    ):
        points = [(across(place), up(value)) for place, value in enumerate(values)]
        canvas.path(points, f"line{style}")
        for point in points:
            canvas.dot(point, 3.2, f"dot{style}")
    canvas.words((across(len(bins) - 1) - 12, up(bins[-1].score) + 4), "mean score", "key end")
    canvas.words((across(0), up(bins[0].control) - 10), "shuffled importance", "key control")
    return canvas


def draw_comparisons(comparisons: Sequence[MethodComparison], *, name: str, title: str) -> Canvas:
    """One group of rows per measure, one row per method: a dot per seed, a bar at the mean, 0 to 1.

    Args:
        comparisons: methods of learning or of recommendation.
        name: prefix of ids on the page.
        title: title for screen readers.
    """
    rows = sum(len(comparison.values) for comparison in comparisons)
    height = 40 + rows * _ROW + len(comparisons) * _GAP
    across = Scale(1.0, _LEFT, _WIDTH - 50)
    summary = "; ".join(
        f"{comparison.measure}: "
        + ", ".join(f"{method} {comparison.mean(method):.2f}" for method in comparison.values)
        for comparison in comparisons
    )
    canvas = Canvas(_WIDTH, height, name=name, title=title, summary=summary)
    for tick in (0, 0.25, 0.5, 0.75, 1):
        canvas.line((across(tick), 8), (across(tick), height - 22), "grid")
        canvas.words((across(tick), height - 6), f"{tick:g}", "tick middle")
    at = 0.0
    for comparison in comparisons:
        at += _GAP
        canvas.words((0, at - 4), comparison.measure, "label head")
        for method, values in comparison.values.items():
            at += _ROW
            style = _STYLES.get(method, "")
            canvas.words((0, at - 2), method, "tick")
            for value in values:
                canvas.dot((across(value), at - 6), 3.2, f"seed {style}".strip())
            mean = across(comparison.mean(method))
            canvas.line((mean, at - 14), (mean, at + 2), f"mean {style}".strip())
            canvas.words((_WIDTH, at - 2), f"{comparison.mean(method):.2f}", "value end")
    return canvas
