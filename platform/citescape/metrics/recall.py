"""Recall: how many of the relevant documents are found."""

from __future__ import annotations

from citescape.metrics.denominators import share
from citescape.metrics.ranked import Ranked
from citescape.search.listed import Floats


def recall(ranked: Ranked, *, k: int = 0) -> Floats:
    """(q,) relevant documents among the first k over all relevant documents.

    Args:
        ranked: q queries.
        k: 0: all that was retrieved.

    Returns:
        0 to 1; 0 where nothing is relevant.
    """
    return share(ranked.found.count(len(ranked), k=k), ranked.relevant)
