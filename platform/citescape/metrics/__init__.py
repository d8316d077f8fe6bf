"""Metrics, a file each, and how they are named: `map`, `ndcg@10`, `recall@30`, `map_ret`.

`_ret` is the share of relevant documents that were retrieved, in place of all: see
`average_precision`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from citescape.core.errors import ConfigError
from citescape.metrics.average_precision import average_precision
from citescape.metrics.f1 import f1
from citescape.metrics.hit_rate import hit_rate
from citescape.metrics.kendall import kendall_tau
from citescape.metrics.ndcg import ndcg
from citescape.metrics.precision import precision
from citescape.metrics.ranked import Ranked
from citescape.metrics.recall import recall
from citescape.metrics.reciprocal_rank import reciprocal_rank
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

Metric = Callable[[Ranked], Floats]
"""(q,) of q queries."""

METRICS: Mapping[str, tuple[Callable[..., Floats], str]] = {
    "map": (average_precision, ""),
    "map_ret": (partial(average_precision, of="retrieved"), ""),
    "ndcg": (ndcg, "may"),
    "ndcg_ret": (partial(ndcg, of="retrieved"), "may"),
    "recall": (recall, "may"),
    "precision": (precision, "must"),
    "mrr": (reciprocal_rank, "may"),
    "hit": (hit_rate, "must"),
}
"""Name -> formula, and whether it `may` or `must` be told how many ranks count."""
_NAME = re.compile(r"([a-z_]+)(?:@([1-9][0-9]*))?")


def find_metric(name: str) -> Metric:
    """The metric of a name such as `ndcg@10`.

    Raises:
        ConfigError: there is none; the message says which there are.
    """
    told = _NAME.fullmatch(name)
    formula, cut = METRICS.get(told[1], (None, "")) if told else (None, "")
    asked = bool(told and told[2])
    if told is None or formula is None or (cut == "must") > asked or asked > bool(cut):
        there = ", ".join(
            key + {"": "", "may": "[@K]", "must": "@K"}[how] for key, (_, how) in METRICS.items()
        )
        raise ConfigError(f"no metric {name!r}; expected one of: {there}")
    return partial(formula, k=int(told[2])) if told[2] else formula
