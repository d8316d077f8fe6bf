"""Exact nearest neighbours by blocked matrix products, the same bits for any block and threads."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.cores import plain_blas, usable_cores
from citescape.core.errors import ConfigError, invalid_choice
from citescape.search import kernel, selection
from citescape.search.vectors import Floats, Rows, Vectors, slices

BLOCK_BYTES = 200_000_000
"""Products held at one time; what is selected from them comes on top, a few MB."""
METRICS = {"cosine": kernel.COSINE, "dot": kernel.DOT, "l2": kernel.L2}
"""Scores: cosine; inner product; Euclidean distance times -1. The larger, the nearer."""
_MOST_ROWS = 1024
ROUNDING = 2.0**-24
"""The relative error of one number in single precision."""
_LENGTHS = (1e-15, 1e15)
"""Within these no product of two vectors overflows or loses digits in single precision."""
_SHOWN = 3
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NeighbourBlock:
    """Neighbours of some queries that follow each other."""

    first: int
    """Position of the first query."""
    indices: npt.NDArray[np.int32]
    """(b, k) rows of the index, the nearest first."""
    scores: Floats
    """(b, k) descending."""


@dataclass(frozen=True)
class Search:
    """What is searched, for what, and how; checked."""

    index: Vectors
    queries: Vectors
    """Among which the queries are."""
    rows: Rows
    """(q,) ascending: where in `queries` they are."""
    k: int
    metric: int
    norms: Doubles
    """(n,) lengths of the vectors of the index."""
    query_norms: Doubles
    """(q,) lengths of the queries."""
    own: Rows
    """(q,) row of each query's paper in the index, -1 if it is not there."""
    threads: int

    def __len__(self) -> int:
        """Queries."""
        return len(self.rows)

    @property
    def names(self) -> pa.StringArray:
        """(q,) ids of the queries."""
        return self.queries.ids.take(pa.array(self.rows))

    def read(self, part: slice) -> Floats:
        """(b, d) some queries; those that follow each other are not copied."""
        rows = self.rows[part]
        if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
            return plain_array(self.queries.values[rows[0] : rows[-1] + 1])
        return plain_array(self.queries.values[rows])

    def among(self, positions: Rows) -> Search:
        """The same search for some of its queries, ascending."""
        norms, own = self.query_norms[positions], self.own[positions]
        return replace(self, rows=self.rows[positions], query_norms=norms, own=own)


def prepare_search(
    index: Vectors, queries: Vectors | Rows | None, k: int, *, metric: str, threads: int = 0
) -> Search:
    """Checks what a search is given.

    Args:
        index: what is searched.
        queries: whose neighbours; rows of the index, ascending and each once, are read block by
            block; None for all of them.
        k: neighbours a paper.
        metric: one of `METRICS`.
        threads: 0 for every core this process may use.

    Raises:
        ConfigError: no such metric, k is not within the papers there are, vectors of other
            dimensions, or vectors that have no direction or are no numbers; their ids are named.
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
    _check_room(index, k, itself=bool((own >= 0).any() or not len(rows)))
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
    """The exact neighbours of all queries, block by block; each block is the caller's."""
    rows = min(max(block_bytes // (4 * max(len(search.index), 1)), 1), _MOST_ROWS)
    products = np.empty((min(rows, len(search)), len(search.index)), np.float32)
    values, scaled = plain_array(search.index.values), _Scales(search)
    with ThreadPoolExecutor(search.threads) as pool:
        for part in slices(len(search), rows):
            queries, first = search.read(part), part.start
            found, asked = products[: len(queries)], scaled.queries(queries, first)
            multiply = partial(_multiply, asked, values, found)
            with plain_blas():
                list(pool.map(multiply, *_cut(len(values), search.threads)))
            block = NeighbourBlock(
                first,
                np.empty((len(queries), search.k), np.int32),
                np.empty((len(queries), search.k), np.float32),
            )
            rank = partial(_rank, (search, scaled, values), (queries, found), block)
            list(pool.map(rank, *_cut(len(queries), search.threads)))
            yield block


def _cut(count: int, parts: int) -> tuple[Rows, Rows]:
    """Where parts of about the same size begin and end."""
    cuts = np.linspace(0, count, parts + 1).astype(np.int64)
    return cuts[:-1], cuts[1:]


def _multiply(queries: Floats, values: Floats, found: Floats, *cut: Any) -> None:
    np.matmul(queries, values[slice(*cut)].T, out=found[:, slice(*cut)])


def plain_array(values: Floats) -> Floats:
    """The same numbers as what numba knows: no memory map, read-only."""
    plain = np.asarray(values, np.float32).view(np.ndarray)
    plain = np.ascontiguousarray(plain)[:]
    plain.flags.writeable = False
    return plain


class _Scales:
    """Rough score of a query and a row: product * scale + offset, wrong by half the slack."""

    def __init__(self, search: Search) -> None:
        norms, dimensions = search.norms, search.index.dimensions
        longest = float(norms.max(initial=0.0))
        error = (dimensions + 16) * ROUNDING
        ones, zeros = np.ones(len(norms), np.float32), np.zeros(len(norms), np.float32)
        self._by = search.query_norms if search.metric == kernel.COSINE else None
        if search.metric == kernel.COSINE:
            self.scale, self.offset = (1 / norms).astype(np.float32), zeros
            self.slack = np.full(len(search), 2 * error)
        elif search.metric == kernel.DOT:
            self.scale, self.offset = ones, zeros
            self.slack = 2 * error * search.query_norms * longest
        else:  # -|q - x|^2 + |q|^2 = 2 q x - |x|^2
            self.scale, self.offset = 2 * ones, (-(norms**2)).astype(np.float32)
            self.slack = 4 * error * (search.query_norms + longest) ** 2

    def queries(self, queries: Floats, first: int) -> Floats:
        """(b, d) as they are multiplied: of length 1 for the cosine."""
        if self._by is None:
            return queries
        lengths = self._by[first : first + len(queries), None]
        scaled: Floats = (queries / lengths).astype(np.float32)
        return scaled


def _rank(
    of: tuple[Search, _Scales, Floats],
    found: tuple[Floats, Floats],
    block: NeighbourBlock,
    *cut: Any,
) -> None:
    """Selects for queries cut[0] to cut[1] of a block: `found` are its queries and products."""
    (search, scaled, values), (queries, products) = of, found
    inside = slice(*cut)
    whole = slice(block.first + cut[0], block.first + cut[1])
    selection.rank(
        products[inside],
        (scaled.scale, scaled.offset),
        scaled.slack[whole],
        search.own[whole],
        queries[inside],
        values,
        search.norms,
        search.metric,
        block.indices[inside],
        block.scores[inside],
    )


def _check_room(index: Vectors, k: int, *, itself: bool) -> None:
    """Whether there are k others; `itself`: one of the index is a query, and is none of them."""
    room = len(index) - itself
    if room < 1:
        raise ConfigError(f"expected at least two papers with vectors; found {len(index)}")
    if not 1 <= k <= room:
        raise ConfigError(
            f"k is {k}; expected 1 to {room}: {len(index)} papers have vectors, and a paper is no "
            "neighbour of itself"
        )


def _check_values(vectors: Vectors, metric: str) -> Doubles:
    """(n,) lengths of the vectors, after checking that each can be searched."""
    norms = kernel.lengths(plain_array(vectors.values))
    shortest, longest = _LENGTHS
    _refuse(vectors, ~np.isfinite(norms), "hold what is no finite number")
    _refuse(vectors, norms > longest, f"are longer than {longest:g}")
    if metric == "cosine":
        _refuse(vectors, norms == 0, "are zero, and so have no cosine")
        _refuse(vectors, norms < shortest, f"are shorter than {shortest:g}")
    return norms


def _refuse(vectors: Vectors, bad: npt.NDArray[np.bool_], what: str) -> None:
    rows = np.flatnonzero(bad)
    if len(rows):
        some = ", ".join(vectors.ids.take(pa.array(rows[:_SHOWN])).to_pylist())
        more = ", ..." if len(rows) > _SHOWN else ""
        raise ConfigError(
            f"vectors of {len(rows)} of {len(vectors)} papers {what}: {some}{more}; encode them "
            "again, or leave these papers out"
        )
