"""Shares of what was found, and how far chance alone may move them in a small world."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """A share and its standard error; both NaN where there is no case."""

    value: float
    error: float


def compute_share(parts: Sequence[int], wholes: Sequence[int]) -> Share:
    """The share of all cases, whose errors come in groups: one wrong merge spoils many pairs.

    ``p = sum(parts) / sum(wholes)``; error ``sqrt(sum((part - p whole)^2)) / sum(wholes)``, that of
    a ratio over groups drawn as a whole (Cochran, Sampling Techniques, 1977, Eq. 2.39). Where each
    case is a group of its own, this is the familiar ``sqrt(p (1 - p) / n)``.

    Args:
        parts: right cases of each group.
        wholes: all cases of each group.
    """
    total = sum(wholes)
    if not total:
        return Share(math.nan, math.nan)
    value = sum(parts) / total
    off = math.fsum((part - value * whole) ** 2 for part, whole in zip(parts, wholes, strict=True))
    return Share(value, math.sqrt(off) / total)


def compute_pairwise(found: Sequence[object], truth: Sequence[int]) -> tuple[Share, Share]:
    """Precision and recall over all pairs of entries that share a cluster.

    Precision: of the pairs together in `found`, the share together in `truth`, in groups of one
    found cluster; recall the other way round.
    """
    return _share_pairs(found, truth), _share_pairs(truth, found)


def _share_pairs(clusters: Sequence[object], other: Sequence[object]) -> Share:
    """Share of the pairs together in `clusters` that are together in `other`."""
    wholes = {cluster: math.comb(n, 2) for cluster, n in Counter(clusters).items()}
    parts = Counter[object]()
    both: Counter[tuple[Hashable, Hashable]] = Counter(zip(clusters, other, strict=True))
    for (cluster, _), n in both.items():
        parts[cluster] += math.comb(n, 2)
    return compute_share([parts[cluster] for cluster in wholes], list(wholes.values()))
