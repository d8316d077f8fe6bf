"""Content of a map: papers and topics with places and attributes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from scipy.ndimage import gaussian_filter, map_coordinates

from citescape.core.pairs import find_rows
from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.communities.topic_papers import read_weights
from citescape.mapping.maps.layout import Layout
from citescape.mapping.maps.placing import LayoutQuality
from citescape.mapping.maps.starts import turn_like
from citescape.networks.network import Floats
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_CELLS = 256
"""Number of cells of the density grid along the longer side."""
_MARGIN = 0.08
"""Margin around the outermost papers, as a share of the longer side."""
_BANDWIDTH = 0.25
"""Factor of Scott's bandwidth, which assumes a single cluster."""
_MIN_LABELLED = 0.002
"""Minimum share of papers in a topic whose label is shown on the whole map."""


@dataclass(frozen=True)
class Facts:
    """Sources and methods of a map, for headings."""

    level: str
    source: str
    """Run of the vectors or the network."""
    weight: str
    """`importance`, or `citations` without scores."""
    papers: LayoutQuality
    """Method and quality of the layout of papers."""
    topics: LayoutQuality
    run: str = ""
    """Run of the map."""
    without_field: int = 0
    """Number of papers of the topics without a field."""


@dataclass(frozen=True)
class Density:
    """Density of papers on a grid over the map."""

    grid: Floats
    """(rows, columns) density, 0 to 1 at the densest place."""
    low: Floats
    """(2,) x and y of the middle of the first cell."""
    cell: float
    """Side of a cell, in units of the map."""

    def at(self, positions: Floats) -> Floats:
        """(n,) density at positions (n, 2) of the map."""
        places = (positions - self.low) / self.cell
        values: Floats = map_coordinates(self.grid, places[:, ::-1].T, order=1, mode="nearest")
        return np.clip(values, 0.0, 1.0)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top edge."""
        height, width = self.grid.shape
        left, bottom = (self.low - self.cell / 2).tolist()
        return left, left + width * self.cell, bottom, bottom + height * self.cell


@dataclass(frozen=True)
class MapLevel:
    """Communities of another level than that of the topics."""

    name: str
    members: npt.NDArray[np.int32]
    """(papers,) row of `communities` of each placed paper, -1 for none."""
    communities: pa.Table
    """name, label (null without topics of the level), size, paper_x, paper_y (medians of its papers
    on the map of papers)."""


@dataclass(frozen=True)
class Atlas:
    """A map of papers and a map of their topics."""

    papers: pa.Table
    """Placed papers: id, x, y, topic (row of `topics`, -1 for none), title, venue, notice,
    notice_year, year, cites, cited, received, density; ascending by id."""
    topics: pa.Table
    """name, label, x, y, paper_x, paper_y (medians of its papers on the map of papers), size,
    placed (papers on the map), field, diversity, mean_year, importance, terms; NaN if unplaced."""
    facts: Facts
    density: Density
    levels: tuple[MapLevel, ...] = ()
    """The other levels of the clustering, the coarsest first."""

    @property
    def least(self) -> float:
        """Minimum number of papers of a topic whose label is shown on the whole map."""
        return _MIN_LABELLED * len(self.papers)


@dataclass(frozen=True)
class MapPapers:
    """Papers in ascending order of ids, with their attributes on a map."""

    table: pa.Table
    """id, title, venue, notice (such as `retracted`; empty without one), notice_year and year (NaN
    if unknown), cites and cited (works of the store), received."""
    weight: str
    """Meaning of `received`, see `communities.topic_papers`."""

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        return self.table["id"].combine_chunks()

    def fingerprint(self) -> str:
        """SHA-256 of the table."""
        digest = hashlib.sha256()
        for name in self.table.column_names:
            column = self.table[name]
            if pa.types.is_string(column.type):
                digest.update(pc.binary_length(column).to_numpy().tobytes())
                digest.update("".join(column.to_pylist()).encode())
            else:
                digest.update(column.to_numpy().tobytes())
        return digest.hexdigest()


def read_map_papers(store: GraphStore, ids: pa.StringArray) -> MapPapers:
    """Reads the attributes of some papers, and all citations.

    `ids` ascend; papers that are no longer in the store have empty values.
    """
    table = store.read(query("maps/titles")).sort_by("id").combine_chunks()
    own = table.take(pc.index_in(ids, value_set=table["id"].combine_chunks().cast(pa.string())))
    columns = {
        "id": ids,
        "title": _tidy(own["title"]),
        "venue": _tidy(own["venue"]),
        "notice": own["notice"].cast(pa.string()).fill_null("").combine_chunks(),
        "notice_year": _fill_years(own["notice_year"]),
        "year": _fill_years(own["year"]),
    }
    citations, weight = read_weights(store)
    rows, size = find_rows(ids, citations.ids), len(citations.ids)
    counts = {
        "cites": np.bincount(citations.citing, minlength=size),
        "cited": np.bincount(citations.cited, minlength=size),
        "received": np.bincount(citations.cited, citations.weights, minlength=size),
    }
    columns |= {name: np.append(count, 0)[rows] for name, count in counts.items()}
    return MapPapers(pa.table(columns), weight)


def _fill_years(years: pa.ChunkedArray) -> pa.Array:
    """Years as numbers; NaN if null."""
    return years.cast(pa.float64()).fill_null(np.nan).combine_chunks()


def _tidy(texts: pa.ChunkedArray) -> pa.Array:
    """Texts with single blanks; empty if null."""
    plain = pc.utf8_trim_whitespace(texts.cast(pa.string()).fill_null(""))
    return pc.replace_substring_regex(plain, r"\s+", " ").combine_chunks()


def stack_places(table: pa.Table, x: str = "x", y: str = "y") -> Floats:
    """Stacks two columns of a table as places (rows, 2).

    Args:
        table: papers or topics.
        x: column of the horizontal position.
        y: column of the vertical position.
    """
    return np.stack([table[x].to_numpy(), table[y].to_numpy()], axis=1)


def measure_density(positions: Floats) -> Density:
    """Measures the kernel density of points: sum of Gaussians, relative to the densest place.

    The bandwidth is a quarter of Scott's (1992), n^(-1/6) times the standard deviation.
    """
    low, high = positions.min(axis=0), positions.max(axis=0)
    side = float((high - low).max()) or 1.0
    low, high = low - _MARGIN * side, high + _MARGIN * side
    cell = float((high - low).max()) / _CELLS
    shape = np.ceil((high - low) / cell).astype(np.int64) + 1
    places = np.round((positions - low) / cell).astype(np.int64)
    counts = np.zeros((shape[1], shape[0]))
    np.add.at(counts, (places[:, 1], places[:, 0]), 1.0)
    spread = float(np.sqrt(positions.var(axis=0).mean())) * len(positions) ** (-1 / 6)
    grid = gaussian_filter(counts, max(_BANDWIDTH * spread / cell, 1.0), mode="constant")
    return Density(grid / grid.max(), low, cell)


def build_atlas(
    places: tuple[Layout, Layout],
    members: Clustering,
    papers: MapPapers,
    *,
    described: pa.Table,
    facts: Facts,
    levels: Sequence[tuple[str, Clustering, pa.Table]] = (),
) -> Atlas:
    """Joins places and attributes; the map of topics is turned to match the map of papers.

    Args:
        places: layouts of papers and of topics (ids are names).
        members: clustering of the core.
        papers: attributes of the placed papers.
        described: (topics,) name, label, size, field, diversity, mean_year, importance, terms, in
            the order of the labels of `members`.
        facts: sources and methods, for headings.
        levels: other levels: name, clustering of the core, and name, label and size of its
            communities in the order of labels.
    """
    layout, topics = places
    density = measure_density(layout.positions)
    labels = members.labels[find_rows(layout.ids, members.ids)]
    table = papers.table.append_column("topic", pa.array(labels, pa.int32()))
    for name, column in (("x", layout.positions[:, 0]), ("y", layout.positions[:, 1])):
        table = table.append_column(name, pa.array(column))
    table = table.append_column("density", pa.array(density.at(layout.positions)))

    size = len(described)
    middles = _find_middles(layout.positions, labels, size)
    rows = find_rows(described["name"].combine_chunks().cast(pa.string()), topics.ids)
    own = np.full((size, 2), np.nan)
    own[rows >= 0] = topics.positions[rows[rows >= 0]]
    own = turn_like(own, middles)
    for name, column in zip(("x", "y", "paper_x", "paper_y"), [*own.T, *middles.T], strict=True):
        described = described.append_column(name, pa.array(column))
    counts = np.bincount(labels[labels >= 0], minlength=size)
    described = described.append_column("placed", pa.array(counts))
    others = []
    for level, clustering, communities in levels:
        own_labels = clustering.labels[find_rows(layout.ids, clustering.ids)]
        spots = _find_middles(layout.positions, own_labels, len(communities))
        for axis, values in zip(("paper_x", "paper_y"), spots.T, strict=True):
            communities = communities.append_column(axis, pa.array(values))
        others.append(MapLevel(level, own_labels.astype(np.int32), communities))
    return Atlas(table, described, facts, density, tuple(others))


def _find_middles(positions: Floats, labels: npt.NDArray[np.integer], size: int) -> Floats:
    """(size, 2) medians of the papers of each label; NaN if no paper is placed."""
    order = np.argsort(labels, kind="stable")
    cuts = np.searchsorted(labels[order], np.arange(size + 1))
    middles = np.full((size, 2), np.nan)
    for label in range(size):
        rows = order[cuts[label] : cuts[label + 1]]
        if len(rows):
            middles[label] = np.median(positions[rows], axis=0)
    return middles
