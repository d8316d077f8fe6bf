"""Metrics of rankings, (q,) figures of q queries.

`k` is the number of ranks that count: 1 or more, or 0 for all where 0 is the default. `of` says
which relevant documents count as the whole: `relevant`, all of them, as in trec_eval; or
`retrieved`, those in the ranking, as in published figures of large pools (MDCR, Tables 1 and 2).
"""

from __future__ import annotations

import numpy as np

from citescape.core.errors import invalid_choice
from citescape.metrics.ranked import Hits, Ranked, sort_hits
from citescape.search.listed import Floats, Rows

OF = ("relevant", "retrieved")


def average_precision(ranked: Ranked, *, of: str = "relevant") -> Floats:
    """AP = (1 / R) sum over relevant documents found of (their number so far / their rank).

    R is the number of relevant documents, see `of`; 0 where R is 0.

    Raises:
        ConfigError: no such choice of `of`.
    """
    if of not in OF:
        raise invalid_choice("of", of, OF)
    hits = ranked.found
    first = np.searchsorted(hits.rows, hits.rows, side="left")
    so_far = np.arange(1, len(hits.rows) + 1) - first
    sums = np.bincount(hits.rows, so_far / hits.ranks, minlength=len(ranked))
    return _divide(sums, ranked.relevant if of == "relevant" else hits.count(len(ranked)))


def ndcg(ranked: Ranked, *, k: int = 0, of: str = "relevant") -> Floats:
    """DCG / DCG of the ideal ranking; DCG = sum of gain / log2(rank + 1).

    Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002). `k` cuts the ideal ranking
    too; 0 where the ideal ranking has no gain.

    Raises:
        ConfigError: no such choice of `of`.
    """
    if of not in OF:
        raise invalid_choice("of", of, OF)
    hits = ranked.found
    ideal = ranked.ideal if of == "relevant" else sort_hits(hits.rows, hits.gains)
    return _divide(_compute_dcg(hits, len(ranked), k), _compute_dcg(ideal, len(ranked), k))


def _compute_dcg(hits: Hits, queries: int, k: int) -> Floats:
    discounted = hits.gains / np.log2(hits.ranks + 1)
    counted = np.where(hits.ranks <= k, discounted, 0.0) if k else discounted
    sums: Floats = np.bincount(hits.rows, counted, minlength=queries).astype(np.float64)
    return sums


def recall(ranked: Ranked, *, k: int = 0) -> Floats:
    """Relevant documents among the first k over all relevant documents; 0 without any."""
    return _divide(ranked.found.count(len(ranked), k=k), ranked.relevant)


def precision(ranked: Ranked, *, k: int = 1) -> Floats:
    """Relevant documents among the first k >= 1 over k, also where fewer were retrieved."""
    shares: Floats = ranked.found.count(len(ranked), k=k) / k
    return shares


def reciprocal_rank(ranked: Ranked, *, k: int = 0) -> Floats:
    """1 / rank of the first relevant document; 0 without one among the first k."""
    reciprocal, hits = np.zeros(len(ranked)), ranked.found
    rows, first = np.unique(hits.rows, return_index=True)
    ranks = hits.ranks[first]
    reciprocal[rows] = np.where((ranks <= k) | (k == 0), 1.0 / ranks, 0.0)
    return reciprocal


def hit_rate(ranked: Ranked, *, k: int) -> Floats:
    """1 where a relevant document is among the first k, else 0."""
    hits: Floats = (ranked.found.count(len(ranked), k=k) > 0).astype(np.float64)
    return hits


def _divide(part: Floats | Rows, whole: Floats | Rows) -> Floats:
    """(q,) part / whole; 0 where the whole is 0."""
    shares: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
    return shares
