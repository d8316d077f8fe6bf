"""How early the works that contexts cite come in lists, for those cited before and for new ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.pairs import encode, find_rows
from citescape.metrics.measured import Measured
from citescape.recommend.contexts import Contexts
from citescape.search.listed import Codes, Floats, Rows, sort_unique

ALL, WARM, COLD, WARM_ONLY = "all", "warm", "cold", "warm-only"
CONDITIONS = {
    ALL: "works that contexts cite",
    WARM: "those that training contexts cite",
    COLD: "those that no training context cites",
    WARM_ONLY: "warm works, searched for among warm works alone",
}
CUTS = (5, 10, 20, 50, 100, 300, 1000)
LENGTHS = (10, 50, 100, 300, 1000)
"""Of lists in a sweep."""
_ONE = "all"


@dataclass(frozen=True, eq=False)
class Wanted:
    """What is to be found for queries."""

    queries: pa.StringArray
    """(q,) ids, ascending."""
    rows: Rows
    """(pairs,) the query."""
    cited: Rows
    """(pairs,) row of a paper that it cites."""
    warm: npt.NDArray[np.bool_]
    """(pairs,) whether training contexts cite that."""
    citing: Codes
    """(q,) the paper that a query stands in: its sentences are alike, so they are drawn together
    in intervals and tests."""

    @classmethod
    def of(
        cls,
        contexts: Contexts,
        queries: pa.StringArray,
        papers: pa.StringArray,
        *,
        warm: npt.NDArray[np.bool_],
    ) -> Wanted:
        """What some contexts cite.

        Args:
            contexts: with what they cite; those that are no query are left out.
            queries: (q,) ids of contexts, ascending.
            papers: (n,) ids, ascending.
            warm: (n,) whether training contexts cite the paper.
        """
        rows = find_rows(contexts.pairs["context"], queries)
        cited = find_rows(contexts.pairs["cited"], papers)
        known = (rows >= 0) & (cited >= 0)
        pairs = np.unique(np.stack([rows, cited], axis=1)[known], axis=0)
        first = find_rows(queries, contexts.pairs["context"].combine_chunks())
        asking = contexts.pairs["citing"].take(pa.array(first))
        citing = encode(asking, sort_unique(asking))
        return cls(queries, pairs[:, 0].copy(), pairs[:, 1].copy(), warm[pairs[:, 1]], citing)

    def among(self, condition: str) -> tuple[Rows, Rows]:
        """Queries and works of one of `CONDITIONS`."""
        every = np.ones(len(self.rows), np.bool_)
        kept = {ALL: every, WARM: self.warm, COLD: ~self.warm, WARM_ONLY: self.warm}
        return self.rows[kept[condition]], self.cited[kept[condition]]


def measure(
    found: Codes, wanted: Wanted, cuts: Sequence[int] = CUTS, *, warm_only: Codes | None = None
) -> dict[str, Measured]:
    """Figures of lists, by condition (Profiler, section 4.1).

    With r the rank, from 1, of the first of the works that a context cites, as any of them will do:
    MRR = 1 / r, R@k = 1 if r <= k, nDCG@k = 1 / log2(r + 1) if r <= k; 0 where none is in the list.
    MRR@k is the MRR of lists of k. Where each context cites one work these are recall and nDCG as
    published. Of warm works only those count that training contexts cite, of cold ones the others;
    lists are the same. A context without such works is in no mean of that condition.

    Args:
        found: (q, k) rows of papers, best first, -1 where there are fewer.
        wanted: of these queries.
        cuts: k of R@k and nDCG@k; those beyond the length of the lists are left out, as are those
            of MRR@k, which are `LENGTHS`.
        warm_only: (q, k) lists that hold warm works alone; None: that condition is left out.
    """
    lists = {ALL: found, WARM: found, COLD: found}
    lists |= {} if warm_only is None else {WARM_ONLY: warm_only}
    return {name: _measure(one, wanted, name, cuts=cuts) for name, one in lists.items()}


def find_first_ranks(found: Codes, rows: Rows, cited: Rows) -> Floats:
    """(q,) rank of the first work that a query cites, inf where none is in its list."""
    first: Floats = np.full(len(found), np.inf)
    for start in range(0, len(rows), 1 << 14):
        part = slice(start, start + (1 << 14))
        same = found[rows[part]] == cited[part, None]
        there = same.any(axis=1)
        ranks = np.where(there, same.argmax(axis=1) + 1.0, np.inf)
        np.minimum.at(first, rows[part], ranks)
    return first


def _measure(found: Codes, wanted: Wanted, condition: str, *, cuts: Sequence[int]) -> Measured:
    rows, cited = wanted.among(condition)
    asked = np.unique(rows)
    ranks = find_first_ranks(found, rows, cited)[asked]
    values: dict[str, Floats] = {"mrr": 1.0 / ranks}
    kept = [cut for cut in cuts if cut <= found.shape[1]]
    values |= {f"recall@{cut}": (ranks <= cut).astype(np.float64) for cut in kept}
    gains = 1.0 / np.log2(ranks + 1.0)
    values |= {f"ndcg@{cut}": np.where(ranks <= cut, gains, 0.0) for cut in kept}
    lengths = [length for length in LENGTHS if length <= found.shape[1]]
    values |= {f"mrr@{cut}": np.where(ranks <= cut, 1.0 / ranks, 0.0) for cut in lengths}
    queries = wanted.queries.take(pa.array(asked))
    codes = np.zeros(len(asked), np.int32)
    return Measured([_ONE], queries, codes, values, clusters=wanted.citing[asked])
