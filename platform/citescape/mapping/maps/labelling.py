"""Where labels stand on a picture so that each is read as that of its own circle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.networks.network import Floats, Mask

_DIRECTIONS = 24
_RINGS = (0.1, 0.5, 1.0, 1.6, 2.4, 3.4)
"""Heights of a label between its circle and the nearest edge of it, tried in this order."""
_RINGS_OF_POINTS = _RINGS[:4]
"""Where there are no circles, a long line leads to a place that nobody finds."""
_CORE = 0.65
"""Of a circle's radius: no other label lies over it."""
_HIDDEN = 0.45
"""Heights of a label: a circle of a smaller radius would not be seen behind its own."""
_NEAR = 0.35
"""Heights of a label: one that is further from its circle, or not that much nearer to it than to
others, needs a line."""
_FLAT = 0.4
"""Slope of a line at least: a flatter one is read as a dash between two labels."""
_SHORT = 0.5
"""Heights of a label: a shorter line is not seen."""
_STEPS = np.linspace(0.0, 1.0, 12)[:, np.newaxis]
"""Along a line, where it is to be free."""


@dataclass(frozen=True)
class Placed:
    """Labels on a picture."""

    centres: Floats
    """(labels, 2) NaN for those there was no room for."""
    led: Mask
    """(labels,) those that a line has to lead to."""

    @property
    def shown(self) -> Mask:
        """(labels,) those that are placed."""
        return np.asarray(np.isfinite(self.centres[:, 0]), np.bool_)


@dataclass(frozen=True)
class _Tried:
    """Places for one label: where it would be, and the lines to there."""

    boxes: Floats
    """(candidates, 4) left, bottom, right, top."""
    led: Mask
    """(candidates,)"""
    lines: Floats
    """(candidates, steps, 2)"""
    free: Mask
    """(candidates,) of circles of others."""


def place_labels(
    discs: Floats,
    sizes: Floats,
    *,
    canvas: tuple[float, float, float, float],
    gap: tuple[float, float] = (8.0, 3.0),
    most: int = 100,
) -> Placed:
    """Places labels one after the other, each as near to its circle as those before it allow.

    A label lies over the middle of no circle but its own. One that is not plainly beside its own
    gets a line, which crosses no label and no other circle's middle, and is not flat.

    Args:
        discs: (circles, 3) x, y and radius; the first are those of the labels, the most important
            first, others are kept free.
        sizes: (labels, 2) width and height, in the same unit.
        canvas: left, bottom, right, top: labels are within it.
        gap: between labels, across and along.
        most: labels placed at most.
    """
    centres, led = np.full((len(sizes), 2), np.nan), np.zeros(len(sizes), np.bool_)
    taken = np.empty((0, 4))
    for row, size in enumerate(sizes):
        if np.isfinite(centres[:, 0]).sum() >= most:
            break
        tried = _try(discs, row, size)
        wide = tried.boxes + np.array([-gap[0], -gap[1], *gap]) / 2
        free = tried.free & _inside(tried.boxes, canvas) & ~_overlap(wide, taken)
        free &= ~(tried.led & _crosses(tried.lines, taken))
        if free.any():
            choice = int(np.argmax(free))
            centres[row] = (tried.boxes[choice, :2] + tried.boxes[choice, 2:]) / 2
            led[row] = tried.led[choice]
            line = np.tile(tried.lines[choice], 2)
            taken = np.concatenate([taken, wide[choice : choice + 1], line[: len(line) * led[row]]])
    return Placed(centres, led)


def _try(discs: Floats, row: int, size: Floats) -> _Tried:
    """All places for the label of one circle, the nearest first."""
    point, radius = discs[row, :2], float(discs[row, 2])
    tried = point + _offsets(size, radius)
    boxes = np.concatenate([tried - size / 2, tried + size / 2], axis=1)
    others = np.delete(discs, row, axis=0)
    reach = np.abs(others[:, :2] - point) - others[:, 2:]
    others = others[(reach <= np.abs(tried - point).max(axis=0) + size).all(axis=1)]
    ends = np.clip(point, boxes[:, :2], boxes[:, 2:])
    away, apart = _distances(boxes, others[:, :2]), np.linalg.norm(ends - point, axis=1) - radius
    core = np.maximum(_CORE * others[:, 2], size[1] / 8)
    nearest = (away - others[:, 2]).min(axis=1, initial=np.inf)
    slack = _NEAR * size[1]
    led = (apart > slack) | (nearest < np.maximum(apart, 0.0) + slack)
    led[0] = False  # in the middle of its circle
    lines = point + _STEPS * (ends - point)[:, np.newaxis]
    apart_from = np.linalg.norm(others[:, :2] - point, axis=1) > core
    met = _distances_of_points(lines, others[apart_from, :2]) < core[apart_from]
    bad = _is_flat(ends - point) | met.any(axis=(1, 2))
    bad |= np.linalg.norm(ends - point, axis=1) < _SHORT * size[1]
    free = (away >= core).all(axis=1) & ~(led & bad)
    free[0] &= radius == 0 or radius >= _HIDDEN * size[1]
    return _Tried(boxes, led, lines, free)


def _offsets(size: Floats, radius: float) -> Floats:
    """(candidates, 2) from the middle of a circle to that of its label, the nearest first."""
    turns = np.arange(_DIRECTIONS) / _DIRECTIONS * 2 * np.pi + np.pi / 2
    around = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    rings = _RINGS if radius else _RINGS_OF_POINTS
    found = [around * (size / 2 + radius + ring * size[1]) for ring in rings]
    return np.concatenate([np.zeros((1, 2)), *found])


def find_leader(point: Floats, lines: Floats) -> Floats:
    """(2,) where a line from a point meets a label: the nearest of its letters, not to be flat.

    Args:
        point: x and y.
        lines: (lines, 4) left, bottom, right, top of the letters of each.
    """
    ends = np.clip(point, lines[:, :2], lines[:, 2:])
    away = np.linalg.norm(ends - point, axis=1) + np.where(_is_flat(ends - point), 1e9, 0.0)
    found: Floats = ends[np.argmin(away)]
    return found


def _is_flat(steps: Floats) -> Mask:
    """(n,) of lines, given by how far they lead across and along."""
    return np.asarray(np.abs(steps[:, 1]) < _FLAT * np.abs(steps[:, 0]), np.bool_)


def _distances(boxes: Floats, points: Floats) -> Floats:
    """(boxes, points) 0 inside."""
    low, high = boxes[:, np.newaxis, :2], boxes[:, np.newaxis, 2:]
    found: Floats = np.linalg.norm(points - np.clip(points, low, high), axis=2)
    return found


def _distances_of_points(lines: Floats, points: Floats) -> Floats:
    """(lines, steps, points) of places along lines."""
    found: Floats = np.linalg.norm(lines[:, :, np.newaxis] - points, axis=3)
    return found


def _inside(boxes: Floats, canvas: tuple[float, float, float, float]) -> Mask:
    left, bottom, right, top = canvas
    horizontal = (boxes[:, 0] >= left) & (boxes[:, 2] <= right)
    inside: Mask = horizontal & (boxes[:, 1] >= bottom) & (boxes[:, 3] <= top)
    return inside


def _overlap(boxes: Floats, taken: Floats) -> Mask:
    """(n,) whether each box meets one of those taken."""
    one, other = boxes[:, None, :], taken[None, :, :]
    across = (one[..., 0] < other[..., 2]) & (other[..., 0] < one[..., 2])
    along = (one[..., 1] < other[..., 3]) & (other[..., 1] < one[..., 3])
    return np.asarray((across & along).any(axis=1), np.bool_)


def _crosses(lines: Floats, taken: Floats) -> Mask:
    """(n,) whether each line meets one of the boxes taken."""
    points = np.tile(lines.reshape(-1, 2), 2)
    return np.asarray(_overlap(points, taken).reshape(lines.shape[:2]).any(axis=1), np.bool_)
