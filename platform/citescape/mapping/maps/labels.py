"""Draws labels of topics on a picture without overlap."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from citescape.mapping.maps.atlas import Atlas
from citescape.mapping.maps.labelling import find_leader, place_labels
from citescape.mapping.maps.palettes import INK, PAPER
from citescape.networks.network import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_LINE = 20
"""Maximum number of letters per line of a label."""
_LARGEST, _SMALLEST = 9.0, 6.0
"""Font sizes in points, of the largest topic and of an empty topic."""
_LINES = 3
"""Maximum number of lines of a label."""
_GAP = (9.0, 3.5)
"""Horizontal and vertical distance between labels in points: closer labels are read as one."""


def draw_labels(
    axes: Axes, atlas: Atlas, points: Floats, *, radii: Floats, ink: Any, most: int
) -> None:
    """Draws labels of topics, the largest first; labels that overlap are moved or omitted.

    Topics without a label stay without: a name such as micro-83 says nothing to a reader.

    Args:
        axes: axes with limits.
        atlas: the map.
        points: (topics, 2) places; NaN for topics without a place.
        radii: (topics,) radii of circles in points; 0 without circles, where only topics with
            labels are kept free of other labels.
        ink: (topics,) colours of labels.
        most: maximum number of labels.
    """
    from matplotlib.patheffects import withStroke

    # Topics with labels, the largest first, then circles that are only kept free.
    topics, sizes = atlas.topics, atlas.topics["size"].to_numpy()
    placed = np.isfinite(points[:, 0])
    named = np.array([bool(label) for label in topics["label"].to_pylist()], np.bool_)
    labelled = placed & named & (sizes >= atlas.least)
    order = np.argsort(-sizes, kind="stable")
    first, others = order[labelled[order]], order[(placed & ~labelled & (radii > 0))[order]]
    texts = []
    for row in first[: 3 * most].tolist():
        share = float(np.sqrt(sizes[row] / max(sizes.max(initial=1), 1)))
        text = axes.text(
            float(points[row, 0]),
            float(points[row, 1]),
            wrap_label(topics["label"][row].as_py()),
            size=_SMALLEST + (_LARGEST - _SMALLEST) * share,
            color=ink[row],
            ha="center",
            va="center",
            linespacing=1.0,
            path_effects=[withStroke(linewidth=2.0, foreground=PAPER, alpha=0.9)],
            parse_math=False,
            zorder=5,
        )
        texts.append(text)
    if texts:
        rows = np.concatenate([first, others])
        places = axes.transData.transform(points[rows])
        discs = np.concatenate([places, radii[rows, np.newaxis] * axes.figure.dpi / 72], axis=1)
        _settle(axes, texts, discs, most=most)


def _settle(axes: Axes, texts: Sequence[Text], discs: Floats, *, most: int) -> None:
    """Moves labels, with lines to their points; removes labels without a free position."""
    figure: Any = axes.figure
    renderer = figure.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in texts]
    sizes = np.array([[box.width, box.height] for box in boxes])
    frame = axes.get_window_extent(renderer)
    canvas = (frame.x0, frame.y0, frame.x1, frame.y1)
    gap = (_GAP[0] * figure.dpi / 72, _GAP[1] * figure.dpi / 72)
    placed = place_labels(discs, sizes, canvas=canvas, gap=gap, most=most)
    back = axes.transData.inverted()
    for row, text in enumerate(texts):
        if not placed.shown[row]:
            text.remove()
            continue
        x, y = back.transform(placed.centres[row])
        text.set_position((float(x), float(y)))
        if placed.has_line[row]:
            end = find_leader(discs[row, :2], _measure_lines(text, renderer))
            ends = back.transform([discs[row, :2], end])
            axes.plot(*ends.T, lw=0.6, color=INK, zorder=4)
            axes.plot(*ends[:1].T, "o", ms=2.2, color=INK, mec=PAPER, mew=0.5, zorder=4)


def _measure_lines(text: Text, renderer: Any) -> Floats:
    """(lines, 4) left, bottom, right, top of each line, in pixels."""
    box, lines = text.get_window_extent(renderer), text.get_text().split("\n")
    font = text.get_fontproperties()
    widths = [renderer.get_text_width_height_descent(line, font, False)[0] for line in lines]
    half, middle = np.array(widths) / 2, (box.x0 + box.x1) / 2
    edges = np.linspace(box.y1, box.y0, len(lines) + 1)
    return np.stack([middle - half, edges[1:], middle + half, edges[:-1]], axis=1)


def wrap_label(label: str) -> str:
    """Wraps a label to lines of about 20 letters, without unprintable characters."""
    plain = "".join(letter for letter in " ".join(label.split()) if letter.isprintable())
    return textwrap.fill(
        plain,
        _LINE,
        break_long_words=False,
        break_on_hyphens=False,
        max_lines=_LINES,
        placeholder="…",
    )
