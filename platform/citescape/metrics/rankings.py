"""Metrics of rankings: (q,) figures of q queries.

`k` is the cut-off rank, 1 or more; 0, where it is the default, means no cut-off. `denominator` is
the set of relevant documents that a figure is divided by: `relevant`, all of them, as in trec_eval;
or `retrieved`, those in the ranking, as in published figures of large pools (MDCR, Tables 1 and 2).
"""

from __future__ import annotations

import numpy as np

from citescape.core.errors import invalid_choice
from citescape.metrics.ranked import Hits, RankedQueries, sort_hits
from citescape.search.listed import Floats, Rows

DENOMINATORS = ("relevant", "retrieved")


def average_precision(ranked: RankedQueries, *, denominator: str = "relevant") -> Floats:
    """AP = (1 / R) sum over retrieved relevant documents of (number of hits so far / rank).

    R is the number of relevant documents, see `denominator`; 0 where R is 0.

    Raises:
        ConfigError: no such denominator.
    """
    if denominator not in DENOMINATORS:
        raise invalid_choice("denominator", denominator, DENOMINATORS)
    hits = ranked.hits
    first = np.searchsorted(hits.rows, hits.rows, side="left")
    so_far = np.arange(1, len(hits.rows) + 1) - first
    sums = np.bincount(hits.rows, so_far / hits.ranks, minlength=len(ranked))
    return _divide(
        sums, ranked.relevant if denominator == "relevant" else hits.count_per_query(len(ranked))
    )


def ndcg(ranked: RankedQueries, *, k: int = 0, denominator: str = "relevant") -> Floats:
    """DCG / DCG of the ideal ranking; DCG = sum of gain / log2(rank + 1).

    Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002); 0 where the ideal ranking
    has no gain.

    Args:
        ranked: q queries.
        k: cut-off rank of the ranking and of the ideal ranking; 0 for none.
        denominator: `relevant` or `retrieved`, the documents of the ideal ranking.

    Raises:
        ConfigError: no such denominator.
    """
    if denominator not in DENOMINATORS:
        raise invalid_choice("denominator", denominator, DENOMINATORS)
    hits = ranked.hits
    ideal = ranked.ideal if denominator == "relevant" else sort_hits(hits.rows, hits.gains)
    return _divide(_compute_dcg(hits, len(ranked), k), _compute_dcg(ideal, len(ranked), k))


def _compute_dcg(hits: Hits, queries: int, k: int) -> Floats:
    discounted = hits.gains / np.log2(hits.ranks + 1)
    counted = np.where(hits.ranks <= k, discounted, 0.0) if k else discounted
    sums: Floats = np.bincount(hits.rows, counted, minlength=queries).astype(np.float64)
    return sums


def recall(ranked: RankedQueries, *, k: int = 0) -> Floats:
    """Relevant documents among the first k over all relevant documents; 0 without any."""
    return _divide(ranked.hits.count_per_query(len(ranked), k=k), ranked.relevant)


def precision(ranked: RankedQueries, *, k: int = 1) -> Floats:
    """Relevant documents among the first k >= 1 over k, also if fewer were retrieved."""
    shares: Floats = ranked.hits.count_per_query(len(ranked), k=k) / k
    return shares


def reciprocal_rank(ranked: RankedQueries, *, k: int = 0) -> Floats:
    """1 / rank of the first relevant document; 0 without one among the first k."""
    reciprocal, hits = np.zeros(len(ranked)), ranked.hits
    rows, first = np.unique(hits.rows, return_index=True)
    ranks = hits.ranks[first]
    reciprocal[rows] = np.where((ranks <= k) | (k == 0), 1.0 / ranks, 0.0)
    return reciprocal


def hit_rate(ranked: RankedQueries, *, k: int) -> Floats:
    """1 where a relevant document is among the first k, else 0."""
    hits: Floats = (ranked.hits.count_per_query(len(ranked), k=k) > 0).astype(np.float64)
    return hits


def _divide(part: Floats | Rows, whole: Floats | Rows) -> Floats:
    """(q,) part / whole; 0 where the whole is 0."""
    shares: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
    return shares
