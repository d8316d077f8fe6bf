"""Metrics and their names: `map`, `ndcg@10`, `recall@30`, `map_ret`.

`_ret`: divided by the relevant documents in the ranking, not by all of them; see `rankings`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from citescape.core.errors import ConfigError
from citescape.metrics.predictions import f1, kendall_tau
from citescape.metrics.ranked import RankedQueries
from citescape.metrics.rankings import (
    average_precision,
    hit_rate,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)
from citescape.search.listed import Floats

__all__ = [
    "METRICS",
    "average_precision",
    "f1",
    "find_metric",
    "hit_rate",
    "kendall_tau",
    "ndcg",
    "precision",
    "recall",
    "reciprocal_rank",
]

Metric = Callable[[RankedQueries], Floats]
"""Computes (q,) figures of q queries."""

METRICS: Mapping[str, tuple[Callable[..., Floats], str]] = {
    "map": (average_precision, ""),
    "map_ret": (partial(average_precision, denominator="retrieved"), ""),
    "ndcg": (ndcg, "may"),
    "ndcg_ret": (partial(ndcg, denominator="retrieved"), "may"),
    "recall": (recall, "may"),
    "precision": (precision, "must"),
    "mrr": (reciprocal_rank, "may"),
    "hit": (hit_rate, "must"),
}
"""Name -> formula, and whether a cut-off `may` or `must` follow the name."""
_NAME = re.compile(r"([a-z_]+)(?:@([1-9][0-9]*))?")


def find_metric(name: str) -> Metric:
    """The metric of a name such as `ndcg@10`.

    Raises:
        ConfigError: no such metric; the message lists the metrics.
    """
    parsed = _NAME.fullmatch(name)
    formula, cut = METRICS.get(parsed[1], (None, "")) if parsed else (None, "")
    has_k = bool(parsed and parsed[2])
    if parsed is None or formula is None or (cut == "must") > has_k or has_k > bool(cut):
        known = ", ".join(
            key + {"": "", "may": "[@K]", "must": "@K"}[cut] for key, (_, cut) in METRICS.items()
        )
        raise ConfigError(f"no metric {name!r}; expected one of: {known}")
    return partial(formula, k=int(parsed[2])) if parsed[2] else formula
