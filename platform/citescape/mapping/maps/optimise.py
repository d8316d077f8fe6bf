"""The layout of UMAP: moves points so that points with high memberships are placed together.

Stochastic descent as in umap-learn (McInnes, Healy and Melville 2018, section 3.2), with two
differences, for speed: forces come from a table by distance, and random points from a counter, so
that edges have no state.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.optimize import curve_fit
from scipy.sparse import csr_array

from citescape.core.compiled import compiled
from citescape.core.draws import mix
from citescape.core.progress import Progress, silent
from citescape.networks.network import Floats

_PER_UNIT = 200.0
"""Entries of the table of forces per unit of the map."""
_MAX_DISTANCE = 80.0
"""Maximum distance in the table, in units; forces beyond are negligible."""
_MAX_MOVE = 4.0
"""Maximum move by a force, in units."""
_NEGATIVES = 5
"""Number of random points that push after each pull."""
_SIDE = 10.0
"""Side of the initial positions, in units."""
_PARTS = 10
"""Number of reports of progress."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FACTOR, _ADDEND = np.uint64(6364136223846793005), np.uint64(1442695040888963407)  # Knuth's MMIX
_HALF = np.uint64(32)
Singles = npt.NDArray[np.float32]


@dataclass(frozen=True)
class MembershipCurve:
    """Membership of two points at distance d on the map: 1 / (1 + a d^(2b))."""

    a: float
    b: float


@cache
def fit_curve(min_dist: float) -> MembershipCurve:
    """Fits the curve to 1 up to `min_dist` and exp(min_dist - d) beyond, for d from 0 to 3."""
    distances = np.linspace(0.0, 3.0, 300)
    target = np.where(distances < min_dist, 1.0, np.exp(min_dist - distances))
    (a, b), _ = curve_fit(lambda d, a, b: 1.0 / (1.0 + a * d ** (2 * b)), distances, target)
    return MembershipCurve(float(a), float(b))


def optimise(
    memberships: csr_array,
    start: Floats,
    *,
    curve: MembershipCurve,
    epochs: int,
    seed: int = 0,
    progress: Progress = silent,
) -> Floats:
    """Minimises the cross entropy of positions (n, 2) to memberships, from a start.

    An edge pulls its ends together in a share of the epochs: its membership over the largest. After
    each pull five random points push one end away. The step size falls from 1 to 0. The
    computation has one thread: the same start and seed give the same positions.

    Args:
        memberships: (n, n) of `fuzzy.join_nearest`; a point without edges does not move.
        start: (n, 2) distinct positions; each side is scaled to 10.
        curve: result of `fit_curve`.
        epochs: number of epochs, 1 or more.
        seed: random seed of the pushing points.
        progress: receives the number of epochs done.
    """
    edges = csr_array(memberships, copy=True)
    edges.data[edges.data < edges.data.max(initial=0.0) / epochs] = 0.0  # edges that never pull
    edges.eliminate_zeros()
    rates = edges.data / edges.data.max(initial=1.0)
    indptr, indices = edges.indptr.astype(np.int64), edges.indices.astype(np.int32)
    low, extent = start.min(axis=0), np.ptp(start, axis=0)
    scaled = _SIDE * (start - low) / np.where(extent > 0, extent, 1.0)
    positions = np.ascontiguousarray(scaled, np.float32)
    for part in range(_PARTS):
        first, last = part * epochs // _PARTS, (part + 1) * epochs // _PARTS
        progress(f"placing {len(start):,} points: epoch {first} of {epochs}")
        _run((indptr, indices, rates), positions, _forces(curve), (first, last, epochs), seed)
    return positions.astype(np.float64)


def _forces(curve: MembershipCurve) -> Singles:
    """(distances, 2) pull and push over distance, at the middle of each step."""
    a, b = curve.a, curve.b
    d = (np.arange(int(_MAX_DISTANCE * _PER_UNIT)) + 0.5) / _PER_UNIT
    pull = 2 * a * b * d ** (2 * b - 1) / (1 + a * d ** (2 * b))
    push = 2 * b * d / ((0.001 + d**2) * (1 + a * d ** (2 * b)))
    both = np.minimum(np.stack([pull, push], axis=1), _MAX_MOVE) / d[:, None]
    return np.ascontiguousarray(both, np.float32)


@compiled
def _run(
    edges: tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Floats],
    positions: Singles,
    forces: Singles,
    span: tuple[int, int, int],
    seed: int,
) -> None:
    """Runs epochs span[0] to span[1] - 1 of span[2], in place."""
    indptr, indices, rates = edges
    size, last = len(positions), len(forces) - 1
    for epoch in range(span[0], span[1]):
        step = np.float32(1.0 - epoch / span[2])
        for point in range(size):
            x, y = positions[point, 0], positions[point, 1]
            state = mix(mix(np.uint64(seed) + _GOLDEN * np.uint64(epoch + 1)) + np.uint64(point))
            for edge in range(indptr[point], indptr[point + 1]):
                if np.floor((epoch + 1) * rates[edge]) <= np.floor(epoch * rates[edge]):
                    continue
                other = indices[edge]
                dx, dy = x - positions[other, 0], y - positions[other, 1]
                at = min(int(np.sqrt(dx * dx + dy * dy) * np.float32(_PER_UNIT)), last)
                pull = step * forces[at, 0]
                x, y = x - pull * dx, y - pull * dy
                positions[other, 0] += pull * dx
                positions[other, 1] += pull * dy
                for _ in range(_NEGATIVES):
                    state = state * _FACTOR + _ADDEND
                    other = np.int64(((state >> _HALF) * np.uint64(size)) >> _HALF)
                    if other == point:
                        continue
                    dx, dy = x - positions[other, 0], y - positions[other, 1]
                    at = min(int(np.sqrt(dx * dx + dy * dy) * np.float32(_PER_UNIT)), last)
                    push = step * forces[at, 1]
                    x, y = x + push * dx, y + push * dy
            positions[point, 0], positions[point, 1] = x, y
