"""Nearest papers by their vectors, exact or approximate.

A paper is removed from its own neighbours by its id: another paper with the same vector is kept.
Neighbours are ordered by score, descending, then by id, ascending.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError, invalid_choice
from citescape.search.approximate import INDEXES, search_approximately
from citescape.search.exact import (
    BLOCK_BYTES,
    NeighbourBlock,
    prepare_search,
    search_all,
    search_blocks,
)
from citescape.search.vectors import Floats, Rows, Vectors

METHODS = ("auto", "exact", *INDEXES)
EXACT_UP_TO = 150_000
"""Papers to which `auto` searches exactly: 120,000 take two minutes of two cores, for k = 20 and
768 numbers (docs/benchmarks.md), and the time grows with their square."""
RECALL = 0.95


@dataclass(frozen=True)
class Neighbours:
    """The k nearest papers of each query."""

    ids: pa.StringArray
    """(n,) papers that were searched; `indices` are positions in it."""
    queries: pa.StringArray
    """(q,) ids of the queries, ascending."""
    indices: npt.NDArray[np.int32]
    """(q, k) the nearest first; never the query itself."""
    scores: Floats
    """(q, k) descending: cosine, inner product, or Euclidean distance times -1."""
    method: str
    """`exact`, `ivf` or `hnsw`."""
    recall: float = 1.0
    """Share of the exact neighbours that were found, measured on a sample of queries."""
    effort: int = 0
    """Lists searched (`ivf`) or candidates kept (`hnsw`) to reach that recall."""
    warning: str = ""
    """Warning if the greatest effort did not reach the required recall."""


def find_neighbours(
    vectors: Vectors,
    k: int,
    *,
    method: str = "auto",
    metric: str = "cosine",
    queries: Vectors | Rows | None = None,
    recall: float = RECALL,
    threads: int = 0,
    seed: int = 0,
) -> Neighbours:
    """The k nearest papers of every query.

    Args:
        vectors: vectors of the papers searched.
        k: neighbours per paper; all (q, k) are in memory, see `iter_neighbours` for wide ones.
        method: `exact`; `ivf` (lists of near vectors, on GPUs those of FAISS) or `hnsw` of FAISS,
            with the effort that reaches `recall`; `auto`: `exact` up to 150,000 papers, else `ivf`.
        metric: `cosine`, `dot` (inner product) or `l2` (Euclidean distance).
        queries: other vectors, or rows of `vectors`, ascending and each once; None for all.
        recall: minimum share of exact neighbours in a sample, for `ivf` and `hnsw`.
        threads: 0 for every core this process may use; exact results do not depend on it.
        seed: random seed of the sample and of the index.

    Raises:
        ConfigError: see `exact.prepare_search`; no such method; FAISS is not installed, for `hnsw`.
    """
    if method not in METHODS:
        raise invalid_choice("method", method, METHODS)
    if not 0 < recall <= 1:
        raise ConfigError(f"recall is {recall}; expected more than 0 and at most 1")
    search = prepare_search(vectors, queries, k, metric=metric, threads=threads)
    if method == "auto":
        method = "exact" if len(vectors) <= EXACT_UP_TO else "ivf"
    names = (vectors.ids, search.names)
    if method == "exact":
        return Neighbours(*names, *search_all(search), method=method)
    indices, scores, reached, effort = search_approximately(
        search, method, recall=recall, seed=seed
    )
    message = (
        f"{method} reached a recall of {reached:.4f} with its greatest effort of {effort:,}; "
        f"expected {recall:g}: search by another method"
    )
    warning = "" if reached >= recall else message
    return Neighbours(*names, indices, scores, method, reached, effort, warning)


def iter_neighbours(
    vectors: Vectors,
    k: int,
    *,
    metric: str = "cosine",
    queries: Vectors | Rows | None = None,
    threads: int = 0,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[NeighbourBlock]:
    """The exact neighbours, block by block of queries, for large k.

    Args:
        vectors: vectors of the papers searched.
        k: neighbours per paper.
        metric: `cosine`, `dot` or `l2`.
        queries: other vectors, or rows of `vectors`, ascending and each once; None for all.
        threads: 0 for every core this process may use.
        block_bytes: memory of the products of a block; its results (b, k) come on top.

    Raises:
        ConfigError: see `exact.prepare_search`.
    """
    search = prepare_search(vectors, queries, k, metric=metric, threads=threads)
    return search_blocks(search, block_bytes=block_bytes)
