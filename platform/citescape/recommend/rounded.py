"""Vectors in eight bits, for upper bounds of scores that exclude most papers.

Reading memory limits the speed of a single query: a quarter of the bytes takes a third of the time.
The rounding error of a vector bounds that of a product (Cauchy-Schwarz):
|q . p - q . p'| <= |q| |p - p'|. Exact scores of the papers whose bounds are high enough give the
same result as exact scores of all papers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled
from citescape.recommend.tiles import TILE, Floats, VectorSource, scale

_STEP = 8
"""Dimensions that are added at a time."""
_LIMIT = 127
"""Largest integer of eight bits."""
_TOLERANCE = 1.00001
"""Maximum length of a unit vector in single precision."""
Bytes = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class QuantizedVectors:
    """Vectors of length 1, each as integer multiples of its own unit."""

    tiles: Bytes
    """(n / 256, d, 256), d rounded up to a multiple of 8."""
    units: Floats
    """(n,) units of the multiples in the tiles."""
    errors: Floats
    """(n,) maximum error of a product with a vector of length 1."""

    @classmethod
    def from_vectors(cls, vectors: VectorSource) -> QuantizedVectors:
        """(n, d) vectors of any length; zeros stay zeros."""
        size, dimensions = vectors.shape
        count, width = -(-size // TILE), -(-dimensions // _STEP) * _STEP
        tiles = np.zeros((count, width, TILE), np.int8)
        units, errors = np.zeros((2, count * TILE), np.float32)

        def work(tile: int) -> None:
            rows = slice(tile * TILE, (tile + 1) * TILE)
            part = scale(vectors[rows])
            filled = slice(rows.start, rows.start + len(part))
            rounded, units[filled], errors[filled] = _round(part)
            tiles[tile, :dimensions, : len(part)] = rounded.T

        for _ in run_blocks(work, range(count)):
            pass
        return cls(tiles, units, errors)

    def bound(self, queries: Floats, papers: slice) -> Floats:
        """(b, r) upper bounds of `tiles.multiply` for a range of papers between tiles."""
        wide = np.zeros((len(queries), self.tiles.shape[1]), np.float32)
        wide[:, : queries.shape[1]] = scale(queries)
        tiles = slice(papers.start // TILE, -(-papers.stop // TILE))
        rows = slice(tiles.start * TILE, tiles.stop * TILE)
        bounds = np.zeros((len(queries), max(rows.stop - rows.start, 0)), np.float32)
        _bound(wide, self.tiles[tiles], self.units[rows], self.errors[rows], bounds)
        return bounds[:, : papers.stop - papers.start]


def _round(vectors: Floats) -> tuple[Bytes, Floats, Floats]:
    """(r, d) multiples, (r,) units, (r,) errors of vectors of length 1 or 0.

    An error is that of rounding, plus that of single precision here and in `tiles.multiply`: each
    of d + 16 sums and products at most 2^-23 for vectors of at most length 2.
    """
    units = np.abs(vectors).max(axis=1, initial=0) / np.float32(_LIMIT)
    shares = np.zeros(vectors.shape, np.float32)
    np.divide(vectors, units[:, None], out=shares, where=units[:, None] > 0)
    rounded = np.rint(np.clip(shares, -_LIMIT, _LIMIT)).astype(np.int8)
    rest = vectors.astype(np.float64) - rounded * units[:, None].astype(np.float64)
    errors = _TOLERANCE * np.linalg.norm(rest, axis=1) + (vectors.shape[1] + 16) * 2.0**-23
    return rounded, units, np.nextafter(errors.astype(np.float32), np.float32(np.inf))


@compiled
def _bound(queries: Floats, tiles: Bytes, units: Floats, errors: Floats, bounds: Floats) -> None:
    for tile in range(len(tiles)):
        papers, part = slice(tile * TILE, (tile + 1) * TILE), tiles[tile]
        unit, error = units[papers], errors[papers]
        for query in range(len(queries)):
            sums, vector = bounds[query, papers], queries[query]
            for k in range(0, len(vector), _STEP):
                a, b, c, d = part[k], part[k + 1], part[k + 2], part[k + 3]
                e, f, g, h = part[k + 4], part[k + 5], part[k + 6], part[k + 7]
                p, q, r, s = vector[k], vector[k + 1], vector[k + 2], vector[k + 3]
                t, u, v, w = vector[k + 4], vector[k + 5], vector[k + 6], vector[k + 7]
                for at in range(TILE):
                    sums[at] += (
                        (p * np.float32(a[at]) + q * np.float32(b[at]))
                        + (r * np.float32(c[at]) + s * np.float32(d[at]))
                    ) + (
                        (t * np.float32(e[at]) + u * np.float32(f[at]))
                        + (v * np.float32(g[at]) + w * np.float32(h[at]))
                    )
            for at in range(TILE):
                sums[at] = sums[at] * unit[at] + error[at]
