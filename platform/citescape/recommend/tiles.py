"""Cosines that are bitwise equal for any blocks and threads, from vectors in tiles.

A matrix product of a library differs in its last digits with the shape of its blocks and the number
of threads. In a tile, one dimension of many papers is contiguous, so that many papers are
multiplied at a time while the sum of each pair has a fixed order: four dimensions at a time, from
the first to the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled

TILE = 256
"""Papers per tile; ranges of papers begin and end between tiles."""
_STEP = 4
"""Dimensions that are added at a time."""
Floats = npt.NDArray[np.float32]


class VectorSource(Protocol):
    """(n, d) in memory, on disk, or composed of others; zeros for papers without a vector."""

    @property
    def shape(self) -> tuple[int, ...]:
        """n, d."""
        ...

    def __getitem__(self, rows: Any, /) -> Any:
        """Some vectors, by a slice or by rows."""
        ...


@dataclass(frozen=True, eq=False)
class MixedVectors:
    """Vectors of two sources."""

    first: VectorSource
    second: VectorSource
    from_second: npt.NDArray[np.bool_]
    """(n,) whether a vector is from `second`."""

    @property
    def shape(self) -> tuple[int, ...]:
        """n, d."""
        return self.first.shape

    def __getitem__(self, rows: Any, /) -> Any:
        """Some vectors, by a slice or by rows."""
        return np.where(self.from_second[rows, None], self.second[rows], self.first[rows])


def lay_out(vectors: VectorSource, *, threads: int = 0) -> Floats:
    """(tiles, d, 256) from (n, d) vectors, scaled to length 1 and padded with zeros."""
    size, dimensions = vectors.shape
    width = -(-dimensions // _STEP) * _STEP
    tiles = np.zeros((-(-size // TILE), width, TILE), np.float32)

    def work(tile: int) -> None:
        part = scale(vectors[tile * TILE : (tile + 1) * TILE])
        tiles[tile, :dimensions, : len(part)] = part.T

    for _ in run_blocks(work, range(len(tiles)), threads=threads):
        pass
    return tiles


def multiply(queries: Floats, tiles: Floats) -> Floats:
    """(b, papers of the tiles) cosines of queries (b, d) of any length and tiles (t, d, 256)."""
    units = np.zeros((len(queries) + len(queries) % 2, tiles.shape[1]), np.float32)
    units[: len(queries), : queries.shape[1]] = scale(queries)
    cosines = np.zeros((len(units), len(tiles) * TILE), np.float32)
    _multiply(units, tiles, cosines)
    return cosines[: len(queries)]


def scale(vectors: Floats) -> Floats:
    """(n, d) each row divided by its length; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = np.zeros(vectors.shape, np.float32)
    np.divide(vectors, lengths, out=units, where=lengths > 0)
    return units


@compiled
def _multiply(queries: Floats, tiles: Floats, products: Floats) -> None:
    """Adds to (b, papers) the products; two queries, b is even, share the reading of a tile."""
    for tile in range(len(tiles)):
        papers, part = slice(tile * TILE, (tile + 1) * TILE), tiles[tile]
        for query in range(0, len(queries), 2):
            first, second = queries[query], queries[query + 1]
            sums, more = products[query, papers], products[query + 1, papers]
            for k in range(0, len(first), _STEP):
                a, b, c, d = part[k], part[k + 1], part[k + 2], part[k + 3]
                p, q, r, s = first[k], first[k + 1], first[k + 2], first[k + 3]
                t, u, v, w = second[k], second[k + 1], second[k + 2], second[k + 3]
                for at in range(TILE):
                    sums[at] += (p * a[at] + q * b[at]) + (r * c[at] + s * d[at])
                    more[at] += (t * a[at] + u * b[at]) + (v * c[at] + w * d[at])
