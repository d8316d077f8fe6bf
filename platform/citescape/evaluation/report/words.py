"""Names of metrics and formatted numbers of reports."""

from __future__ import annotations

import math
from collections.abc import Mapping

_FAMILIES = {
    "map": (
        "MAP",
        "mean average precision: precision at the rank of each relevant paper, averaged over all "
        "relevant papers of a query",
    ),
    "map_ret": (
        "MAP found",
        "mean average precision over the relevant papers that are in the ranking; relevant papers "
        "that were not retrieved do not count",
    ),
    "ndcg": (
        "nDCG",
        "normalised discounted cumulative gain: the gain of each relevant paper decreases with its "
        "rank; divided by that of the best order",
    ),
    "ndcg_ret": (
        "nDCG found",
        "nDCG divided by that of the best order of the relevant papers that are in the ranking",
    ),
    "recall": ("R", "recall: share of the relevant papers that are among the first {k}"),
    "precision": ("P", "precision: share of the first {k} that are relevant"),
    "mrr": ("MRR", "one over the rank of the first relevant paper"),
    "hit": ("Hit", "share of queries with a relevant paper among the first {k}"),
    "f1": ("F1", "F1 of each class, averaged over classes"),
    "f1_macro": ("F1 macro", "F1 of each class, averaged over classes"),
    "P_5": ("P@5", "precision: share of the first 5 that are relevant"),
    "P_10": ("P@10", "precision: share of the first 10 that are relevant"),
    "recip_rank": ("MRR", "one over the rank of the first relevant paper"),
    "average": ("average", "plain mean of tasks, each with its own metric"),
    "kendalltau": (
        "Kendall's tau",
        "agreement of two orders: -100 (reversed), 0 (random), 100 (equal)",
    ),
}
"""Metric -> its name in tables, and its definition."""
_KINDS = {
    "graph": "negatives from the graph",
    "most_cited": "most cited negatives",
    "random": "random negatives",
}
"""Kinds of negatives; others have the name of a ranker."""
_WORKS = {
    "warm": "warm works",
    "cold": "cold works",
    "warm-only": "warm works among warm works only",
}
"""Conditions of benchmarks of contexts."""
_NONE = "\N{EN DASH}"
_MINUS = "\N{MINUS SIGN}"
_SMALLEST = 0.0005
"""Smallest p with three decimals; a smaller p would be rounded to 0."""


def name_metric(metric: str) -> str:
    """Name of a metric in tables, `R@30` for `recall@30`; unknown metrics keep their name."""
    family, cut, k = metric.partition("@")
    return f"{_FAMILIES[family][0]}{cut}{k}" if family in _FAMILIES else metric


def explain_metric(metric: str, meanings: Mapping[str, str] | None = None) -> str:
    """Definition of a metric in one line; empty if it is unknown.

    Args:
        metric: name such as `recall@30`.
        meanings: family of metrics -> definition, where that of a benchmark differs.
    """
    family, _, k = metric.partition("@")
    usual = _FAMILIES.get(family, ("", ""))[1]
    return (meanings or {}).get(family, usual).format(k=k or "ranks")


def name_kind(kind: str) -> str:
    """Name of a kind of negatives or works. Negatives must not be mistaken for a system."""
    if kind in _WORKS:
        return _WORKS[kind]
    return _KINDS.get(kind, f"negatives found by {kind}")


def per_cent(share: float, *, signed: bool = False) -> str:
    """A share or a difference in per cent with one decimal; a dash if it is NaN."""
    if not math.isfinite(share):
        return _NONE
    text = f"{100 * share:+.1f}" if signed else f"{100 * share:.1f}"
    return text.replace("-", _MINUS) if float(text) else text.lstrip("+-")


def span(low: float, high: float, *, signed: bool = False) -> str:
    """An interval such as `32.9 to 36.3`; empty if it is missing.

    Args:
        low: lower bound, as a share.
        high: upper bound, as a share.
        signed: whether positive numbers have a sign.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"{per_cent(low, signed=signed)} to {per_cent(high, signed=signed)}"


def with_span(share: float, low: float, high: float) -> str:
    """A figure with its interval, `34.6 (32.9 to 36.3)`.

    Args:
        share: the figure.
        low: lower bound, as a share.
        high: upper bound, as a share.
    """
    interval = span(low, high)
    return f"{per_cent(share)} ({interval})" if interval else per_cent(share)


def chance(p: float) -> str:
    """A p value such as `.671` or `<.001`; a dash if it is NaN."""
    if not math.isfinite(p):
        return _NONE
    if p < _SMALLEST:
        return "<.001"
    return f"{p:.3f}".removeprefix("0")


def listing(names: list[str]) -> str:
    """Names in a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
