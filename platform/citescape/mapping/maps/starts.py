"""Initial positions of points, classical scaling, and rotation of maps."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from citescape.networks.network import Floats
from citescape.search.vectors import Rows, Vectors, scale_to_units, slices

_SAMPLE = 20_000
"""Maximum number of vectors from which the principal components are computed."""
_ROWS = 4096
"""Number of vectors scaled at once."""
_SIDE = 10.0
_DIGITS = 4
"""Digits of initial positions: the last bits depend on the threads of BLAS, and would change the
final positions."""
_NOISE = 1e-3
"""Standard deviation of the noise that separates equal points."""
_COLUMNS, _ROUNDS, _EVERY = 8, 80, 5
"""Subspace iteration: number of columns, rounds, and rounds between orthonormalisations."""
_OUTLIERS = 0.001
"""Share of positions at each end of an axis that are moved to the end of the others."""


def start_from_vectors(vectors: Vectors, *, seed: int = 0) -> Floats:
    """Computes the first two principal components (n, 2) of vectors scaled to length 1.

    No vector may be zero. The axes are those of a random sample of at most 20,000 vectors; random
    noise separates equal vectors.
    """
    chance = np.random.default_rng(seed)
    sample = np.sort(chance.permutation(len(vectors))[:_SAMPLE])
    middle = np.zeros(vectors.dimensions)
    for part in slices(len(sample), _ROWS):
        middle += _units(vectors, sample[part]).sum(axis=0) / len(sample)
    spread = np.zeros((vectors.dimensions, vectors.dimensions))
    for part in slices(len(sample), _ROWS):
        centred = _units(vectors, sample[part]) - middle
        spread += centred.T @ centred
    axes = np.linalg.eigh(spread)[1][:, ::-1][:, :2]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    positions = np.zeros((len(vectors), 2))
    for part in slices(len(vectors), _ROWS):
        positions[part, : axes.shape[1]] = (_units(vectors, part) - middle) @ axes
    return _settle(positions, chance)


def _units(vectors: Vectors, rows: slice | Rows) -> Floats:
    """Vectors scaled to length 1, in double precision."""
    return scale_to_units(np.ascontiguousarray(vectors.values[rows])).astype(np.float64)


def start_from_graph(memberships: csr_array, *, seed: int = 0) -> Floats:
    """Computes positions (n, 2) from the slowest modes of a graph.

    These are the second and third eigenvector of (D + t)^-1/2 A (D + t)^-1/2, with A the
    memberships, D their sums by point and t the mean of D (Amini et al. 2013); t keeps small
    components from dominating the axes. Computed by subspace iteration with a fixed number of
    rounds.

    `memberships` (n, n) are symmetric.
    """
    chance = np.random.default_rng(seed)
    sums = np.asarray(memberships.sum(axis=1), np.float64).ravel()
    roots = np.sqrt(sums + sums.mean())
    inverse = diags_array(1 / roots)
    scaled = csr_array(inverse @ memberships @ inverse)
    first = (roots / np.linalg.norm(roots))[:, None]
    modes = chance.normal(size=(len(sums), min(_COLUMNS, len(sums))))
    for turn in range(_ROUNDS):
        modes -= first @ (first.T @ modes)
        modes = (scaled @ modes + modes) / 2  # shift to eigenvalues above 0
        if turn % _EVERY == _EVERY - 1:
            modes = np.linalg.qr(modes)[0]
    values, turned = np.linalg.eigh(modes.T @ (scaled @ modes))
    two = (modes @ turned[:, np.argsort(-values)[:2]]) / roots[:, None]
    signs = np.sign(two[np.abs(two).argmax(axis=0), np.arange(2)])
    return _settle(two * signs, chance)


def scale_classically(distances: Floats) -> Floats:
    """Computes positions (n, 2) whose distances approximate the given distances (Torgerson 1952).

    `distances` (n, n) are symmetric, 0 on the diagonal; n is small.
    """
    size = len(distances)
    centred = np.eye(size) - 1 / size
    values, vectors = np.linalg.eigh(-centred @ (distances**2) @ centred / 2)
    positions = np.zeros((size, 2))
    for axis, column in enumerate(np.argsort(-values)[: min(2, size)]):
        mode = vectors[:, column] * np.sqrt(max(values[column], 0.0))
        positions[:, axis] = mode * (np.sign(mode[np.abs(mode).argmax()]) or 1.0)
    return positions


def turn_flat(positions: Floats) -> Floats:
    """Rotates positions (n, 2) about their mean so that the horizontal variance is largest.

    The longer tail points right and up, so that maps are not mirrored.
    """
    centred = positions - positions.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1][:, ::-1]
    turned = centred @ axes
    skew = np.sign(np.round((turned**3).sum(axis=0), _DIGITS))
    flat: Floats = turned * np.where(skew == 0, 1.0, skew)
    return flat


def turn_like(positions: Floats, model: Floats) -> Floats:
    """Rotates or reflects positions (n, 2) about their mean to match a model.

    R = U V' is the rotation or reflection with the least ||P R - M|| (Schönemann 1966), where P and
    M are the centred positions and model, and U S V' is the singular value decomposition of P' M.

    `positions` (n, 2) and `model` (n, 2) are NaN for points without a place.
    """
    both = np.isfinite(positions[:, 0]) & np.isfinite(model[:, 0])
    if not both.any():
        return positions
    own, other = (places - places[both].mean(axis=0) for places in (positions, model))
    left, _, right = np.linalg.svd(own[both].T @ other[both])
    turned: Floats = own @ (left @ right)
    return turned


def _settle(positions: Floats, chance: np.random.Generator) -> Floats:
    """Clips outliers, scales each side to 10, rounds, and separates equal points."""
    low, high = np.quantile(positions, [_OUTLIERS, 1 - _OUTLIERS], axis=0)
    extent = np.where(high > low, high - low, 1.0)
    inside = _SIDE * (np.clip(positions, low, high) - low) / extent
    settled: Floats = np.round(inside, _DIGITS) + chance.normal(scale=_NOISE, size=inside.shape)
    return settled
