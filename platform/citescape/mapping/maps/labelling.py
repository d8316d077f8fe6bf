"""Positions of labels on a picture, without overlap and close to their circles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.networks.network import Floats, Mask

_DIRECTIONS = 24
"""Number of candidate positions on each ring around a circle."""
_RINGS = (0.1, 0.5, 1.0, 1.6, 2.4, 3.4)
"""Distances between a circle and its label, in heights of the label, candidates in this order."""
_RINGS_OF_POINTS = _RINGS[:4]
"""Distances without circles, where long lines are hard to follow."""
_CORE = 0.65
"""Share of the radius of a circle that other labels must not cover."""
_HIDDEN = 0.45
"""Minimum radius, in heights of the label, of a circle that is not hidden by its label."""
_NEAR = 0.35
"""Distance in heights of the label. A label needs a line if its circle is farther away, or if
another circle is not farther away than its own by this distance."""
_FLAT = 0.4
"""Minimum slope of a line: a flatter line looks like a dash between two labels."""
_SHORT = 0.5
"""Minimum length of a line, in heights of the label."""
_STEPS = np.linspace(0.0, 1.0, 12)[:, np.newaxis]
"""Positions along a line that are checked."""


@dataclass(frozen=True)
class LabelPlacement:
    """Labels on a picture."""

    centres: Floats
    """(labels, 2) centres; NaN for labels without a free position."""
    has_line: Mask
    """(labels,) whether a label needs a line."""

    @property
    def shown(self) -> Mask:
        """(labels,) whether a label is placed."""
        return np.asarray(np.isfinite(self.centres[:, 0]), np.bool_)


@dataclass(frozen=True)
class _Candidates:
    """Candidate positions of one label, with their lines."""

    boxes: Floats
    """(candidates, 4) left, bottom, right, top."""
    has_line: Mask
    """(candidates,) whether the label needs a line."""
    lines: Floats
    """(candidates, steps, 2) points along the lines."""
    free: Mask
    """(candidates,) whether the position is free of other circles."""


def place_labels(
    discs: Floats,
    sizes: Floats,
    *,
    canvas: tuple[float, float, float, float],
    gap: tuple[float, float] = (8.0, 3.0),
    most: int = 100,
) -> LabelPlacement:
    """Places labels one after the other, each as close to its circle as earlier labels allow.

    A label does not cover the middle of another circle. A label that is not clearly beside its own
    circle has a line. The line is not flat, and crosses no label and no middle of another circle.

    Args:
        discs: (circles, 3) x, y and radius; first the circles of the labels, the most important
            first, then circles that are kept free.
        sizes: (labels, 2) width and height, in the same unit.
        canvas: left, bottom, right, top: labels are within it.
        gap: horizontal and vertical distance between labels.
        most: maximum number of labels placed.
    """
    centres, has_line = np.full((len(sizes), 2), np.nan), np.zeros(len(sizes), np.bool_)
    occupied, (left, bottom, right, top) = np.empty((0, 4)), canvas
    for row, size in enumerate(sizes):
        if np.isfinite(centres[:, 0]).sum() >= most:
            break
        candidates = _list_candidates(discs, row, size)
        wide = candidates.boxes + np.array([-gap[0], -gap[1], *gap]) / 2
        low, high = candidates.boxes[:, :2], candidates.boxes[:, 2:]
        inside = (low >= [left, bottom]).all(axis=1) & (high <= [right, top]).all(axis=1)
        points = np.tile(candidates.lines.reshape(-1, 2), 2)
        crossing = _overlap(points, occupied).reshape(candidates.lines.shape[:2]).any(axis=1)
        free = (
            candidates.free & inside & ~_overlap(wide, occupied) & ~(candidates.has_line & crossing)
        )
        if free.any():
            choice = int(np.argmax(free))
            centres[row] = (low[choice] + high[choice]) / 2
            has_line[row] = candidates.has_line[choice]
            line = np.tile(candidates.lines[choice], 2)
            occupied = np.concatenate(
                [occupied, wide[choice : choice + 1], line[: len(line) * has_line[row]]]
            )
    return LabelPlacement(centres, has_line)


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
    has_line = (apart > slack) | (nearest < np.maximum(apart, 0.0) + slack)
    has_line[0] = False  # in the middle of its circle

    # Lines from the circle: not flat, not short, and not across the middle of another circle.
    lines = point + _STEPS * (ends - point)[:, np.newaxis]
    outside = np.linalg.norm(middles - point, axis=1) > core
    gaps = np.linalg.norm(lines[:, :, np.newaxis] - middles[outside], axis=3)
    is_rejected = _is_flat(ends - point) | (gaps < core[outside]).any(axis=(1, 2))
    is_rejected |= length < _SHORT * size[1]
    free = (away >= core).all(axis=1) & ~(has_line & is_rejected)
    free[0] &= radius == 0 or radius >= _HIDDEN * size[1]
    return _Candidates(boxes, has_line, lines, free)


def _offsets(size: Floats, radius: float) -> Floats:
    """(candidates, 2) from the middle of a circle to the middle of its label, the nearest first."""
    turns = np.arange(_DIRECTIONS) / _DIRECTIONS * 2 * np.pi + np.pi / 2
    around = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    rings = _RINGS if radius else _RINGS_OF_POINTS
    offsets = [around * (size / 2 + radius + ring * size[1]) for ring in rings]
    return np.concatenate([np.zeros((1, 2)), *offsets])


def find_leader(point: Floats, lines: Floats) -> Floats:
    """(2,) the end of a line from a point to a label: its nearest letters for which it is not flat.

    `lines` (lines, 4) are lines of text: left, bottom, right and top of the letters of each.
    """
    ends = np.clip(point, lines[:, :2], lines[:, 2:])
    away = np.linalg.norm(ends - point, axis=1) + np.where(_is_flat(ends - point), 1e9, 0.0)
    end: Floats = ends[np.argmin(away)]
    return end


def _is_flat(steps: Floats) -> Mask:
    """(n,) whether lines with these horizontal and vertical extents (n, 2) are flat."""
    return np.asarray(np.abs(steps[:, 1]) < _FLAT * np.abs(steps[:, 0]), np.bool_)


def _overlap(boxes: Floats, occupied: Floats) -> Mask:
    """(n,) whether a box overlaps an occupied box."""
    box, other = boxes[:, None, :], occupied[None, :, :]
    horizontal = (box[..., 0] < other[..., 2]) & (other[..., 0] < box[..., 2])
    vertical = (box[..., 1] < other[..., 3]) & (other[..., 1] < box[..., 3])
    return np.asarray((horizontal & vertical).any(axis=1), np.bool_)
