"""Agreement of a clustering with the truth: pairwise and B-cubed precision, recall and F1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.metrics.intervals import LEVEL, MIN_QUERIES, Interval

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MEASURES = (
    "pairwise precision",
    "pairwise recall",
    "pairwise F1",
    "B-cubed precision",
    "B-cubed recall",
    "B-cubed F1",
)
_DRAWS = 1_000


@dataclass(frozen=True)
class ClusterCounts:
    """Sums over the entries of each true cluster; k clusters."""

    entries: Floats
    """Entries, (k,)."""
    true_pairs: Floats
    """Pairs of entries within the cluster, (k,)."""
    found_pairs: Floats
    """Pairs that are together in the clustering; a pair of two true clusters counts half in each,
    (k,)."""
    both: Floats
    """Pairs within the cluster that are together in the clustering, (k,)."""
    precision: Floats
    """Sum of the B-cubed precision of the entries, (k,)."""
    recall: Floats
    """Sum of the B-cubed recall of the entries, (k,)."""


def count_clusters(found: Codes, truth: Codes) -> ClusterCounts:
    """Counts for the measures.

    With C(i) the found and L(i) the true cluster of entry i, the B-cubed precision of i is
    |C(i) and L(i)| / |C(i)|, its recall |C(i) and L(i)| / |L(i)| (Bagga and Baldwin 1998, LREC
    workshop on linguistic coreference).

    Args:
        found: (n,) code of the found cluster of each entry.
        truth: (n,) code of its true cluster.
    """
    found = np.unique(found, return_inverse=True)[1]
    truth = np.unique(truth, return_inverse=True)[1]
    people = int(truth.max(initial=-1)) + 1
    joint, cell = np.unique(found * np.int64(people) + truth, return_inverse=True)
    both = np.bincount(cell, minlength=len(joint)).astype(np.float64)[cell]
    size, true_size = np.bincount(found)[found], np.bincount(truth)[truth]

    def total(values: Floats) -> Floats:
        return np.bincount(truth, weights=values, minlength=people).astype(np.float64)

    return ClusterCounts(
        entries=total(np.ones(len(truth))),
        true_pairs=total((true_size - 1) / 2),
        found_pairs=total((size - 1) / 2),
        both=total((both - 1) / 2),
        precision=total(both / size),
        recall=total(both / true_size),
    )


def measure_clusters(counts: ClusterCounts, *, seed: int = 0) -> dict[str, Interval]:
    """Each measure with its interval.

    Intervals are percentiles over samples of true clusters, since the entries of one are dependent.
    Measures without pairs are NaN, and so are bounds if fewer than `MIN_QUERIES` clusters have what
    the measure counts: pairs that are found, true pairs, or entries.

    Args:
        counts: from `count_clusters`.
        seed: random seed of the samples.
    """
    pairs = [counts.both, counts.found_pairs, counts.true_pairs]
    sums = np.stack([*pairs, counts.precision, counts.recall, counts.entries], axis=1)
    people = len(sums)
    values = _compute_measures(sums.sum(axis=0)[None])[0]
    found, true = ((pairs > 0).sum() for pairs in (counts.found_pairs, counts.true_pairs))
    known = np.array([found, true, min(found, true), people, people, people]) >= MIN_QUERIES
    low, high = np.full((2, len(MEASURES)), np.nan)
    if known.any():
        rng = np.random.default_rng(seed)
        drawn = np.zeros((_DRAWS, sums.shape[1]))
        for draw in drawn:
            draw[:] = np.bincount(rng.integers(people, size=people), minlength=people) @ sums
        outside = (1 - LEVEL) / 2
        drawn = _compute_measures(drawn)[:, known]
        low[known], high[known] = np.nanquantile(drawn, [outside, 1 - outside], axis=0)
    bounds = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    return dict(zip(MEASURES, (Interval(*each) for each in bounds), strict=True))


def _compute_measures(sums: Floats) -> Floats:
    """(rows, 6) measures of (rows, 6) sums."""
    both, found, true, precision, recall, entries = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs = both / found, both / true
        cubed = precision / entries, recall / entries
        means = [2 * p * r / (p + r) for p, r in (pairs, cubed)]
    return np.stack([*pairs, means[0], *cubed, means[1]], axis=1)
