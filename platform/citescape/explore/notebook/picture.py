"""Draws a citation network as SVG, for saved notebooks and papers.

Places, labels and arrows are those of the explorer (`server/web/src/layout.ts`, `network.tsx`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from citescape.core.terminal import escape

if TYPE_CHECKING:
    from citescape.explore.neighbourhood import CitationNeighbourhood

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
_FIRST_RING, _RING_STEP, _SPACING = 130, 132, 21
_HALF_ARC = 1.32
"""Half of the arc of one side, in radians: a gap at the top and at the bottom separates them."""
_SEED_CIRCLE = 40
_LETTER, _LINE, _GAP = 5.6, 12, 9
_WIDEST, _SHADES = 9, 5
_SMALLEST = (700, 420)
"""Width and height of the smallest drawing: a network of three papers is not blown up."""


@dataclass(frozen=True)
class Place:
    """Place of a paper."""

    x: float
    y: float
    side: int
    """1 for cited works, -1 for citing papers, 0 for seeds."""


def draw_network(network: CitationNeighbourhood) -> str:
    """The network as an SVG document in light colours.

    Width and colour of an arrow are its importance, relative to the most important citation; dashes
    are self-citations.

    Args:
        network: papers and citations; the most important first.
    """
    papers, citations = network.papers.to_pylist(), network.citations.to_pylist()
    places = place_papers(network.seeds, (paper["id"] for paper in papers), citations)
    highest = max((row["importance"] or 0.0 for row in citations), default=0.0)
    lines = []
    for row in reversed(citations):  # important ones on top
        share = (row["importance"] or 0.0) / highest if highest > 0 else 0.0
        path = _draw_arrow(places[row["citing"]], places[row["cited"]])
        shade = min(int(share * _SHADES), _SHADES - 1)
        width = 1 + (_WIDEST - 1) * share
        lines.append({"path": path, "shade": shade, "width": width, "is_self": row["self"]})
    left, width = _span([place.x for place in places.values()], 150, _SMALLEST[0])
    top, height = _span([place.y for place in places.values()], 40, _SMALLEST[1])
    return (
        get_templates()
        .get_template("network.svg")
        .render(
            box=(left, top, width, height),
            shades=range(_SHADES),
            lines=lines,
            papers=[(places[paper["id"]], name_paper(paper)) for paper in papers],
            labels=choose_labels(papers, places),
            title=f"Citations around {', '.join(network.seeds)}",
        )
    )


def place_papers(
    seeds: Sequence[str], papers: Iterable[str], citations: Iterable[Mapping[str, Any]]
) -> dict[str, Place]:
    """Places of papers around seeds: cited works on the right, citing papers on the left.

    The most important ones are on the inner rings, in the middle of each ring.

    Args:
        seeds: ids of the papers in the middle.
        papers: ids of all papers.
        citations: rows with `citing` and `cited`; the most important first.
    """
    places = {}
    radius: float = _SEED_CIRCLE if len(seeds) > 1 else 0
    for rank, seed in enumerate(seeds):
        angle = 2 * math.pi * rank / len(seeds)
        places[seed] = Place(radius * math.cos(angle), radius * math.sin(angle), 0)
    inside, sides = set(seeds), dict.fromkeys(seeds, 0)
    for row in citations:
        if row["citing"] in inside:
            sides.setdefault(row["cited"], 1)
        elif row["cited"] in inside:
            sides.setdefault(row["citing"], -1)
    for paper in papers:
        sides.setdefault(paper, 1)  # further away than one citation
    for side in (-1, 1):
        left = [paper for paper, own in sides.items() if own == side]
        radius = _FIRST_RING
        while left:
            room = max(int(2 * _HALF_ARC * radius / _SPACING), 1)
            for rank, paper in enumerate(left[:room]):
                steps = math.ceil(rank / 2) * (-1 if rank % 2 else 1)
                angle = 2 * _HALF_ARC * steps / room
                places[paper] = Place(
                    side * radius * math.cos(angle), radius * math.sin(angle), side
                )
            left = left[room:]
            radius += _RING_STEP
    return places


def choose_labels(
    papers: Iterable[Mapping[str, Any]], places: Mapping[str, Place]
) -> list[tuple[Place, str]]:
    """Labels that overlap neither each other nor a paper, the most important papers first."""
    taken = [(place.x - 5, place.y - 5, place.x + 5, place.y + 5) for place in places.values()]
    labels = []
    for paper in papers:
        place, text = places[paper["id"]], name_paper(paper)
        width = _LETTER * len(text)
        left = (place.x - _GAP - width, place.x - width / 2, place.x + _GAP)[place.side + 1]
        top = place.y - _LINE / 2 if place.side else place.y + 16
        box = (left, top, left + width, top + _LINE)
        if not any(_overlap(box, other) for other in taken):
            taken.append(box)
            labels.append((place, text))
    return labels


def name_paper(paper: Mapping[str, Any]) -> str:
    """First author and year: `Li et al. 2017`, `Li & Olsen 2017`, or the id of the paper."""
    names = paper["surnames"] or []
    others = " et al." if len(names) > 2 else f" & {names[1]}" if len(names) == 2 else ""
    year = f" {paper['year']}" if paper["year"] else ""
    return escape(f"{names[0] if names else paper['id']}{others}{year}")


@cache
def get_templates() -> Environment:
    """Templates of this folder, which escape every value."""
    return Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _span(values: list[float], margin: float, smallest: float) -> tuple[float, float]:
    """Start and length of a side of the drawing."""
    least, most = min(values, default=0.0) - margin, max(values, default=0.0) + margin
    length = max(most - least, smallest)
    return (least + most - length) / 2, length


def _draw_arrow(start: Place, end: Place) -> str:
    """A slightly bent line that ends before the circle of the cited paper."""
    dx, dy = end.x - start.x, end.y - start.y
    length = math.hypot(dx, dy) or 1
    radius = 6 if end.side else 13
    tip_x, tip_y = end.x - dx / length * radius, end.y - dy / length * radius
    bend = 0.18 if start.side and end.side else 0
    middle_x, middle_y = (start.x + tip_x) / 2 - bend * dy, (start.y + tip_y) / 2 + bend * dx
    return f"M{start.x:.1f} {start.y:.1f} Q{middle_x:.1f} {middle_y:.1f} {tip_x:.1f} {tip_y:.1f}"


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
