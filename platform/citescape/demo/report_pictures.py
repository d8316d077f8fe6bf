"""The picture of what was planted and what was found."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.corpus_report.pictures import HALF, HEIGHT
from citescape.demo.recovery import Bin
from citescape.reports.canvas import Canvas, Scale, tick_labels
from citescape.reports.template import Html


def draw_recovery(bins: Sequence[Bin]) -> Html:
    """Mean score of each tenth of the citations by planted importance, and with shuffled truth."""
    top = max((max(b.found, b.control) for b in bins), default=1.0) or 1.0
    across, up = Scale(len(bins) - 0.6, 46, HALF), Scale(top * 1.05, HEIGHT - 38, 12)
    canvas = Canvas(
        HALF,
        HEIGHT,
        name="recovery",
        title="Score by planted importance",
        summary="; ".join(
            f"{b.planted:.2f}: {b.found:.2f}, shuffled {b.control:.2f}" for b in bins
        ),
    )
    ticks = up.ticks(4)
    for tick, label in zip(ticks, tick_labels(ticks), strict=True):
        canvas.line((36, up(tick)), (HALF, up(tick)), "grid")
        canvas.words((28, up(tick) + 4), label, "tick end")
    for number, tenth in enumerate(bins):
        canvas.words((across(number), HEIGHT - 22), f"{tenth.planted:.2f}", "tick middle")
    canvas.words((HALF, HEIGHT - 4), "mean planted importance of each tenth", "tick end")
    _series(canvas, [(across(i), up(b.control)) for i, b in enumerate(bins)], "control")
    _series(canvas, [(across(i), up(b.found)) for i, b in enumerate(bins)], "found")
    canvas.words((across(len(bins) - 1) - 12, up(bins[-1].found) + 4), "mean score", "key-found")
    canvas.words((across(0), up(bins[0].control) - 10), "with shuffled truth", "key-control")
    return canvas.html()


def _series(canvas: Canvas, points: list[tuple[float, float]], style: str) -> None:
    canvas.path(points, f"line {style}")
    for point in points:
        canvas.dot(point, 3.2, f"dot {style}")
