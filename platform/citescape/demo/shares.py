"""Shares, and their standard errors in a small world."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """A share and its standard error; both are NaN without cases."""

    value: float
    error: float


def compute_share(parts: Sequence[int], wholes: Sequence[int]) -> Share:
    """Share of correct cases, with errors correlated within groups (merged authors).

    ``p = sum(parts) / sum(wholes)``; error ``sqrt(sum((part - p whole)^2)) / sum(wholes)``, of a
    ratio over groups (Cochran, Sampling Techniques, 1977, Eq. 2.39). With one case per group it is
    ``sqrt(p (1 - p) / n)``.

    Args:
        parts: correct cases of each group.
        wholes: all cases of each group.
    """
    total = sum(wholes)
    if not total:
        return Share(math.nan, math.nan)
    value = sum(parts) / total
    off = math.fsum((part - value * whole) ** 2 for part, whole in zip(parts, wholes, strict=True))
    return Share(value, math.sqrt(off) / total)


def compute_pairwise(clusters: Sequence[object], truth: Sequence[int]) -> tuple[Share, Share]:
    """Precision and recall over all pairs of entries that share a cluster.

    Precision is the share of pairs together in `clusters` that are together in `truth`, grouped by
    cluster; recall is the share of pairs together in `truth` that are together in `clusters`.
    """
    return _share_pairs(clusters, truth), _share_pairs(truth, clusters)


def _share_pairs(clusters: Sequence[object], other: Sequence[object]) -> Share:
    """Share of the pairs together in `clusters` that are together in `other`."""
    wholes = {cluster: math.comb(n, 2) for cluster, n in Counter(clusters).items()}
    parts = Counter[object]()
    both: Counter[tuple[Hashable, Hashable]] = Counter(zip(clusters, other, strict=True))
    for (cluster, _), n in both.items():
        parts[cluster] += math.comb(n, 2)
    return compute_share([parts[cluster] for cluster in wholes], list(wholes.values()))
