"""Draws pictures of a map for print, one per overlay, with legends."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from citescape.core.extras import require
from citescape.mapping.maps.atlas import Atlas, stack_places
from citescape.mapping.maps.config import Size
from citescape.mapping.maps.labels import draw_labels
from citescape.mapping.maps.overlays import OverlayColours
from citescape.mapping.maps.palettes import HOLLOW, INK, PAPER, SOFT, shade, shade_density
from citescape.mapping.maps.scales import ValueScale
from citescape.networks.network import Floats
from citescape.reports.drawing import NOTHING, darken, own_settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MM = 25.4
"""Millimetres per inch."""
_LABELS, _LABELS_OVER_PAPERS = 90, 55
"""Maximum numbers of labels, lower over papers, whose dots they hide."""
_MIDDLE = np.zeros((1, 2))
"""Middle of a map without points."""
_STRETCH = 1.25
"""Maximum stretch of a map to the shape of the picture: only proximity has a meaning."""
_MAX_DIAMETER, _MAX_SUM = 0.055, 0.6
"""Maximum diameter of a topic, and of all topics side by side, as shares of the picture's width."""
_BAR = (0.70, 0.945, 0.265, 0.018)
"""Colour bar: left, bottom, width and height, as shares of the picture."""
_BESIDE = 0.575
"""Left end of the entry for missing values, beside the colour bar."""
_ROW, _COLUMNS = 0.028, 5
"""Height of a row of the legend, and number of its columns."""
_BOTTOM = 0.052
"""Height of the lowest row of the legend."""
_MAX_LETTERS = 30
"""Maximum number of letters of a name."""


def draw_map(atlas: Atlas, painted: OverlayColours, size: Size) -> Figure:
    """Draws a picture of the topics or papers, coloured by an overlay.

    Topics are circles whose area is proportional to their papers; papers are dots. Labels of topics
    do not overlap: the largest topics come first, moved labels have a line, and labels without a
    free position are omitted.

    Args:
        atlas: content of the map.
        painted: colours of the overlay.
        size: size of the picture.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    require("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with own_settings():
        inches = (size.width / _MM, size.height / _MM)
        figure = Figure(figsize=inches, dpi=size.dpi, facecolor=PAPER)
        FigureCanvasAgg(figure)
        below = 0.04 + _legend_height(painted)
        axes = figure.add_axes((0.012, below, 0.976, 0.905 - below))
        axes.set_axis_off()
        draw = _draw_topics if painted.overlay.points == "topics" else _draw_papers
        draw(axes, atlas, painted)
        _write_headings(figure, atlas, painted)
        _draw_legend(figure, painted)
    return figure


def _draw_topics(axes: Axes, atlas: Atlas, painted: OverlayColours) -> None:
    """Circles with labels; circles without a value are hollow."""
    from matplotlib.colors import to_rgb

    topics = atlas.topics
    places = stack_places(topics)
    _frame(axes, places, margin=0.07)
    sizes = topics["size"].to_numpy().astype(np.float64)
    width = axes.figure.get_figwidth() * 72  # type: ignore[union-attr]
    most = width * min(_MAX_DIAMETER, _MAX_SUM / max(len(sizes), 1) ** 0.5)
    areas = np.maximum(sizes / sizes.max(initial=1.0) * most**2, 9.0)
    order = np.argsort(-sizes, kind="stable")
    order = order[np.isfinite(places[order, 0])]
    hollow = painted.missing[order]
    axes.scatter(
        places[order, 0],
        places[order, 1],
        s=areas[order],
        c=np.where(hollow[:, np.newaxis], to_rgb(PAPER), painted.colours[order]),
        alpha=0.85,
        linewidths=np.where(hollow, 1.0, 0.6).tolist(),
        edgecolors=np.where(hollow, HOLLOW, PAPER).tolist(),
    )
    ink = [INK] * len(topics)
    draw_labels(axes, atlas, places, radii=np.sqrt(areas) / 2, ink=ink, most=_LABELS)


def _draw_papers(axes: Axes, atlas: Atlas, painted: OverlayColours) -> None:
    """Dots, or a surface of density, with labels in the middle of topics."""
    papers, topics = atlas.papers, atlas.topics
    places = stack_places(papers)
    _frame(axes, places, margin=0.05)
    if painted.overlay.kind == "density":
        grid = atlas.density.grid
        axes.imshow(
            shade_density(grid.ravel()).reshape(*grid.shape, 3),
            origin="lower",
            extent=atlas.density.extent,
            interpolation="bicubic",
            aspect="auto",
        )
    else:
        order = np.argsort(papers["received"].to_numpy(), kind="stable")
        # 16 square points for a few hundred papers, 1 for a hundred thousand.
        area = float(np.clip(16.0 * (500 / max(len(places), 1)) ** 0.5, 1.0, 16.0))
        axes.scatter(
            places[order, 0],
            places[order, 1],
            s=area,
            c=painted.colours[order],
            alpha=0.8,
            linewidths=0,
            rasterized=True,
        )

    ink: list[Any] = [INK] * len(topics)
    if painted.overlay.kind == "neighbours":  # labels in the colours of the topics
        rows, first = np.unique(papers["topic"].to_numpy(), return_index=True)
        for row, colour in zip(rows, painted.colours[first], strict=True):
            if row >= 0:
                ink[row] = darken(colour)
    middles = stack_places(topics, "paper_x", "paper_y")
    radii = np.zeros(len(topics))
    draw_labels(axes, atlas, middles, radii=radii, ink=ink, most=_LABELS_OVER_PAPERS)


def _frame(axes: Axes, places: Floats, *, margin: float) -> None:
    """Sets limits that include all points, with nearly equal units in both directions."""
    known = places[np.isfinite(places[:, 0])] if np.isfinite(places[:, 0]).any() else _MIDDLE
    low, high = known.min(axis=0), known.max(axis=0)
    box = axes.get_window_extent()
    units = (high - low) * (1 + 2 * margin) / [box.width, box.height]
    units = np.maximum(units, max(float(units.max()) / _STRETCH, 1e-9))
    half, middle = np.array([box.width, box.height]) * units / 2, (low + high) / 2
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])


def _write_headings(figure: Figure, atlas: Atlas, painted: OverlayColours) -> None:
    facts, topics = atlas.facts, len(atlas.topics)
    points = "Topics" if painted.overlay.points == "topics" else "Papers"
    counts = f"{topics:,} topics ({facts.level}) of {len(atlas.papers):,} papers"
    layout = str(facts.topics if painted.overlay.points == "topics" else facts.papers)
    style: dict[str, Any] = {"parse_math": False, "va": "baseline"}
    figure.text(
        0.018, 0.955, f"{points} by {painted.title}", size=14, weight="bold", color=INK, **style
    )
    figure.text(0.018, 0.925, f"{counts}; {_explain(atlas, painted)}", size=8, color=SOFT, **style)
    footer = " · ".join(part for part in (layout, facts.source, facts.run) if part)
    figure.text(0.018, 0.018, footer, size=6, color=SOFT, **style)


def _explain(atlas: Atlas, painted: OverlayColours) -> str:
    if painted.name == "field" and atlas.facts.without_field:
        without = atlas.facts.without_field
        share = without / max(atlas.topics["size"].to_numpy().sum(), without)
        return f"{without:,} papers ({share:.0%}) have no field"
    if painted.overlay.points == "topics":
        return "area of a circle: number of papers"
    if painted.overlay.kind == "neighbours":
        return "colours distinguish a topic from its neighbours"
    return "labels are at the median of their topic's papers"


def _legend_height(painted: OverlayColours) -> float:
    """Height of the legend below the map, as a share of the picture."""
    return _ROW * len(_rows(painted)) + (0.01 if _rows(painted) else 0.0)


def _draw_legend(figure: Figure, painted: OverlayColours) -> None:
    """Draws values as a colour bar above the map, names in rows below the map."""
    if painted.scale:
        _draw_colour_bar(figure, painted, painted.scale)
        if painted.missing.any():
            dot = NOTHING if painted.overlay.points == "papers" else ""
            middle = _BAR[1] + _BAR[3] / 2
            _draw_name(figure, painted.overlay.nothing, dot, place=(_BESIDE, middle))
    for line, row in enumerate(reversed(_rows(painted))):
        for column, (name, colour) in enumerate(row):
            place = (0.018 + column * 0.97 / _COLUMNS, _BOTTOM + line * _ROW)
            _draw_name(figure, name, colour, place=place)


def _rows(painted: OverlayColours) -> list[Sequence[tuple[str, str]]]:
    named = [(name, colour) for name, colour in painted.categories if name]
    if named and painted.missing.any():
        named.append((painted.overlay.nothing, ""))
    return [named[start : start + _COLUMNS] for start in range(0, len(named), _COLUMNS)]


def _draw_name(figure: Figure, name: str, colour: str, *, place: tuple[float, float]) -> None:
    """A dot and a name; a ring for points without a value."""
    short = textwrap.shorten(name, _MAX_LETTERS, placeholder="…") or name[:_MAX_LETTERS]
    style: dict[str, Any] = {"va": "center", "parse_math": False}
    dot = "●" if colour else "○"
    figure.text(*place, dot, color=colour or HOLLOW, size=10, **style)
    figure.text(place[0] + 0.016, place[1], short, color=SOFT, size=7.5, **style)


def _draw_colour_bar(figure: Figure, painted: OverlayColours, scale: ValueScale) -> None:
    axes = figure.add_axes(_BAR)
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
