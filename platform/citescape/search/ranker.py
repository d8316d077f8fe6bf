"""Rankers: for each query paper they rank the papers of a pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.search.listed import Coded, Codes, Floats, Rankings, Rows
from citescape.search.traits import Traits

NONE = -1
"""Replaces a missing row."""


@dataclass(frozen=True)
class SearchResult:
    """Papers found for queries, best first."""

    queries: Rows
    """(q,) rows of the corpus."""
    papers: Codes
    """(q, k) rows of the corpus; -1 fills short lists."""
    scores: npt.NDArray[np.float32]
    """(q, k) descending, ties by lower row; -inf fills short lists."""

    def to_rankings(self, ids: pa.StringArray) -> Rankings:
        """Rankings of ids, those of the corpus, ascending."""
        filled = self.papers != NONE
        queries = np.repeat(self.queries, filled.sum(axis=1))
        scores = self.scores[filled].astype(np.float64)
        return Rankings.from_codes(_code(ids, queries), _code(ids, self.papers[filled]), scores)


def _code(ids: pa.StringArray, rows: Rows | Codes) -> Coded:
    """The ids of some rows, each once, and the position of each row in them."""
    used = np.zeros(len(ids), np.bool_)
    used[rows] = True
    place = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return ids.filter(pa.array(used)), place[rows]


class Pool(Protocol):
    """Papers that can be retrieved."""

    def search(self, queries: Rows, k: int) -> SearchResult:
        """The k best papers of the pool for each query, except the query itself."""
        ...

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) score of each paper of the pool for its query."""
        ...


class Ranker(Protocol):
    """Scores papers of one corpus for query papers of the same corpus."""

    @property
    def name(self) -> str:
        """Name in tables."""
        ...

    @property
    def traits(self) -> Traits:
        """Properties in tables."""
        ...

    def describe(self) -> dict[str, str | float]:
        """Settings that decide its scores, for records of runs."""
        ...

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers without data: they can be neither queries nor results."""
        ...

    def among(self, pool: Rows) -> Pool:
        """A pool of papers, ascending and each once."""
        ...


def locate(pool: Rows, papers: Rows) -> Rows:
    """(papers,) positions of papers in a pool, ascending.

    Raises:
        ConfigError: a paper is missing.
    """
    own = find_own(pool, papers)
    outside = int((own == NONE).sum())
    if outside:
        raise ConfigError(
            f"{outside:,} papers to be scored are not in the pool of {len(pool):,}; expected all"
        )
    return own


def find_own(pool: Rows, rows: Rows) -> Rows:
    """(rows,) positions of rows of the corpus in a pool, ascending; -1 if missing."""
    if not len(pool):
        return np.full(len(rows), NONE, np.int64)
    own = np.minimum(np.searchsorted(pool, rows), len(pool) - 1)
    positions: Rows = np.where(pool[own] == rows, own, NONE)
    return positions
