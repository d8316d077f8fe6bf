"""Reciprocal rank: how early the first relevant document comes."""

from __future__ import annotations

import numpy as np

from citescape.metrics.ranked import Ranked
from citescape.search.listed import Floats


def reciprocal_rank(ranked: Ranked, *, k: int = 0) -> Floats:
    """(q,) 1 / rank of the first relevant document; 0 where there is none among the first k.

    Args:
        ranked: q queries.
        k: 0: all that was retrieved.
    """
    found, hits = np.zeros(len(ranked)), ranked.found
    rows, first = np.unique(hits.rows, return_index=True)
    ranks = hits.ranks[first]
    found[rows] = np.where((ranks <= k) | (k == 0), 1.0 / ranks, 0.0)
    return found
