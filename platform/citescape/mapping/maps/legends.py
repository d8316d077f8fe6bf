"""Legends of pictures: a strip of colours with values, or names beside their colours."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from citescape.mapping.maps.overlays import Painted
from citescape.mapping.maps.palettes import HOLLOW, SOFT, shade, shade_density
from citescape.mapping.maps.scales import Scale
from citescape.reports.drawing import NOTHING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STRIP = (0.70, 0.945, 0.265, 0.018)
"""Left, bottom, width and height, as shares of the picture."""
_BESIDE = 0.575
"""Left end of the entry for points without a value, beside a strip."""
_ROW, _COLUMNS = 0.028, 5
_BOTTOM = 0.052
_LONGEST = 30
"""Largest number of letters of a name."""


def legend_height(painted: Painted) -> float:
    """Height of the legend below the map, as a share of the picture."""
    return _ROW * len(_rows(painted)) + (0.01 if _rows(painted) else 0.0)


def draw_legend(figure: Figure, painted: Painted) -> None:
    """Values as a strip above the map on the right, names in rows below it."""
    if painted.scale:
        _draw_strip(figure, painted, painted.scale)
        if painted.missing.any():
            dot = NOTHING if painted.overlay.of == "papers" else ""
            middle = _STRIP[1] + _STRIP[3] / 2
            _draw_name(figure, painted.overlay.nothing, dot, place=(_BESIDE, middle))
    for line, row in enumerate(reversed(_rows(painted))):
        for column, (name, colour) in enumerate(row):
            place = (0.018 + column * 0.97 / _COLUMNS, _BOTTOM + line * _ROW)
            _draw_name(figure, name, colour, place=place)


def _rows(painted: Painted) -> list[Sequence[tuple[str, str]]]:
    named = [(name, colour) for name, colour in painted.categories if name]
    if named and painted.missing.any():
        named.append((painted.overlay.nothing, ""))
    return [named[start : start + _COLUMNS] for start in range(0, len(named), _COLUMNS)]


def _draw_name(figure: Figure, name: str, colour: str, *, place: tuple[float, float]) -> None:
    """A dot and a name; a ring for points without a value."""
    short = textwrap.shorten(name, _LONGEST, placeholder="…") or name[:_LONGEST]
    words: dict[str, Any] = {"va": "center", "parse_math": False}
    dot = "●" if colour else "○"
    figure.text(*place, dot, color=colour or HOLLOW, size=10, **words)
    figure.text(place[0] + 0.016, place[1], short, color=SOFT, size=7.5, **words)


def _draw_strip(figure: Figure, painted: Painted, scale: Scale) -> None:
    axes = figure.add_axes(_STRIP)
    shares = np.linspace(0.0, 1.0, 256)
    colours = shade(shares)
    if painted.overlay.kind == "density":
        colours = shade_density(shares)
    axes.imshow(colours[None], extent=(0.0, 1.0, 0.0, 1.0), aspect="auto", interpolation="bilinear")
    places, texts = zip(*scale.marks, strict=True)
    axes.set_xticks(places, texts, fontsize=7, color=SOFT)
    axes.set_yticks([])
    axes.tick_params(length=2, width=0.5, color=SOFT, pad=1.5)
    axes.set_title(painted.unit, fontsize=7.5, color=SOFT, loc="right", pad=3, parse_math=False)
    axes.spines[:].set_visible(False)
