"""Ranks of the works that contexts cite: MRR, recall and nDCG of warm and of cold works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.pairs import encode, find_rows
from citescape.metrics.query_figures import QueryFigures
from citescape.recommend.contexts import Contexts
from citescape.search.listed import Codes, Floats, Rows, sort_unique
from citescape.search.vectors import slices

ALL, WARM, COLD, WARM_ONLY = "all", "warm", "cold", "warm-only"
CONDITIONS = {
    ALL: "works that contexts cite",
    WARM: "works that training contexts cite",
    COLD: "works that no training context cites",
    WARM_ONLY: "warm works, ranked among warm works only",
}
CUTS = (5, 10, 20, 50, 100, 300, 1000)
LENGTHS = (10, 50, 100, 300, 1000)
"""Lengths of lists in a sweep."""


@dataclass(frozen=True, eq=False)
class RelevantWorks:
    """The works that queries cite."""

    queries: pa.StringArray
    """(q,) ids, ascending."""
    rows: Rows
    """(pairs,) row of the query."""
    cited: Rows
    """(pairs,) row of a paper that the query cites."""
    warm: npt.NDArray[np.bool_]
    """(pairs,) whether training contexts cite the paper."""
    citing: Codes
    """(q,) code of the citing paper. Sentences of one paper are alike, so that intervals and tests
    resample papers."""

    @classmethod
    def from_contexts(
        cls,
        contexts: Contexts,
        queries: pa.StringArray,
        papers: pa.StringArray,
        *,
        warm: npt.NDArray[np.bool_],
    ) -> RelevantWorks:
        """The works that some contexts cite.

        Args:
            contexts: with cited works; those that are not queries are left out.
            queries: (q,) ids of contexts, ascending.
            papers: (n,) ids, ascending.
            warm: (n,) whether training contexts cite the paper.
        """
        rows = find_rows(contexts.pairs["context"], queries)
        cited = find_rows(contexts.pairs["cited"], papers)
        known = (rows >= 0) & (cited >= 0)
        pairs = np.unique(np.stack([rows, cited], axis=1)[known], axis=0)
        first = find_rows(queries, contexts.pairs["context"].combine_chunks())
        papers_of_queries = contexts.pairs["citing"].take(pa.array(first))
        citing = encode(papers_of_queries, sort_unique(papers_of_queries))
        return cls(queries, pairs[:, 0].copy(), pairs[:, 1].copy(), warm[pairs[:, 1]], citing)

    def among(self, condition: str) -> tuple[Rows, Rows]:
        """Queries and works of one of `CONDITIONS`."""
        every = np.ones(len(self.rows), np.bool_)
        kept = {ALL: every, WARM: self.warm, COLD: ~self.warm, WARM_ONLY: self.warm}
        return self.rows[kept[condition]], self.cited[kept[condition]]


def measure(
    lists: Codes,
    relevant: RelevantWorks,
    cuts: Sequence[int] = CUTS,
    *,
    warm_only: Codes | None = None,
) -> dict[str, QueryFigures]:
    """Metrics of lists, by condition (Profiler, section 4.1).

    r is the rank, from 1, of the first cited work in the list: any cited work is correct. MRR is
    1 / r; R@k is 1 if r <= k; nDCG@k is 1 / log2(r + 1) if r <= k; else they are 0. MRR@k is the
    MRR of lists of k. If each context cites one work these are recall and nDCG as published. The
    conditions `warm` and `cold` count only warm or cold works, in the same lists; contexts without
    such works are left out of their means.

    Args:
        lists: (q, k) rows of papers, best first; -1 fills short lists.
        relevant: works that these queries cite.
        cuts: k of R@k and nDCG@k; cuts beyond the length of the lists are left out, as are those
            of MRR@k, which are `LENGTHS`.
        warm_only: (q, k) lists of warm works only; None leaves out that condition.
    """
    by_condition = {ALL: lists, WARM: lists, COLD: lists}
    by_condition |= {} if warm_only is None else {WARM_ONLY: warm_only}
    measured = {}
    for condition, papers in by_condition.items():
        rows, cited = relevant.among(condition)
        queries = np.unique(rows)
        ranks = find_first_ranks(papers, rows, cited)[queries]
        gains = 1.0 / np.log2(ranks + 1.0)
        own = [cut for cut in cuts if cut <= papers.shape[1]]
        lengths = [length for length in LENGTHS if length <= papers.shape[1]]
        values: dict[str, Floats] = {"mrr": 1.0 / ranks}
        values |= {f"recall@{cut}": (ranks <= cut).astype(np.float64) for cut in own}
        values |= {f"ndcg@{cut}": np.where(ranks <= cut, gains, 0.0) for cut in own}
        values |= {f"mrr@{cut}": np.where(ranks <= cut, 1.0 / ranks, 0.0) for cut in lengths}
        ids = relevant.queries.take(pa.array(queries))
        groups = np.zeros(len(queries), np.int32)
        clusters = relevant.citing[queries]
        measured[condition] = QueryFigures(["all"], ids, groups, values, clusters=clusters)
    return measured


def find_first_ranks(lists: Codes, rows: Rows, cited: Rows) -> Floats:
    """(q,) rank of the first work that a query cites, inf if it is not in the list.

    Args:
        lists: (q, k) rows of papers, best first.
        rows: (pairs,) row of the query.
        cited: (pairs,) row of a paper that the query cites.
    """
    first: Floats = np.full(len(lists), np.inf)
    for part in slices(len(rows), 1 << 14):
        same = lists[rows[part]] == cited[part, None]
        ranks = np.where(same.any(axis=1), same.argmax(axis=1) + 1.0, np.inf)
        np.minimum.at(first, rows[part], ranks)
    return first
