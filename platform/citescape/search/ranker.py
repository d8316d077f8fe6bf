"""What a ranker is: it finds, for papers of a corpus, those of a pool that belong to them."""

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
"""In place of a row, where there is none."""


@dataclass(frozen=True)
class Found:
    """Papers found for queries, best first."""

    queries: Rows
    """(q,) rows of the corpus."""
    papers: Codes
    """(q, k) rows of the corpus, -1 where fewer were found."""
    scores: npt.NDArray[np.float32]
    """(q, k) descending, of equal ones the lower row first; -inf where fewer were found."""

    def to_rankings(self, ids: pa.StringArray) -> Rankings:
        """As rankings of ids, those of the corpus, ascending."""
        there = self.papers != NONE
        rows = np.repeat(self.queries, there.sum(axis=1))
        return Rankings.of_codes(
            _name(ids, rows), _name(ids, self.papers[there]), self.scores[there].astype(np.float64)
        )


def _name(ids: pa.StringArray, rows: Rows | Codes) -> Coded:
    """The ids of some rows, each once, and where in them each row's is."""
    used = np.zeros(len(ids), np.bool_)
    used[rows] = True
    place = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return ids.filter(pa.array(used)), place[rows]


class Pool(Protocol):
    """Papers to be found."""

    def search(self, queries: Rows, k: int) -> Found:
        """The k best papers of the pool for each query, which is none of them itself."""
        ...

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) how well each paper, of the pool, belongs to the query beside it."""
        ...


class Ranker(Protocol):
    """A way to tell which papers belong to a paper, ready for all papers of one corpus."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    @property
    def traits(self) -> Traits:
        """What tables say of it."""
        ...

    def describe(self) -> dict[str, str | float]:
        """What decides its scores, beside the texts of its corpus; for records of runs."""
        ...

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers that it knows nothing of: they can neither ask nor be found."""
        ...

    def among(self, pool: Rows) -> Pool:
        """Ready to search some papers, ascending and each once."""
        ...


def locate(pool: Rows, papers: Rows) -> Rows:
    """(papers,) where in a pool, ascending, papers to be scored are.

    Raises:
        ConfigError: one is not there.
    """
    own = find_own(pool, papers)
    outside = int((own == NONE).sum())
    if outside:
        raise ConfigError(
            f"{outside:,} papers to be scored are not in the pool of {len(pool):,}; expected all"
        )
    return own


def find_own(pool: Rows, rows: Rows) -> Rows:
    """(rows,) where in a pool, ascending, each row of the corpus is; -1 for those not there."""
    if not len(pool):
        return np.full(len(rows), NONE, np.int64)
    own = np.minimum(np.searchsorted(pool, rows), len(pool) - 1)
    found: Rows = np.where(pool[own] == rows, own, NONE)
    return found
