"""Agreement of clusterings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import Labels


def compute_ari(first: Labels, other: Labels) -> float:
    """The adjusted Rand index of two clusterings of the same papers (Hubert and Arabie 1985).

    (sum C(n_ij, 2) - e) / ((a + b) / 2 - e), where n_ij papers are in community i of the first
    clustering and in j of the other; a = sum C(n_i, 2) and b = sum C(n_j, 2) over the communities
    of each; and e = a b / C(n, 2) is the value expected by chance for n papers. C(n, 2) is
    n (n - 1) / 2.

    Labels have shape (papers,).

    Returns:
        1 for equal clusterings, 0 on average for unrelated ones; may be negative.

    Raises:
        ConfigError: the numbers of labels differ.
    """
    if first.shape != other.shape:
        raise ConfigError(
            f"labels of {len(first)} and of {len(other)} papers; expected labels of the same papers"
        )
    width = int(np.ptp(other)) + 1 if len(other) else 1
    pairs = first.astype(np.int64) * width + other  # one number per pair of labels
    both = _count_pairs(np.unique(pairs, return_counts=True)[1])
    a, b = (_count_pairs(np.unique(labels, return_counts=True)[1]) for labels in (first, other))
    total = _count_pairs(np.array([len(first)]))
    expected = a * b / total if total else 0.0
    most = (a + b) / 2
    return (both - expected) / (most - expected) if most != expected else 1.0


def compare_all(clusterings: Sequence[Labels]) -> npt.NDArray[np.float64]:
    """(n (n - 1) / 2,) the adjusted Rand index of all pairs of n clusterings."""
    return np.array([compute_ari(first, other) for first, other in combinations(clusterings, 2)])


def _count_pairs(sizes: npt.NDArray[np.integer]) -> float:
    whole = sizes.astype(np.float64)
    return float((whole * (whole - 1) / 2).sum())
