"""Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002)."""

from __future__ import annotations

import numpy as np

from citescape.core.errors import invalid_choice
from citescape.metrics.denominators import OF, share
from citescape.metrics.ranked import Hits, Ranked, best_order
from citescape.search.listed import Floats


def ndcg(ranked: Ranked, *, k: int = 0, of: str = "relevant") -> Floats:
    """(q,) DCG / DCG of the ideal ranking; DCG = sum of gain / log2(rank + 1).

    Args:
        ranked: q queries.
        k: only the first k ranks count, of the ideal ranking too; 0: all.
        of: what the ideal ranking has: `relevant`, all relevant documents, as trec_eval's `ndcg`;
            `retrieved`, those that were found.

    Returns:
        0 to 1; 0 where the ideal ranking has none.

    Raises:
        ConfigError: no such ideal ranking.
    """
    if of not in OF:
        raise invalid_choice("of", of, OF)
    ideal = ranked.ideal if of == "relevant" else best_order(ranked.found)
    return share(_gain(ranked.found, len(ranked), k), _gain(ideal, len(ranked), k))


def _gain(hits: Hits, queries: int, k: int) -> Floats:
    discounted = hits.gains / np.log2(hits.ranks + 1)
    counted = np.where(hits.ranks <= k, discounted, 0.0) if k else discounted
    sums: Floats = np.bincount(hits.rows, counted, minlength=queries).astype(np.float64)
    return sums
