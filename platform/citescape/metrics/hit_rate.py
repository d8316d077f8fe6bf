"""Hit rate: whether anything relevant is among the first documents."""

from __future__ import annotations

import numpy as np

from citescape.metrics.ranked import Ranked
from citescape.search.listed import Floats


def hit_rate(ranked: Ranked, *, k: int) -> Floats:
    """(q,) 1 where a relevant document is among the first k, else 0.

    Args:
        ranked: q queries.
        k: 1 or more.
    """
    found: Floats = (ranked.found.count(len(ranked), k=k) > 0).astype(np.float64)
    return found
