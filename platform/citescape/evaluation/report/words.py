"""Names of metrics, and numbers as reports write them."""

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
        "the same, averaged over the relevant papers that are in the ranking: those that were not "
        "found do not count",
    ),
    "ndcg": (
        "nDCG",
        "discounted cumulative gain: each relevant paper counts the less the later it comes; over "
        "that of the best order",
    ),
    "ndcg_ret": (
        "nDCG found",
        "the same, over the best order of the relevant papers that are in the ranking",
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
    "average": ("average", "plain mean of tasks, each of its own metric"),
    "kendalltau": (
        "Kendall's tau",
        "agreement of two orders, from -100 (reversed) over 0 (chance) to 100 (the same)",
    ),
}
"""Metric -> what tables call it, and what it is."""
_KINDS = {"graph": "from the graph", "most_cited": "cited the most", "random": "at random"}
"""Of the negatives of a benchmark; others are named after the ranker that found them."""
_WORKS = {
    "warm": "warm works",
    "cold": "cold works",
    "warm-only": "warm works among warm works alone",
}
"""Of benchmarks of contexts: what is looked for, in words."""
_NONE = "\N{EN DASH}"
_MINUS = "\N{MINUS SIGN}"
_SMALLEST = 0.0005


def name_metric(metric: str) -> str:
    """`R@30` of `recall@30`; one that is not known keeps its name."""
    family, cut, k = metric.partition("@")
    return f"{_FAMILIES[family][0]}{cut}{k}" if family in _FAMILIES else metric


def explain_metric(metric: str, meanings: Mapping[str, str] | None = None) -> str:
    """One line; empty for one that is not known.

    Args:
        metric: `recall@30`.
        meanings: of families of metrics, where a benchmark has others than usual.
    """
    family, _, k = metric.partition("@")
    usual = _FAMILIES.get(family, ("", ""))[1]
    return (meanings or {}).get(family, usual).format(k=k or "ranks")


def name_kind(kind: str) -> str:
    """Of negatives, so that it does not read like the system that found them; or of works."""
    if kind in _WORKS:
        return _WORKS[kind]
    return f"negatives {_KINDS.get(kind, f'found by {kind}')}"


def per_cent(share: float, *, signed: bool = False) -> str:
    """A share, or a difference of shares, in per cent with one decimal; a dash if there is none."""
    if not math.isfinite(share):
        return _NONE
    text = f"{100 * share:+.1f}" if signed else f"{100 * share:.1f}"
    return text.replace("-", _MINUS) if float(text) else text.lstrip("+-")


def span(low: float, high: float, *, signed: bool = False) -> str:
    """`32.9 to 36.3`; empty where there is no interval."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"{per_cent(low, signed=signed)} to {per_cent(high, signed=signed)}"


def with_span(share: float, low: float, high: float) -> str:
    """`34.6 (32.9 to 36.3)`."""
    told = span(low, high)
    return f"{per_cent(share)} ({told})" if told else per_cent(share)


def chance(p: float) -> str:
    """`.671`, `<.001`; a dash if there is none."""
    if not math.isfinite(p):
        return _NONE
    if p < _SMALLEST:
        return "<.001"
    return f"{p:.3f}".removeprefix("0")


def listing(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
