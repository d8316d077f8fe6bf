"""Average precision: how early the relevant documents come, all of them."""

from __future__ import annotations

import numpy as np

from citescape.metrics.denominators import count_relevant, share
from citescape.metrics.ranked import Ranked
from citescape.search.listed import Floats


def average_precision(ranked: Ranked, *, of: str = "relevant") -> Floats:
    """(q,) AP = (1 / R) sum over relevant documents found of (their number so far / their rank).

    Args:
        ranked: q queries.
        of: R: `relevant`, all relevant documents, as trec_eval's `map`; `retrieved`, those that
            were found, which the published figures of large pools need (MDCR, Tables 1 and 2).

    Returns:
        0 to 1; 0 where R is 0.

    Raises:
        ConfigError: no such R.
    """
    hits = ranked.found
    first = np.searchsorted(hits.rows, hits.rows, side="left")
    so_far = np.arange(1, len(hits.rows) + 1) - first
    sums = np.bincount(hits.rows, so_far / hits.ranks, minlength=len(ranked))
    return share(sums, count_relevant(ranked, of))
