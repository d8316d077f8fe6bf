"""Overlays: the values that colour maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.mapping.maps.atlas import Atlas, MapLevel, stack_places
from citescape.mapping.maps.palettes import shade, spread_colours
from citescape.mapping.maps.scales import ValueScale, fit_scale, format_tick
from citescape.networks.network import Floats
from citescape.reports.drawing import CATEGORIES, NOTHING, OTHER

OTHERS = "others"
_FEW_YEARS = 2
"""Maximum distance of years of an overlay that is left out."""


@dataclass(frozen=True)
class Overlay:
    """A value that colours the topics or papers of a map."""

    points: Literal["topics", "papers"]
    column: str
    """Column of the table of topics or papers of the atlas."""
    title: str
    """Text of a heading: `Topics by ...`; `{weight}` is replaced by importance or citations."""
    unit: str
    """Text beside the scale."""
    kind: Literal["values", "categories", "neighbours", "density"] = "values"
    log: bool = False
    """Whether the scale is logarithmic."""
    whole: bool = False
    """Whether ticks are integers, such as years."""
    nothing: str = "unknown"
    """Text of a legend for points without a value."""
    more: str = ""
    """What a high value means: "darker: ..."; `{weight}` is replaced."""
    years: bool = False
    """Whether values are years."""


OVERLAYS: Mapping[str, Overlay] = {
    "field": Overlay("topics", "field", "main field", "field", "categories"),
    "diversity": Overlay(
        "topics",
        "diversity",
        "interdisciplinarity",
        "DIV, bounds 0 and 1",
        more="more and more distant fields in the community",
    ),
    "year": Overlay(
        "topics",
        "mean_year",
        "mean year",
        "mean year of papers",
        more="a more recent community",
        years=True,
    ),
    "importance": Overlay(
        "topics",
        "importance",
        "{weight} received",
        "{weight}",
        log=True,
        nothing="none received",
        more="the community receives more {weight}",
    ),
    "community": Overlay("papers", "topic", "topic", "", "neighbours"),
    "density": Overlay(
        "papers",
        "density",
        "density",
        "share of the maximum",
        "density",
        more="more papers nearby",
    ),
    "papers-year": Overlay(
        "papers", "year", "year", "year", whole=True, more="published later", years=True
    ),
    "papers-importance": Overlay(
        "papers",
        "received",
        "{weight} received",
        "{weight}",
        log=True,
        nothing="none received",
        more="more {weight} received",
    ),
}
"""Name -> overlay. Topics have the overlays of CIA, section 5.4.2, and importance."""


@dataclass(frozen=True)
class OverlayColours:
    """The colours of an overlay on an atlas."""

    name: str
    overlay: Overlay
    title: str
    unit: str
    values: Floats
    """(points,) shares of the scale, 0 to 1, or rows of `categories`; NaN if missing."""
    scale: ValueScale | None = None
    categories: tuple[tuple[str, str], ...] = ()
    """Names and colours."""

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """(points,) whether a point has no value."""
        return np.asarray(np.isnan(self.values), np.bool_)

    @property
    def colours(self) -> npt.NDArray[np.float64]:
        """(points, 3) red, green and blue on white, 0 to 1."""
        from matplotlib.colors import to_rgba_array

        if self.scale:
            return shade(self.values)
        table = to_rgba_array([*(colour for _, colour in self.categories), NOTHING])[:, :3]
        rows = np.where(self.missing, len(table) - 1, self.values)
        return table[rows.astype(np.int64)]


def find_missing(topics: pa.Table, papers: pa.Table) -> list[str]:
    """Names of the overlays without values."""
    return [
        name
        for name, overlay in OVERLAYS.items()
        if overlay.kind in ("values", "categories")
        and not has_values(overlay, topics if overlay.points == "topics" else papers)
    ]


def has_values(overlay: Overlay, table: pa.Table) -> bool:
    """Whether an overlay has a value: a number, above 0 on a logarithmic scale."""
    column = table[overlay.column]
    if overlay.kind == "categories":
        return bool(column.null_count < len(column))
    values = _numbers(column)
    return bool((values > 0).any() if overlay.log else np.isfinite(values).any())


def _numbers(column: pa.ChunkedArray) -> Floats:
    """Values of a column, NaN if not finite."""
    values = column.cast(pa.float64()).fill_null(np.nan).to_numpy()
    return np.where(np.isfinite(values), values, np.nan)


def paint(atlas: Atlas, names: Sequence[str] = ()) -> list[OverlayColours]:
    """Colours of the overlays with values in an atlas, by name or all."""
    painted = []
    for name in names or OVERLAYS:
        overlay = OVERLAYS[name]
        table = atlas.topics if overlay.points == "topics" else atlas.papers
        title, unit = (
            text.format(weight=atlas.facts.weight) for text in (overlay.title, overlay.unit)
        )
        bare = OverlayColours(name, overlay, title, unit, np.empty(0))
        if overlay.kind == "neighbours":
            painted.append(_paint_topics(atlas, bare))
        elif not has_values(overlay, table):
            continue
        elif overlay.kind == "categories":
            painted.append(_paint_categories(table[overlay.column], table["size"], bare))
        else:
            values = _numbers(table[overlay.column])
            scale = ValueScale(0.0, 1.0)
            if overlay.kind != "density":
                scale = fit_scale(values, log=overlay.log, whole=overlay.whole)
            painted.append(replace(bare, values=scale(values), scale=scale))
    return painted


def find_shallow(atlas: Atlas, painted: Sequence[OverlayColours]) -> dict[str, str]:
    """Finds overlays that say little, with the reason.

    An overlay says little if most papers have no value, if all have the same, or if its years are
    at most `_FEW_YEARS` apart.

    Returns:
        Name -> reason, a sentence without a full stop.
    """
    reasons = {}
    for overlay in painted:
        of_topics = overlay.overlay.points == "topics"
        papers = atlas.topics["placed"].to_numpy() if of_topics else np.ones(len(atlas.papers))
        whole, without = int(papers.sum()), int(papers[overlay.missing].sum())
        if overlay.name == "field":
            fields = atlas.facts.without_field
            without, whole = max((without, whole), (fields, max(fields, len(atlas.papers))))
        scale, column = overlay.scale, overlay.overlay.column
        if overlay.overlay.kind == "neighbours":
            continue
        if 2 * without > whole:
            where = "in communities without a value" if of_topics else "without a value"
            if overlay.name == "field":
                where = "without a field"
            reasons[overlay.name] = f"{without:,} of {whole:,} papers are {where}"
        elif scale and scale.high <= scale.low:
            reasons[overlay.name] = f"all values are {format_tick(float(f'{scale.low:.3g}'))}"
        elif scale and overlay.overlay.years and scale.high - scale.low <= _FEW_YEARS:
            table = atlas.topics if of_topics else atlas.papers
            known = _numbers(table[column])
            low, high = (f"{end:.10g}" for end in (np.nanmin(known), np.nanmax(known)))
            if of_topics:
                low, high = f"{np.nanmin(known):.1f}", f"{np.nanmax(known):.1f}"
            reasons[overlay.name] = f"the years are close together, {low} to {high}"
    return reasons


def paint_level(level: MapLevel) -> Floats:
    """(communities,) rows of `CATEGORIES`, different for neighbours; NaN without a place."""
    places = stack_places(level.communities, "paper_x", "paper_y")
    return _spread_over(places, level.communities["size"].to_numpy())


def _spread_over(places: Floats, sizes: npt.NDArray[np.integer]) -> Floats:
    placed = np.flatnonzero(np.isfinite(places[:, 0]))
    colours = np.full(len(places), np.nan)
    colours[placed] = spread_colours(places[placed], sizes[placed])
    return colours


def _paint_topics(atlas: Atlas, bare: OverlayColours) -> OverlayColours:
    """Papers in the colour of their topic, which differs from those of topics nearby."""
    topics = atlas.topics
    places = stack_places(topics, "paper_x", "paper_y")
    colours = np.append(_spread_over(places, topics["size"].to_numpy()), np.nan)
    values = colours[atlas.papers["topic"].to_numpy()]  # -1 is the last entry, without a colour
    categories = tuple(("", colour) for colour in CATEGORIES)
    return replace(bare, values=values, categories=categories)


def _paint_categories(
    column: pa.ChunkedArray, sizes: pa.ChunkedArray, bare: OverlayColours
) -> OverlayColours:
    """Colours of the largest categories; other categories share a colour."""
    names = column.to_pylist()
    totals: Counter[str] = Counter()
    for name, size in zip(names, sizes.to_pylist(), strict=True):
        if name is not None:
            totals[name] += size
    ordered = sorted(totals, key=lambda name: (-totals[name], name))
    own = choose_colours(ordered[: len(CATEGORIES)])
    place = {name: min(row, len(own)) for row, name in enumerate(ordered)}
    values = np.array([place.get(name, np.nan) for name in names], np.float64)
    categories = [*own.items()]
    if len(ordered) > len(own):
        categories.append((OTHERS, OTHER))
    return replace(bare, values=values, categories=tuple(categories))


def choose_colours(names: Sequence[str]) -> dict[str, str]:
    """Chooses a colour for each name, if possible the same on every map.

    The colour depends on a hash of the name; if it is used, the next free colour is taken. There
    are at most as many names as colours, the most important first.
    """
    chosen: dict[str, str] = {}
    for name in names:
        first = crc32(name.encode())
        colours = (CATEGORIES[(first + k) % len(CATEGORIES)] for k in range(len(CATEGORIES)))
        chosen[name] = next(colour for colour in colours if colour not in chosen.values())
    return chosen
