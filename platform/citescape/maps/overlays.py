"""What maps are coloured by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.communities.topic_papers import TopicPapers
from citescape.errors import invalid_choice
from citescape.maps.atlas import Atlas
from citescape.maps.palettes import CATEGORIES, NOTHING, OTHER, shade, spread_colours, to_rgb
from citescape.maps.scales import Scale, fit_scale
from citescape.networks.network import Floats

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
    "diversity": Overlay("topics", "diversity", "interdisciplinarity", "DIV, 0 to 1"),
    "year": Overlay("topics", "mean_year", "mean year", "mean year of papers"),
    "importance": Overlay("topics", "importance", "{weight} received", "{weight}", log=True),
    "community": Overlay("papers", "topic", "topic", "", "neighbours"),
    "density": Overlay("papers", "density", "density", "of the densest place", "density"),
    "papers-year": Overlay("papers", "year", "year", "year", whole=True),
    "papers-importance": Overlay("papers", "received", "{weight} received", "{weight}", log=True),
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
    def colours(self) -> npt.NDArray[np.float64]:
        """(points, 3) red, green and blue on white, 0 to 1."""
        if self.scale:
            return shade(self.values)
        table = np.array([to_rgb(colour) for _, colour in self.categories] + [to_rgb(NOTHING)])
        rows = np.where(np.isnan(self.values), len(table) - 1, self.values)
        return table[rows.astype(np.int64)]


def check_overlays(names: Collection[str]) -> None:
    """Whether there are overlays of these names.

    Raises:
        ConfigError: there is none of one of them.
    """
    for name in names:
        if name not in OVERLAYS:
            raise invalid_choice("overlay", name, OVERLAYS)


def find_lacking(described: pa.Table, papers: TopicPapers) -> list[str]:
    """Names of the overlays that there are no values for.

    Args:
        described: topics, see `atlas.draw_up`.
        papers: what is known of papers.
    """
    known = {
        name: described[overlay.column].null_count < len(described)
        for name, overlay in OVERLAYS.items()
        if overlay.of == "topics"
    }
    known["papers-year"] = not np.isnan(papers.years).all()
    known["papers-importance"] = bool(papers.received.max(initial=0.0) > 0)
    return [name for name, there in known.items() if not there]


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
    if overlay.kind == "categories":
        return _by_category(table[overlay.column], table["size"], bare)
    return _by_value(table[overlay.column], bare)


def _by_value(column: pa.ChunkedArray, bare: Painted) -> Painted | None:
    overlay = bare.overlay
    values = column.cast(pa.float64()).fill_null(np.nan).to_numpy()
    scale = fit_scale(values, log=overlay.log, whole=overlay.whole)
    if scale is None or (scale.log and scale.high <= 0):
        return None
    scale = Scale(0.0, 1.0) if overlay.kind == "density" else scale
    return replace(bare, values=scale(values), scale=scale)


def _by_topic(atlas: Atlas, bare: Painted) -> Painted | None:
    """Papers in the colour of their topic, which is that of no topic nearby."""
    topics = atlas.topics
    places = np.stack([topics["paper_x"].to_numpy(), topics["paper_y"].to_numpy()], axis=1)
    seen = np.flatnonzero(np.isfinite(places[:, 0]))
    if not len(seen):
        return None
    colours = np.full(len(topics) + 1, np.nan)
    colours[seen] = spread_colours(places[seen], topics["size"].to_numpy()[seen])
    values = colours[atlas.papers["topic"].to_numpy()]  # -1 is the last, which has none
    categories = tuple(("", colour) for colour in CATEGORIES)
    return replace(bare, values=values, categories=categories)


def _by_category(column: pa.ChunkedArray, sizes: pa.ChunkedArray, bare: Painted) -> Painted | None:
    """The categories with most papers have colours of their own, the others one together."""
    if column.null_count == len(column):
        return None
    names = column.to_pylist()
    totals: Counter[str] = Counter()
    for name, size in zip(names, sizes.to_pylist(), strict=True):
        if name is not None:
            totals[name] += size
    ordered = sorted(totals, key=lambda name: (-totals[name], name))
    most = len(CATEGORIES)
    place = {name: min(row, most) for row, name in enumerate(ordered)}
    values = np.array([place.get(name, np.nan) for name in names], np.float64)
    categories = [*zip(ordered, CATEGORIES, strict=False)]
    if len(ordered) > most:
        categories.append((OTHERS, OTHER))
    return replace(bare, values=values, categories=tuple(categories))
