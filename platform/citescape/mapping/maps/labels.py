"""Labels of topics on a picture: measured, then placed where none covers another."""

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
"""Letters of a line of a label."""
_LARGEST, _SMALLEST = 9.0, 6.0
"""Points of type, of the label of the largest topic and of the least that is shown."""
_LINES = 3
_GAP = (9.0, 3.5)
"""Points of type between labels, across and along: nearer ones are read as one."""


def draw_labels(
    axes: Axes, atlas: Atlas, points: Floats, *, radii: Floats, ink: Any, most: int
) -> None:
    """Labels of topics, the largest first; what covers another is moved or left out.

    Args:
        axes: of a picture, with its limits set.
        atlas: whose topics.
        points: (topics, 2) what the labels are of; NaN for topics without a place.
        radii: (topics,) of their circles, in points of type; 0 for none, then only topics that may
            be labelled are kept free of other labels.
        ink: (topics,) colours of the letters.
        most: labels at most.
    """
    sizes = atlas.topics["size"].to_numpy()
    there = np.isfinite(points[:, 0])
    told = there & (sizes >= atlas.least)
    order = np.argsort(-sizes, kind="stable")
    first, others = order[told[order]], order[(there & ~told & (radii > 0))[order]]
    texts = [_write(axes, atlas, row, place=points[row], ink=ink[row]) for row in first[: 3 * most]]
    if texts:
        rows = np.concatenate([first, others])
        dot = axes.figure.dpi / 72
        places = axes.transData.transform(points[rows])
        discs = np.concatenate([places, radii[rows, np.newaxis] * dot], axis=1)
        _settle(axes, texts, discs, most=most)


def _write(axes: Axes, atlas: Atlas, row: int, *, place: Floats, ink: Any) -> Text:
    """A label at its point."""
    from matplotlib.patheffects import withStroke

    topics, size = atlas.topics, atlas.topics["size"].to_numpy()
    return axes.text(
        float(place[0]),
        float(place[1]),
        wrap_label(topics["label"][int(row)].as_py() or topics["name"][int(row)].as_py()),
        size=_type_size(size[row], size.max(initial=1)),
        color=ink,
        ha="center",
        va="center",
        linespacing=1.0,
        path_effects=[withStroke(linewidth=2.0, foreground=PAPER, alpha=0.9)],
        parse_math=False,
        zorder=5,
    )


def _settle(axes: Axes, texts: Sequence[Text], discs: Floats, *, most: int) -> None:
    """Moves measured labels apart, with lines to their points; removes those without room."""
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
        if placed.led[row]:
            end = find_leader(discs[row, :2], _measure_lines(text, renderer))
            _draw_leader(axes, back.transform([discs[row, :2], end]))


def _measure_lines(text: Text, renderer: Any) -> Floats:
    """(lines, 4) left, bottom, right, top of each line, in pixels."""
    box, lines = text.get_window_extent(renderer), text.get_text().split("\n")
    font = text.get_fontproperties()
    told = [renderer.get_text_width_height_descent(line, font, False)[0] for line in lines]
    half, middle = np.array(told) / 2, (box.x0 + box.x1) / 2
    edges = np.linspace(box.y1, box.y0, len(lines) + 1)
    return np.stack([middle - half, edges[1:], middle + half, edges[:-1]], axis=1)


def _draw_leader(axes: Axes, ends: Floats) -> None:
    """From a dot in the middle of a circle to its label."""
    axes.plot(*ends.T, lw=0.6, color=INK, zorder=4)
    axes.plot(*ends[:1].T, "o", ms=2.2, color=INK, mec=PAPER, mew=0.5, zorder=4)


def _type_size(size: float, largest: float) -> float:
    return _SMALLEST + (_LARGEST - _SMALLEST) * float(np.sqrt(size / max(largest, 1)))


def wrap_label(label: str) -> str:
    """A label on lines of 20 letters or so, without what no font can show."""
    plain = "".join(letter for letter in " ".join(label.split()) if letter.isprintable())
    return textwrap.fill(
        plain,
        _LINE,
        break_long_words=False,
        break_on_hyphens=False,
        max_lines=_LINES,
        placeholder="…",
    )
