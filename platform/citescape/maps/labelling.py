"""Where labels stand on a picture so that none covers another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.networks.network import Floats

_DIRECTIONS = 16
_RINGS = (0.25, 0.6, 1.0, 1.5)
"""Heights of a label between its point and the nearest edge of it, tried in this order."""


@dataclass(frozen=True)
class Placed:
    """Labels on a picture."""

    centres: Floats
    """(labels, 2) NaN for those there was no room for."""

    @property
    def shown(self) -> npt.NDArray[np.bool_]:
        """(labels,) those that are placed."""
        return np.asarray(np.isfinite(self.centres[:, 0]), np.bool_)


def place_labels(
    points: Floats,
    sizes: Floats,
    *,
    canvas: tuple[float, float, float, float],
    gap: float = 2.0,
    most: int = 100,
) -> Placed:
    """Places labels one after the other, each as near to its point as those before it allow.

    Args:
        points: (labels, 2) what each label is of, the most important first.
        sizes: (labels, 2) width and height, in the same unit.
        canvas: left, bottom, right, top: labels are within it.
        gap: between labels.
        most: labels placed at most.
    """
    centres = np.full(points.shape, np.nan)
    taken = np.empty((0, 4))
    for row in range(len(points)):
        if len(taken) >= most:
            break
        tried = points[row] + _offsets(sizes[row])
        boxes = _boxes(tried, sizes[row] + gap)
        free = _inside(boxes, canvas) & ~_overlap(boxes, taken)
        if free.any():
            choice = int(np.argmax(free))
            centres[row] = tried[choice]
            taken = np.concatenate([taken, boxes[choice : choice + 1]])
    return Placed(centres)


def _offsets(size: Floats) -> Floats:
    """(candidates, 2) from a point to the middle of its label, the nearest first."""
    width, height = float(size[0]), float(size[1])
    turns = np.arange(_DIRECTIONS) / _DIRECTIONS * 2 * np.pi + np.pi / 2
    around = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    found = [np.zeros((1, 2))]
    for ring in _RINGS:
        found.append(around * [width / 2 + ring * height, (0.5 + ring) * height])
    return np.concatenate(found)


def find_leader(point: Floats, centre: Floats, size: Floats) -> tuple[Floats, float]:
    """Where a line from a point meets its label, and how long it is; 0 inside the label."""
    end: Floats = np.clip(point, centre - size / 2, centre + size / 2)
    return end, float(np.linalg.norm(end - point))


def _boxes(centres: Floats, size: Floats) -> Floats:
    """(n, 4) left, bottom, right, top."""
    return np.concatenate([centres - size / 2, centres + size / 2], axis=1)


def _inside(boxes: Floats, canvas: tuple[float, float, float, float]) -> npt.NDArray[np.bool_]:
    left, bottom, right, top = canvas
    horizontal = (boxes[:, 0] >= left) & (boxes[:, 2] <= right)
    inside: npt.NDArray[np.bool_] = horizontal & (boxes[:, 1] >= bottom) & (boxes[:, 3] <= top)
    return inside


def _overlap(boxes: Floats, taken: Floats) -> npt.NDArray[np.bool_]:
    """(n,) whether each box meets one of those taken."""
    one, other = boxes[:, None, :], taken[None, :, :]
    across = (one[..., 0] < other[..., 2]) & (other[..., 0] < one[..., 2])
    along = (one[..., 1] < other[..., 3]) & (other[..., 1] < one[..., 3])
    return np.asarray((across & along).any(axis=1), np.bool_)
