"""Places of labels on a picture, so that each is read as the label of its own circle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.networks.network import Floats, Mask

_DIRECTIONS = 24
_RINGS = (0.1, 0.5, 1.0, 1.6, 2.4, 3.4)
"""Distances between a circle and its label, in heights of the label, tried in this order."""
_RINGS_OF_POINTS = _RINGS[:4]
"""Without circles: the ends of long lines are hard to find."""
_CORE = 0.65
"""Share of a circle's radius that no other label covers."""
_HIDDEN = 0.45
"""Heights of a label: a circle with a smaller radius would be hidden behind its label."""
_NEAR = 0.35
"""Heights of a label: a label further from its circle, or not nearer to it than to others by this
much, needs a line."""
_FLAT = 0.4
"""Smallest slope of a line: a flatter one looks like a dash between two labels."""
_SHORT = 0.5
"""Heights of a label: shorter lines are invisible."""
_STEPS = np.linspace(0.0, 1.0, 12)[:, np.newaxis]
"""Positions along a line that are checked."""


@dataclass(frozen=True)
class Placed:
    """Labels on a picture."""

    centres: Floats
    """(labels, 2) NaN for labels without room."""
    led: Mask
    """(labels,) labels that need a line."""

    @property
    def shown(self) -> Mask:
        """(labels,) labels that are placed."""
        return np.asarray(np.isfinite(self.centres[:, 0]), np.bool_)


@dataclass(frozen=True)
class _Candidates:
    """Candidate places for one label, with the lines that lead to them."""

    boxes: Floats
    """(candidates, 4) left, bottom, right, top."""
    led: Mask
    """(candidates,)"""
    lines: Floats
    """(candidates, steps, 2)"""
    free: Mask
    """(candidates,) free of other circles."""


def place_labels(
    discs: Floats,
    sizes: Floats,
    *,
    canvas: tuple[float, float, float, float],
    gap: tuple[float, float] = (8.0, 3.0),
    most: int = 100,
) -> Placed:
    """Places labels one after the other, each as near to its circle as earlier labels allow.

    A label covers the middle of no other circle. A label that is not clearly beside its own circle
    gets a line, which crosses no label and no middle of another circle, and is not flat.

    Args:
        discs: (circles, 3) x, y and radius; first those of the labels, the most important first;
            the others are kept free.
        sizes: (labels, 2) width and height, in the same unit.
        canvas: left, bottom, right, top: labels are within it.
        gap: between labels, horizontally and vertically.
        most: maximum number of labels placed.
    """
    centres, led = np.full((len(sizes), 2), np.nan), np.zeros(len(sizes), np.bool_)
    taken, (left, bottom, right, top) = np.empty((0, 4)), canvas
    for row, size in enumerate(sizes):
        if np.isfinite(centres[:, 0]).sum() >= most:
            break
        tried = _list_candidates(discs, row, size)
        wide = tried.boxes + np.array([-gap[0], -gap[1], *gap]) / 2
        low, high = tried.boxes[:, :2], tried.boxes[:, 2:]
        inside = (low >= [left, bottom]).all(axis=1) & (high <= [right, top]).all(axis=1)
        points = np.tile(tried.lines.reshape(-1, 2), 2)
        crossing = _overlap(points, taken).reshape(tried.lines.shape[:2]).any(axis=1)
        free = tried.free & inside & ~_overlap(wide, taken) & ~(tried.led & crossing)
        if free.any():
            choice = int(np.argmax(free))
            centres[row] = (low[choice] + high[choice]) / 2
            led[row] = tried.led[choice]
            line = np.tile(tried.lines[choice], 2)
            taken = np.concatenate([taken, wide[choice : choice + 1], line[: len(line) * led[row]]])
    return Placed(centres, led)


def _list_candidates(discs: Floats, row: int, size: Floats) -> _Candidates:
    """Candidate places for the label of one circle, the nearest first."""
    point, radius = discs[row, :2], float(discs[row, 2])
    centres = point + _offsets(size, radius)
    boxes = np.concatenate([centres - size / 2, centres + size / 2], axis=1)
    others = np.delete(discs, row, axis=0)
    reach = np.abs(others[:, :2] - point) - others[:, 2:]
    others = others[(reach <= np.abs(centres - point).max(axis=0) + size).all(axis=1)]

    # Distances of the boxes to the own circle and to the middles of others, 0 inside a box.
    ends = np.clip(point, boxes[:, :2], boxes[:, 2:])
    length = np.linalg.norm(ends - point, axis=1)
    low, high = boxes[:, np.newaxis, :2], boxes[:, np.newaxis, 2:]
    middles = others[:, :2]
    away = np.linalg.norm(middles - np.clip(middles, low, high), axis=2)
    apart = length - radius
    core = np.maximum(_CORE * others[:, 2], size[1] / 8)
    nearest = (away - others[:, 2]).min(axis=1, initial=np.inf)
    slack = _NEAR * size[1]
    led = (apart > slack) | (nearest < np.maximum(apart, 0.0) + slack)
    led[0] = False  # in the middle of its circle

    # Lines from the circle: not flat, not short, and not across the middle of another circle.
    lines = point + _STEPS * (ends - point)[:, np.newaxis]
    outside = np.linalg.norm(middles - point, axis=1) > core
    gaps = np.linalg.norm(lines[:, :, np.newaxis] - middles[outside], axis=3)
    bad = _is_flat(ends - point) | (gaps < core[outside]).any(axis=(1, 2))
    bad |= length < _SHORT * size[1]
    free = (away >= core).all(axis=1) & ~(led & bad)
    free[0] &= radius == 0 or radius >= _HIDDEN * size[1]
    return _Candidates(boxes, led, lines, free)


def _offsets(size: Floats, radius: float) -> Floats:
    """(candidates, 2) from the middle of a circle to the middle of its label, the nearest first."""
    turns = np.arange(_DIRECTIONS) / _DIRECTIONS * 2 * np.pi + np.pi / 2
    around = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    rings = _RINGS if radius else _RINGS_OF_POINTS
    offsets = [around * (size / 2 + radius + ring * size[1]) for ring in rings]
    return np.concatenate([np.zeros((1, 2)), *offsets])


def find_leader(point: Floats, lines: Floats) -> Floats:
    """(2,) the end of a line from a point to a label: its nearest letters, if the line is not flat.

    Lines (lines, 4): left, bottom, right, top of the letters of each.
    """
    ends = np.clip(point, lines[:, :2], lines[:, 2:])
    away = np.linalg.norm(ends - point, axis=1) + np.where(_is_flat(ends - point), 1e9, 0.0)
    end: Floats = ends[np.argmin(away)]
    return end


def _is_flat(steps: Floats) -> Mask:
    """(n,) of lines with these horizontal and vertical steps."""
    return np.asarray(np.abs(steps[:, 1]) < _FLAT * np.abs(steps[:, 0]), np.bool_)


def _overlap(boxes: Floats, taken: Floats) -> Mask:
    """(n,) whether each box overlaps one of the taken boxes."""
    one, other = boxes[:, None, :], taken[None, :, :]
    across = (one[..., 0] < other[..., 2]) & (other[..., 0] < one[..., 2])
    along = (one[..., 1] < other[..., 3]) & (other[..., 1] < one[..., 3])
    return np.asarray((across & along).any(axis=1), np.bool_)
