"""What metrics are a share of."""

from __future__ import annotations

import numpy as np

from citescape.core.errors import invalid_choice
from citescape.metrics.ranked import Ranked
from citescape.search.listed import Floats, Rows

OF = ("relevant", "retrieved")
"""All relevant documents; or those of them that were retrieved."""


def count_relevant(ranked: Ranked, of: str) -> Rows:
    """(q,) relevant documents, or those that were retrieved.

    Raises:
        ConfigError: no such choice.
    """
    if of not in OF:
        raise invalid_choice("of", of, OF)
    return ranked.relevant if of == "relevant" else ranked.found.count(len(ranked))


def share(part: Floats | Rows, whole: Floats | Rows) -> Floats:
    """(q,) part / whole; 0 where the whole is 0."""
    found: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)
    return found
