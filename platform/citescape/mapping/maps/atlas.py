"""What is drawn: papers and topics with their places and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.ndimage import gaussian_filter, map_coordinates

from citescape.core.pairs import find_rows
from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.maps.layout import Layout
from citescape.mapping.maps.papers import MapPapers
from citescape.mapping.maps.placing import Placing
from citescape.mapping.maps.starts import turn_like
from citescape.networks.network import Floats

_CELLS = 256
"""Of the grid that density is measured on, along the longer side."""
_MARGIN = 0.08
"""Of the longer side, around the outermost papers."""
_BANDWIDTH = 0.25
"""Of Scott's, which is meant for a single heap."""
_LEAST = 0.002


@dataclass(frozen=True)
class Facts:
    """What a map is of, for headings."""

    level: str
    source: str
    """Run of the vectors or the network."""
    weight: str
    """`importance`, or `citations` where there are no scores."""
    papers: Placing
    """How the map of papers was laid out."""
    topics: Placing
    run: str = ""
    """Of the map."""
    without_field: int = 0
    """Papers of the topics that fields are known of none for."""


@dataclass(frozen=True)
class Density:
    """How densely papers lie, on a grid over the map."""

    grid: Floats
    """(rows, columns) 0 to 1, the densest place."""
    low: Floats
    """(2,) x and y of the middle of the first cell."""
    cell: float
    """Side of a cell, in units of the map."""

    def at(self, positions: Floats) -> Floats:
        """(n,) density at places of the map."""
        places = (positions - self.low) / self.cell
        found: Floats = map_coordinates(self.grid, places[:, ::-1].T, order=1, mode="nearest")
        return np.clip(found, 0.0, 1.0)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top edge."""
        height, width = self.grid.shape
        left, bottom = (self.low - self.cell / 2).tolist()
        return left, left + width * self.cell, bottom, bottom + height * self.cell


@dataclass(frozen=True)
class Atlas:
    """A map of papers and a map of their topics."""

    papers: pa.Table
    """Placed papers: id, x, y, topic (row of `topics`, -1 for none), title, year, cites, cited,
    received, density; ascending by id."""
    topics: pa.Table
    """name, label, x, y, paper_x, paper_y (medians of its papers on the map of papers), size,
    placed (papers on the map), field, diversity, mean_year, importance, terms; NaN for no place."""
    facts: Facts
    density: Density

    @property
    def least(self) -> float:
        """Papers that a topic has to have for its label to be shown on the whole map."""
        return _LEAST * len(self.papers)


def stack_places(table: pa.Table, x: str = "x", y: str = "y") -> Floats:
    """(rows, 2) two columns of a table as places."""
    return np.stack([table[x].to_numpy(), table[y].to_numpy()], axis=1)


def measure_density(positions: Floats) -> Density:
    """Kernel density of points: sum of Gaussians, over that of the densest place.

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


def draw_up(
    places: tuple[Layout, Layout],
    members: Clustering,
    papers: MapPapers,
    *,
    described: pa.Table,
    facts: Facts,
) -> Atlas:
    """Joins places with what is known; topics are turned to lie as their papers do.

    Args:
        places: of papers and of topics, by name.
        members: the clustering's core.
        papers: what is known of those that are placed.
        described: (topics,) name, label, size, field, diversity, mean_year, importance, terms, in
            the order of the labels of `members`.
        facts: for headings.
    """
    layout, topics = places
    density = measure_density(layout.positions)
    labels = members.labels[find_rows(layout.ids, members.ids)]
    columns = {
        "topic": pa.array(labels, pa.int32()),
        "x": layout.positions[:, 0],
        "y": layout.positions[:, 1],
        "density": density.at(layout.positions),
    }
    table = _append(papers.table, columns)
    middle = _find_middles(layout.positions, labels, len(described))
    own = turn_like(_pick(topics, described["name"].to_pylist()), middle)
    counts = np.bincount(labels[labels >= 0], minlength=len(described))
    spots = dict(zip(("x", "y", "paper_x", "paper_y"), [*own.T, *middle.T], strict=True))
    return Atlas(table, _append(described, {**spots, "placed": counts}), facts, density)


def _append(table: pa.Table, columns: Mapping[str, pa.Array | np.ndarray]) -> pa.Table:
    for name, column in columns.items():
        table = table.append_column(name, pa.array(column))
    return table


def _pick(layout: Layout, names: Sequence[str]) -> Floats:
    """(names, 2) where each is; NaN for those without a place."""
    rows = find_rows(pa.array(names, pa.string()), layout.ids)
    found = np.full((len(names), 2), np.nan)
    found[rows >= 0] = layout.positions[rows[rows >= 0]]
    return found


def _find_middles(positions: Floats, labels: np.ndarray, topics: int) -> Floats:
    """(topics, 2) median of each topic's papers; NaN for topics none of whose papers is placed."""
    order = np.argsort(labels, kind="stable")
    cuts = np.searchsorted(labels[order], np.arange(topics + 1))
    found = np.full((topics, 2), np.nan)
    for topic in range(topics):
        own = order[cuts[topic] : cuts[topic + 1]]
        if len(own):
            found[topic] = np.median(positions[own], axis=0)
    return found
