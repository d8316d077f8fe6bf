"""The picture of the graph: labels and relationships of the schema, as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot

from citescape.store.schema import RELS

FENCE = re.compile(r"^```mermaid\n.*?^```$", re.MULTILINE | re.DOTALL)
"""The diagram of `schema.md`, which GitHub draws by itself."""
_PLACES = {
    "Author": (475, 30),
    "Venue": (680, 70),
    "Keyword": (800, 155),
    "Subject": (820, 245),
    "MeshDescriptor": (800, 335),
    "Institution": (275, 30),
    "Embedding": (800, 430),
    "Community": (560, 500),
    "Paper": (430, 245),
    "Section": (110, 110),
    "Occurrence": (90, 300),
    "Reference": (110, 420),
    "Notice": (240, 505),
    "Record": (390, 520),
    "Collection": (700, 500),
}
_LOOPS = {("Paper", 0): (-85, -80), ("Paper", 1): (85, 85), ("Community", 0): (0, 75)}
"""Positions of relationships of a label to itself."""
_WIDTH, _HEIGHT, _ROW = 920, 560, 40
_STYLE = (
    "text { font: 13px sans-serif; text-anchor: middle; dominant-baseline: central }"
    " .rel { font-size: 11px; fill: #345 }"
)


def make_picture() -> str:
    """The picture; labels without a position in the table are in the bottom row."""
    names = dict.fromkeys(name for rel in RELS for name in (rel.source, rel.target))
    others = [name for name in names if name not in _PLACES]
    places = dict(_PLACES)
    places |= {name: (90 + 160 * n, _HEIGHT + _ROW // 2) for n, name in enumerate(others)}
    height = _HEIGHT + (_ROW if others else 0)
    words = ", ".join(f"{rel.source} {rel.name} {rel.target}" for rel in RELS)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
        f"<title>The graph</title><desc>{words}</desc><style>{_STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#678"/></marker></defs>',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        *_edges(places),
        *(_node(name, *places[name]) for name in names),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _edges(places: dict[str, tuple[int, int]]) -> Iterator[str]:
    between: dict[frozenset[str], int] = {}
    pairs = [(rel.source, rel.target) for rel in RELS]
    for rel in RELS:
        ends = frozenset((rel.source, rel.target))
        number = between.get(ends, 0)
        between[ends] = number + 1
        if len(ends) == 1:
            yield _loop(rel.name, places[rel.source], _LOOPS.get((rel.source, number), (0, -75)))
        else:
            bend = 45 if sum({rel.source, rel.target} == {*other} for other in pairs) > 1 else 14
            yield _line(rel.name, places[rel.source], places[rel.target], bend)


def _line(name: str, start: tuple[int, int], end: tuple[int, int], bend: int) -> str:
    (x, y), (u, v) = _border(start, end), _border(end, start)
    length = hypot(u - x, v - y)
    # The bend is to the left of the direction, so that there and back do not lie on each other.
    p, q = (x + u) / 2 + bend * (v - y) / length, (y + v) / 2 - bend * (u - x) / length
    path = f"M{x:.0f} {y:.0f}Q{p:.0f} {q:.0f} {u:.0f} {v:.0f}"
    return _drawn(path) + _label(name, (x + 2 * p + u) / 4, (y + 2 * q + v) / 4)


def _loop(name: str, place: tuple[int, int], side: tuple[int, int]) -> str:
    (x, y), (dx, dy) = place, side
    foot = y + (17 if dy > 0 else -17)
    path = f"M{x + dx * 0.3 - 12:.0f} {foot}C{x + dx - 45} {y + dy} "
    path += f"{x + dx + 45} {y + dy} {x + dx * 0.3 + 12:.0f} {foot}"
    return _drawn(path) + _label(name, x + dx * 0.83, y + dy * 0.8)


def _border(place: tuple[int, int], other: tuple[int, int]) -> tuple[float, float]:
    """Where the line to another label leaves the box of this one."""
    (x, y), dx, dy = place, other[0] - place[0], other[1] - place[1]
    share = min(62 / abs(dx) if dx else 9, 19 / abs(dy) if dy else 9)
    return x + dx * share, y + dy * share


def _drawn(path: str) -> str:
    return f'<path d="{path}" fill="none" stroke="#678" marker-end="url(#tip)"/>'


def _label(name: str, x: float, y: float) -> str:
    width = 7.2 * len(name) + 6
    box = f'<rect x="{x - width / 2:.0f}" y="{y - 8:.0f}" width="{width:.0f}" height="16"'
    return f'{box} fill="#fff"/><text class="rel" x="{x:.0f}" y="{y:.0f}">{name}</text>'


def _node(name: str, x: int, y: int) -> str:
    box = f'<rect x="{x - 60}" y="{y - 17}" width="120" height="34" rx="17"'
    return f'{box} fill="#e8f0f2" stroke="#357"/><text x="{x}" y="{y}">{name}</text>'
