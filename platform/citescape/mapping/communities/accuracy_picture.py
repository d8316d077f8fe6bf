"""Picture of judged networks: accuracy by granularity, and relative accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from citescape.mapping.communities.relative import WIDE
from citescape.mapping.communities.summary import AccuracySummary, Line, SeedCurve
from citescape.networks.network import Floats
from citescape.reports.drawing import CATEGORIES, darken, own_settings, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PICTURES = ("accuracy.svg", "accuracy.png")
_DPI = 160
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_DASHES = ("-", (0, (5, 1.5)), (0, (3, 1, 1, 1)))
_GREY, _LIGHT = "#5a5a5a", "#e4e4e4"
_GAP = 0.052
"""Minimum distance of two labels, as a share of the height of the panel."""


@dataclass(frozen=True)
class _Style:
    """Style of a line; no two networks have equal colour, marker and dashes."""

    colour: str
    marker: str
    dashes: str | tuple[int, tuple[float, ...]]


def draw_accuracy(
    traced: Sequence[SeedCurve], summary: AccuracySummary, path: Path, *, criterion: str
) -> None:
    """Writes an SVG or PNG, by the extension of the path; equal input gives equal bytes.

    On the left is a curve per network: accuracy by granularity, means over seeds, both on
    logarithmic scales. Bounds are grey, and markers of excluded networks are hollow. On the right
    are relative accuracies with their deviation over seeds.

    Args:
        traced: curves of all lines at all seeds.
        summary: figures of the lines.
        path: file to write.
        criterion: name of the criterion, for the heading.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    compared = [line for line in summary.lines if line.relative is not None]
    with own_settings(font_size=9):
        size = (10.5 if compared else 7.4, 4.2 + 0.1 * len(summary.lines))
        figure = Figure(figsize=size, dpi=_DPI, layout="constrained")
        FigureCanvasAgg(figure)
        if compared:
            curves, dots = figure.subplots(1, 2, width_ratios=[2.1, 1])
            _draw_relative(dots, compared, _styles(summary))
        else:
            curves = figure.subplots()
        _draw_curves(curves, traced, summary)
        heading = f"Accuracy by {criterion}"
        figure.suptitle(heading, x=0.01, ha="left", size=12, weight="bold", parse_math=False)
        save(figure, path)


def _styles(summary: AccuracySummary) -> dict[str, _Style]:
    """Styles by name; networks are sorted by name, for consistent pictures of several runs."""
    styles = {
        name: _Style(
            CATEGORIES[k % len(CATEGORIES)],
            _MARKERS[k % len(_MARKERS)],
            _DASHES[k // len(CATEGORIES) % len(_DASHES)],
        )
        for k, name in enumerate(sorted(line.name for line in summary.lines if not line.bound))
    }
    bounds = [line.name for line in summary.lines if line.bound]
    dashes = (_DASHES[1], (0, (1, 1.5)))
    return styles | {name: _Style(_GREY, "", dashes[k % 2]) for k, name in enumerate(bounds)}


def _draw_curves(axes: Axes, traced: Sequence[SeedCurve], summary: AccuracySummary) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    ends = {}
    for name, style in _styles(summary).items():
        granularity, accuracy = _mean_points([line for line in traced if line.line == name])
        axes.plot(
            granularity,
            accuracy,
            color=style.colour,
            marker=style.marker,
            mfc="white" if name in summary.left_out else style.colour,
            ls=style.dashes,
            lw=1.6,
            ms=4.5,
        )
        if len(accuracy):
            ends[name] = (float(granularity[-1]), float(accuracy[-1]))
    if ends:  # a logarithmic scale needs values above 0
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))  # short ranges need more labels
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_yscale("log")
        _label_ends(axes, ends, summary)
    axes.set_xlabel("granularity: N / sum of squared sizes (right: small communities)")
    axes.set_ylabel("accuracy (logarithmic)")
    axes.grid(which="major", color=_LIGHT, lw=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    for span in summary.compared:
        axes.axvspan(*span, color="#f3f3f3", zorder=0)
    if summary.compared:
        axes.set_title("shaded: compared granularities", fontsize=8.5, color=_GREY, loc="left")


def _mean_points(traced: Sequence[SeedCurve]) -> tuple[Floats, Floats]:
    """(points,) granularity and accuracy of each resolution, means over seeds, if above 0.

    NaN separates points with a gap between them, so that no line crosses the gap.
    """
    granularity = np.mean([[p["granularity"] for p in line.points] for line in traced], axis=0)
    accuracy = np.mean([[p["accuracy"] for p in line.points] for line in traced], axis=0)
    shown = accuracy > 0
    granularity, accuracy = granularity[shown], accuracy[shown]
    gaps = np.flatnonzero(granularity[1:] >= WIDE * granularity[:-1]) + 1
    return np.insert(granularity, gaps, np.nan), np.insert(accuracy, gaps, np.nan)


def _label_ends(axes: Axes, ends: dict[str, tuple[float, float]], summary: AccuracySummary) -> None:
    """Draws names next to the ends of the lines, without overlap."""
    styles = _styles(summary)
    titles = {line.name: line.title for line in summary.lines}
    titles |= {name: f"{name} (not compared)" for name in summary.left_out}
    low, high = np.log(axes.get_ylim())
    names = sorted(ends, key=lambda name: ends[name][1])
    heights = spread([(np.log(ends[name][1]) - low) / (high - low) for name in names], _GAP)
    for name, height in zip(names, heights, strict=True):
        axes.annotate(
            titles[name],
            xy=ends[name],
            xytext=(1.04, height),
            textcoords="axes fraction",
            color=darken(styles[name].colour),
            va="center",
            parse_math=False,
            arrowprops={"arrowstyle": "-", "color": styles[name].colour, "lw": 0.6, "alpha": 0.6},
        )


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Moves heights (labels,) apart to a minimum gap, keeping their ascending order.

    Labels that are too close form a stack, centred at the mean of their heights.
    """

    def end(group: Sequence[float], side: int) -> float:
        return float(np.mean(group)) + side * gap * (len(group) - 1) / 2

    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and end(groups[-1], -1) < end(groups[-2], 1) + gap:
            upper = groups.pop()
            groups[-1] += upper
    return [end(group, -1) + k * gap for group in groups for k in range(len(group))]


def _draw_relative(axes: Axes, lines: Sequence[Line], styles: dict[str, _Style]) -> None:
    for place, line in enumerate(lines):
        style = styles[line.name]
        axes.errorbar(
            line.relative or 0.0,
            place,
            xerr=line.spread,
            fmt=style.marker,
            color=style.colour,
            ms=6,
            capsize=3,
        )
        axes.annotate(
            f"{line.relative:.2f}",
            (line.relative or 0.0, place),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            color=darken(style.colour),
        )
    axes.axvline(1, color=_GREY, lw=0.8, ls=(0, (1, 1.5)))
    axes.set_yticks(range(len(lines)), [line.name for line in lines], parse_math=False)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.margins(x=0.18)
    axes.set_xlabel("relative accuracy (mean: 1)")
    axes.grid(axis="x", color=_LIGHT, lw=0.7)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False)
