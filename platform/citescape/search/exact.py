"""Exact nearest neighbours by blocked matrix products, the same bits for any block and threads."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.cores import plain_blas, usable_cores
from citescape.core.errors import ConfigError, invalid_choice
from citescape.search import kernel
from citescape.search.vectors import Floats, Rows, Vectors, slices

BLOCK_BYTES = 200_000_000
"""Memory of the products at a time; selections need a few MB more."""
METRICS = {"cosine": kernel.COSINE, "dot": kernel.DOT, "l2": kernel.L2}
"""Scores: cosine; inner product; Euclidean distance times -1. The larger, the nearer."""
_MOST_ROWS = 1024
ROUNDING = 2.0**-24
"""The relative error of one number in single precision."""
_LENGTHS = (1e-15, 1e15)
"""Lengths between which products neither overflow nor lose digits in single precision."""
_SHOWN = 3
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NeighbourBlock:
    """Neighbours of consecutive queries."""

    first: int
    """Position of the first query."""
    indices: npt.NDArray[np.int32]
    """(b, k) rows of the index, the nearest first."""
    scores: Floats
    """(b, k) descending."""


@dataclass(frozen=True)
class Search:
    """Validated input of a search."""

    index: Vectors
    queries: Vectors
    """Contains the queries."""
    rows: Rows
    """(q,) rows of the queries in `queries`, ascending."""
    k: int
    metric: int
    norms: Doubles
    """(n,) lengths of the vectors of the index."""
    query_norms: Doubles
    """(q,) lengths of the queries."""
    own: Rows
    """(q,) row of each query in the index, -1 if missing."""
    threads: int

    def __len__(self) -> int:
        """Number of queries."""
        return len(self.rows)

    @property
    def names(self) -> pa.StringArray:
        """(q,) ids of the queries."""
        return self.queries.ids.take(pa.array(self.rows))

    def read(self, part: slice) -> Floats:
        """(b, d) some queries; consecutive ones are not copied."""
        rows = self.rows[part]
        if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
            return plain_array(self.queries.values[rows[0] : rows[-1] + 1])
        return plain_array(self.queries.values[rows])

    def among(self, positions: Rows) -> Search:
        """The same search for some of its queries, ascending."""
        norms, own = self.query_norms[positions], self.own[positions]
        return replace(self, rows=self.rows[positions], query_norms=norms, own=own)


def prepare_search(
    index: Vectors,
    queries: Vectors | Rows | None,
    k: int,
    *,
    metric: str,
    threads: int = 0,
    allow_fewer: bool = False,
) -> Search:
    """Validates the input of a search.

    Args:
        index: vectors that are searched.
        queries: vectors; or rows of the index, ascending and each once, which are read block by
            block; None for all of them.
        k: neighbours per query.
        metric: one of `METRICS`.
        threads: 0 for every core this process may use.
        allow_fewer: allow fewer than k neighbours; -1 and -inf fill short lists.

    Raises:
        ConfigError: no such metric, k exceeds the number of papers, dimensions differ, or vectors
            are zero or not finite; the message names their ids.
    """
    if metric not in METRICS:
        raise invalid_choice("metric", metric, METRICS)
    norms = _check_values(index, metric)
    if isinstance(queries, Vectors):
        among, rows = queries, np.arange(len(queries))
        query_norms, own = _check_values(queries, metric), index.rows(queries.ids)
    else:
        among, rows = index, np.arange(len(index)) if queries is None else queries
        query_norms, own = norms[rows], rows
    if len(rows) and among.dimensions != index.dimensions:
        raise ConfigError(
            f"queries have {among.dimensions} numbers a vector, the vectors searched "
            f"{index.dimensions}; encode both with one encoder"
        )
    room = len(index) - bool((own >= 0).any() or not len(rows))
    if room < 1 and not allow_fewer:
        raise ConfigError(f"expected at least two papers with vectors; found {len(index)}")
    if k < 1 or (k > room and not allow_fewer):
        raise ConfigError(
            f"k is {k}; expected 1 to {room}: {len(index)} papers have vectors, and a paper is "
            "not a neighbour of itself"
        )
    return Search(
        *(index, among, rows.astype(np.int64)),
        k=k,
        metric=METRICS[metric],
        norms=norms,
        query_norms=query_norms,
        own=own.astype(np.int64),
        threads=threads or usable_cores(),
    )


def search_blocks(search: Search, *, block_bytes: int = BLOCK_BYTES) -> Iterator[NeighbourBlock]:
    """The exact neighbours of all queries, in blocks that the caller may keep."""
    rows = min(max(block_bytes // (4 * max(len(search.index), 1)), 1), _MOST_ROWS)
    products = np.empty((min(rows, len(search)), len(search.index)), np.float32)
    values, scales = plain_array(search.index.values), _find_scales(search)
    with ThreadPoolExecutor(search.threads) as pool:
        for part in slices(len(search), rows):
            yield _search_block(
                search, part, values, scales, products[: part.stop - part.start], pool
            )


def _search_block(
    search: Search,
    part: slice,
    values: Floats,
    scales: tuple[Floats, Floats, Doubles],
    products: Floats,
    pool: Executor,
) -> NeighbourBlock:
    """The neighbours of a part of the queries; `products` (b, n) is a buffer."""
    queries, shape = search.read(part), (len(products), search.k)
    block = NeighbourBlock(part.start, np.empty(shape, np.int32), np.empty(shape, np.float32))
    scaled = queries
    if search.metric == kernel.COSINE:
        scaled = (queries / search.query_norms[part, None]).astype(np.float32)
    scale, offset, slack = scales
    slack, own = slack[part], search.own[part]

    def multiply(cut: slice) -> None:
        np.matmul(scaled, values[cut].T, out=products[:, cut])

    def rank(cut: slice) -> None:
        kernel.rank(
            products[cut],
            (scale, offset),
            slack[cut],
            own[cut],
            queries[cut],
            values,
            search.norms,
            search.metric,
            block.indices[cut],
            block.scores[cut],
        )

    with plain_blas():
        list(pool.map(multiply, cut_evenly(len(values), search.threads)))
    list(pool.map(rank, cut_evenly(len(queries), search.threads)))
    return block


def search_all(search: Search) -> tuple[npt.NDArray[np.int32], Floats]:
    """(q, k) rows and scores of the exact neighbours of all queries."""
    shape = (len(search), search.k)
    indices, scores = np.empty(shape, np.int32), np.empty(shape, np.float32)
    for block in search_blocks(search):
        inside = slice(block.first, block.first + len(block.indices))
        indices[inside], scores[inside] = block.indices, block.scores
    return indices, scores


def cut_evenly(count: int, parts: int) -> list[slice]:
    """Parts of about the same size."""
    cuts = np.linspace(0, count, parts + 1).astype(np.int64).tolist()
    return [slice(*ends) for ends in pairwise(cuts)]


def plain_array(values: Floats) -> Floats:
    """The same numbers in a form that numba compiles for: no memory map, read-only."""
    plain = np.asarray(values, np.float32).view(np.ndarray)
    plain = np.ascontiguousarray(plain)[:]
    plain.flags.writeable = False
    return plain


def scale_vectors(values: Floats, norms: Doubles, metric: int) -> Floats:
    """(b, d) vectors with lengths (b,), scaled to length 1 for the cosine; zeros stay zeros."""
    values = np.ascontiguousarray(values, np.float32)
    if metric != kernel.COSINE:
        return values
    lengths = np.where(norms > 0, norms, 1).astype(np.float32)
    return np.divide(values, lengths[:, None], dtype=np.float32)


def _find_scales(search: Search) -> tuple[Floats, Floats, Doubles]:
    """(n,) scale, (n,) offset, (q,) slack of rough scores.

    A rough score is product * scale + offset; its error is at most half the slack.
    """
    norms, longest = search.norms, float(search.norms.max(initial=0.0))
    error = (search.index.dimensions + 16) * ROUNDING
    ones, zeros = np.ones(len(norms), np.float32), np.zeros(len(norms), np.float32)
    if search.metric == kernel.COSINE:
        return (1 / norms).astype(np.float32), zeros, np.full(len(search), 2 * error)
    if search.metric == kernel.DOT:
        return ones, zeros, 2 * error * search.query_norms * longest
    # -|q - x|^2 + |q|^2 = 2 q x - |x|^2
    slack = 4 * error * (search.query_norms + longest) ** 2
    return 2 * ones, (-(norms**2)).astype(np.float32), slack


def _check_values(vectors: Vectors, metric: str) -> Doubles:
    """(n,) lengths of the vectors, after validation."""
    norms = kernel.lengths(plain_array(vectors.values))
    shortest, longest = _LENGTHS
    _refuse(vectors, ~np.isfinite(norms), "hold numbers that are not finite")
    _refuse(vectors, norms > longest, f"are longer than {longest:g}")
    if metric == "cosine":
        _refuse(vectors, norms == 0, "are zero and have no cosine")
        _refuse(vectors, norms < shortest, f"are shorter than {shortest:g}")
    return norms


def _refuse(vectors: Vectors, bad: npt.NDArray[np.bool_], problem: str) -> None:
    rows = np.flatnonzero(bad)
    if len(rows):
        some = ", ".join(vectors.ids.take(pa.array(rows[:_SHOWN])).to_pylist())
        more = ", ..." if len(rows) > _SHOWN else ""
        raise ConfigError(
            f"vectors of {len(rows)} of {len(vectors)} papers {problem}: {some}{more}; encode them "
            "again, or leave these papers out"
        )
