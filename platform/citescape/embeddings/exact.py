"""Exact nearest neighbours by blocked matrix products, the same bits for any block and threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.embeddings import kernel
from citescape.embeddings.vectors import Floats, Vectors
from citescape.errors import ConfigError, invalid_choice

BLOCK_BYTES = 200_000_000
"""Products held at one time; what is selected from them comes on top, a few MB."""
METRICS = {"cosine": kernel.COSINE, "dot": kernel.DOT, "l2": kernel.L2}
"""Scores: cosine; inner product; Euclidean distance times -1. The larger, the nearer."""
_MOST_ROWS = 1024
_ROUNDING = 2.0**-24
_LENGTHS = (1e-15, 1e15)
"""Within these no product of two vectors overflows or loses digits in single precision."""
_SHOWN = 3
Doubles = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


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
    k: int
    metric: int
    norms: Doubles
    """(n,) lengths of the vectors of the index."""
    query_norms: Doubles
    """(q,) lengths of the queries."""
    own: Rows
    """(q,) row of each query's paper in the index, -1 if it is not there."""
    threads: int

    def among(self, positions: npt.NDArray[np.int64]) -> Search:
        """The same search for some of its queries, ascending."""
        papers = self.queries.papers.take(pa.array(positions))
        part = Vectors(papers, np.asarray(self.queries.values)[positions])
        norms, own = self.query_norms[positions], self.own[positions]
        return Search(
            self.index, part, self.k, self.metric, self.norms, norms, own, threads=self.threads
        )


def prepare_search(
    index: Vectors, queries: Vectors | None, k: int, *, metric: str, threads: int = 0
) -> Search:
    """Checks what a search is given.

    Args:
        index: what is searched.
        queries: whose neighbours; None for all papers of the index.
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
    query_norms = norms if queries is None else _check_values(queries, metric)
    queries = index if queries is None else queries
    if len(queries) and queries.dimensions != index.dimensions:
        raise ConfigError(
            f"queries have {queries.dimensions} numbers a vector, the vectors searched "
            f"{index.dimensions}; encode both with one encoder"
        )
    own = index.rows(queries.ids)
    room = len(index) - bool((own >= 0).any() or not len(queries))
    if room < 1:
        raise ConfigError(f"expected at least two papers with vectors; found {len(index)}")
    if not 1 <= k <= room:
        raise ConfigError(
            f"k is {k}; expected 1 to {room}: {len(index)} papers have vectors, and a paper is no "
            "neighbour of itself"
        )
    cores = threads or _usable_cores()
    return Search(index, queries, k, METRICS[metric], norms, query_norms, own, threads=cores)


def search_blocks(search: Search, *, block_bytes: int = BLOCK_BYTES) -> Iterator[NeighbourBlock]:
    """The exact neighbours of all queries, block by block; each block is the caller's."""
    rows = min(max(block_bytes // (4 * max(len(search.index), 1)), 1), _MOST_ROWS)
    products = np.empty((min(rows, len(search.queries)), len(search.index)), np.float32)
    values, scaled = plain_array(search.index.values), _Scales(search)
    with ThreadPoolExecutor(search.threads) as pool:
        for first in range(0, len(search.queries), rows):
            queries = plain_array(search.queries.values[first : first + rows])
            found = products[: len(queries)]
            np.matmul(scaled.queries(queries, first), values.T, out=found)
            block = NeighbourBlock(
                first,
                np.empty((len(queries), search.k), np.int32),
                np.empty((len(queries), search.k), np.float32),
            )
            rank = partial(_rank, (search, scaled, values), found, block)
            cuts = np.linspace(0, len(queries), search.threads + 1).astype(int)
            list(pool.map(rank, cuts[:-1], cuts[1:]))
            yield block


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
        error = (dimensions + 16) * _ROUNDING
        ones, zeros = np.ones(len(norms), np.float32), np.zeros(len(norms), np.float32)
        self._by = search.query_norms if search.metric == kernel.COSINE else None
        if search.metric == kernel.COSINE:
            self.scale, self.offset = (1 / norms).astype(np.float32), zeros
            self.slack = np.full(len(search.queries), 2 * error)
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
    of: tuple[Search, _Scales, Floats], products: Floats, block: NeighbourBlock, *cut: Any
) -> None:
    """Selects for queries cut[0] to cut[1] of a block."""
    search, scaled, values = of
    inside = slice(*cut)
    whole = slice(block.first + cut[0], block.first + cut[1])
    kernel.rank(
        products[inside],
        scaled.scale,
        scaled.offset,
        scaled.slack[whole],
        search.own[whole],
        plain_array(search.queries.values[whole]),
        values,
        search.norms,
        search.metric,
        block.indices[inside],
        block.scores[inside],
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


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
