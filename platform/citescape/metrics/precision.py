"""Precision: how many of the first documents are relevant."""

from __future__ import annotations

from citescape.metrics.ranked import Ranked
from citescape.search.listed import Floats


def precision(ranked: Ranked, *, k: int = 1) -> Floats:
    """(q,) relevant documents among the first k over k, also where fewer were retrieved.

    Args:
        ranked: q queries.
        k: 1 or more.
    """
    found: Floats = ranked.found.count(len(ranked), k=k) / k
    return found
