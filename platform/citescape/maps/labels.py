"""Labels of topics on a picture: measured, then placed where none covers another."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from citescape.maps.atlas import Atlas
from citescape.maps.labelling import find_leader, place_labels
from citescape.maps.palettes import PAPER, SOFT
from citescape.networks.network import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_LINE = 20
"""Letters of a line of a label."""
_LARGEST, _SMALLEST = 10.0, 6.0
"""Points of type, of the label of the largest topic and of the least that is shown."""
_LINES = 3


def draw_labels(
    axes: Axes, atlas: Atlas, points: Floats, *, radii: Floats, ink: Any, most: int
) -> None:
    """Labels of topics, the largest first; what covers another is moved or left out.

    Args:
        axes: of a picture, with its limits set.
        atlas: whose topics.
        points: (topics, 2) what the labels are of; NaN for topics without a place.
        radii: (topics,) of their circles, in points of type.
        ink: (topics,) colours of the letters.
        most: labels at most.
    """
    from matplotlib.patheffects import withStroke

    topics = atlas.topics
    sizes = topics["size"].to_numpy()
    told = (sizes >= atlas.least) & np.isfinite(points[:, 0])
    order = [int(row) for row in np.argsort(-sizes, kind="stable") if told[row]]
    halo = [withStroke(linewidth=2.0, foreground=PAPER, alpha=0.9)]
    texts = [
        axes.text(
            float(points[row, 0]),
            float(points[row, 1]),
            wrap_label(topics["label"][row].as_py() or topics["name"][row].as_py()),
            size=_type_size(sizes[row], sizes.max(initial=1)),
            color=ink[row],
            ha="center",
            va="center",
            linespacing=1.0,
            path_effects=halo,
            parse_math=False,
            zorder=5,
        )
        for row in order[: 3 * most]
    ]
    _settle(axes, texts, radii[order], most=most)


def _settle(axes: Axes, texts: Sequence[Text], radii: Floats, *, most: int) -> None:
    """Moves measured labels apart, with lines to their points; removes those without room."""
    if not texts:
        return
    figure: Any = axes.figure
    renderer = figure.canvas.get_renderer()
    points = axes.transData.transform([text.get_position() for text in texts])
    boxes = [text.get_window_extent(renderer) for text in texts]
    sizes = np.array([[box.width, box.height] for box in boxes])
    frame = axes.get_window_extent(renderer)
    canvas = (frame.x0, frame.y0, frame.x1, frame.y1)
    dot = figure.dpi / 72
    placed = place_labels(points, sizes, canvas=canvas, gap=2.5 * dot, most=most)
    back = axes.transData.inverted()
    for row, (text, point) in enumerate(zip(texts, points, strict=True)):
        if not placed.shown[row]:
            text.remove()
            continue
        x, y = back.transform(placed.centres[row])
        text.set_position((float(x), float(y)))
        end, length = find_leader(point, placed.centres[row], sizes[row])
        if length > (radii[row] + 2) * dot:
            (x0, y0), (x1, y1) = back.transform([point, end])
            axes.plot([x0, x1], [y0, y1], lw=0.6, color=SOFT, zorder=4)


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
