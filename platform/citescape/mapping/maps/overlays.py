"""What maps are coloured by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.mapping.maps.atlas import Atlas, stack_places
from citescape.mapping.maps.palettes import shade, spread_colours
from citescape.mapping.maps.scales import Scale, fit_scale
from citescape.networks.network import Floats
from citescape.reports.drawing import CATEGORIES, NOTHING, OTHER

Of = Literal["topics", "papers"]
OTHERS = "others"


@dataclass(frozen=True)
class Overlay:
    """One way to colour a map."""

    of: Of
    column: str
    """Of the atlas's table of topics or papers."""
    title: str
    """For a heading: `Topics by ...`. `{weight}` stands for what is received."""
    unit: str
    """Beside the scale."""
    kind: Literal["values", "categories", "neighbours", "density"] = "values"
    log: bool = False
    whole: bool = False
    nothing: str = "none known"
    """What a legend calls points without a value."""


OVERLAYS: Mapping[str, Overlay] = {
    "field": Overlay("topics", "field", "main field", "field", "categories"),
    "diversity": Overlay("topics", "diversity", "interdisciplinarity", "DIV, bounds 0 and 1"),
    "year": Overlay("topics", "mean_year", "mean year", "mean year of papers"),
    "importance": Overlay(
        "topics", "importance", "{weight} received", "{weight}", log=True, nothing="none received"
    ),
    "community": Overlay("papers", "topic", "topic", "", "neighbours"),
    "density": Overlay("papers", "density", "density", "of the densest place", "density"),
    "papers-year": Overlay("papers", "year", "year", "year", whole=True),
    "papers-importance": Overlay(
        "papers", "received", "{weight} received", "{weight}", log=True, nothing="none received"
    ),
}
"""Name -> overlay. The four of topics are those of CIA, section 5.4.2, and importance."""


@dataclass(frozen=True)
class Painted:
    """The colours of an overlay on one atlas."""

    name: str
    overlay: Overlay
    title: str
    unit: str
    values: Floats
    """(points,) shares of the scale, 0 to 1, or rows of `categories`; NaN for nothing."""
    scale: Scale | None = None
    categories: tuple[tuple[str, str], ...] = ()
    """Names and colours."""

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """(points,) those without a value."""
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


def find_lacking(topics: pa.Table, papers: pa.Table) -> list[str]:
    """Names of the overlays that there are no values for.

    Args:
        topics: see `atlas.draw_up`.
        papers: of those that are placed; see `papers.MapPapers`.
    """
    return [
        name
        for name, overlay in OVERLAYS.items()
        if overlay.kind in ("values", "categories")
        and not has_values(overlay, topics if overlay.of == "topics" else papers)
    ]


def has_values(overlay: Overlay, table: pa.Table) -> bool:
    """Whether there is anything to colour a map by.

    Args:
        overlay: of values or categories.
        table: of what it colours; a value is a number, above 0 if it is shown by its logarithm.
    """
    column = table[overlay.column]
    if overlay.kind == "categories":
        return bool(column.null_count < len(column))
    values = _numbers(column)
    return bool((values > 0).any() if overlay.log else np.isfinite(values).any())


def _numbers(column: pa.ChunkedArray) -> Floats:
    """NaN for what is no finite number."""
    values = column.cast(pa.float64()).fill_null(np.nan).to_numpy()
    return np.where(np.isfinite(values), values, np.nan)


def paint(atlas: Atlas, names: Sequence[str] = ()) -> list[Painted]:
    """The overlays that an atlas has values for; all of them if none are named."""
    painted = (_paint(atlas, name) for name in names or OVERLAYS)
    return [one for one in painted if one]


def _paint(atlas: Atlas, name: str) -> Painted | None:
    overlay = OVERLAYS[name]
    table = atlas.topics if overlay.of == "topics" else atlas.papers
    words = {"weight": atlas.facts.weight}
    title, unit = overlay.title.format(**words), overlay.unit.format(**words)
    bare = Painted(name, overlay, title, unit, np.empty(0))
    if overlay.kind == "neighbours":
        return _by_topic(atlas, bare)
    if not has_values(overlay, table):
        return None
    if overlay.kind == "categories":
        return _by_category(table[overlay.column], table["size"], bare)
    return _by_value(_numbers(table[overlay.column]), bare)


def _by_value(values: Floats, bare: Painted) -> Painted:
    overlay = bare.overlay
    scale = fit_scale(values, log=overlay.log, whole=overlay.whole)
    scale = Scale(0.0, 1.0) if overlay.kind == "density" else scale
    return replace(bare, values=scale(values), scale=scale)


def _by_topic(atlas: Atlas, bare: Painted) -> Painted:
    """Papers in the colour of their topic, which is that of no topic nearby."""
    topics = atlas.topics
    places = stack_places(topics, "paper_x", "paper_y")
    seen = np.flatnonzero(np.isfinite(places[:, 0]))
    colours = np.full(len(topics) + 1, np.nan)
    colours[seen] = spread_colours(places[seen], topics["size"].to_numpy()[seen])
    values = colours[atlas.papers["topic"].to_numpy()]  # -1 is the last, which has none
    categories = tuple(("", colour) for colour in CATEGORIES)
    return replace(bare, values=values, categories=categories)


def _by_category(column: pa.ChunkedArray, sizes: pa.ChunkedArray, bare: Painted) -> Painted:
    """The categories with most papers have colours of their own, the others one together."""
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
    """A colour each, which is the same from map to map as far as can be.

    It follows from the name; where an earlier one has it, the next that is free is taken.

    Args:
        names: as many as there are colours at most, the most important first.
    """
    chosen: dict[str, str] = {}
    for name in names:
        first = crc32(name.encode())
        turned = (CATEGORIES[(first + k) % len(CATEGORIES)] for k in range(len(CATEGORIES)))
        chosen[name] = next(colour for colour in turned if colour not in chosen.values())
    return chosen
