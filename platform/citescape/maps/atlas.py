"""What is drawn: papers and topics with their places and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.ndimage import gaussian_filter, map_coordinates

from citescape.communities.clustering import Clustering
from citescape.communities.topic_papers import TopicPapers
from citescape.maps.layout import Layout
from citescape.networks.network import Floats
from citescape.relatedness.core import find_rows

_CELLS = 256
"""Of the grid that density is measured on, along the longer side."""
_MARGIN = 0.08
"""Of the longer side, around the outermost papers."""
_BANDWIDTH = 0.25
"""Of Scott's, which is meant for a single heap."""


@dataclass(frozen=True)
class Facts:
    """What a map is of, for headings."""

    level: str
    source: str
    """Run of the vectors or the network."""
    weight: str
    """`importance`, or `citations` where there are no scores."""
    kept_papers: float
    kept_topics: float
    neighbours: int
    run: str = ""
    """Of the map."""


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
    papers: TopicPapers,
    *,
    described: pa.Table,
    facts: Facts,
) -> Atlas:
    """Joins places with what is known.

    Args:
        places: of papers and of topics, by name.
        members: the clustering's core; `papers.ids` are its ids.
        papers: what is known of them.
        described: (topics,) name, label, size, field, diversity, mean_year, importance, terms, in
            the order of the labels of `members`.
        facts: for headings.
    """
    layout, topics = places
    density = measure_density(layout.positions)
    rows = find_rows(layout.ids, members.ids)
    labels = members.labels[rows]
    table = _tell_papers(papers, rows).append_column("topic", pa.array(labels, pa.int32()))
    spots = {"x": layout.positions[:, 0], "y": layout.positions[:, 1]}
    spots["density"] = density.at(layout.positions)
    for name, column in spots.items():
        table = table.append_column(name, pa.array(column))
    at = find_rows(pa.array(described["name"].to_pylist(), pa.string()), topics.ids)
    own = np.where(at[:, None] >= 0, topics.positions[at], np.nan)
    middle = _find_middles(layout.positions, labels, len(described))
    for name, column in zip(("x", "y", "paper_x", "paper_y"), [*own.T, *middle.T], strict=True):
        described = described.append_column(name, pa.array(column))
    counts = np.bincount(labels[labels >= 0], minlength=len(described))
    return Atlas(table, described.append_column("placed", pa.array(counts)), facts, density)


def _tell_papers(papers: TopicPapers, rows: np.ndarray) -> pa.Table:
    cites, cited = _count_citations(papers)
    return pa.table(
        {
            "id": papers.ids.take(pa.array(rows)),
            "title": pa.array([papers.documents[row].title for row in rows], pa.string()),
            "year": papers.years[rows],
            "cites": cites[rows],
            "cited": cited[rows],
            "received": papers.received[rows],
        }
    )


def _count_citations(papers: TopicPapers) -> tuple[np.ndarray, np.ndarray]:
    """(papers,) how many works of the store each cites, and how many cite it."""
    citations = papers.citations
    at = find_rows(papers.ids, citations.ids)
    size = len(citations.ids)
    given = np.append(np.bincount(citations.citing, minlength=size), 0)
    taken = np.append(np.bincount(citations.cited, minlength=size), 0)
    return given[at], taken[at]


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
