"""Accuracy and granularity of communities under a criterion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.mapping.communities.clustering import (
    Clustering,
    compute_granularity,
)
from citescape.mapping.communities.criterion import Criterion


@dataclass(frozen=True)
class AccuracyFigures:
    """Accuracy of a clustering under a criterion, over the judged papers."""

    accuracy: float
    """Eq. 3: 0 for singletons, 1 for a single community."""
    granularity: float
    """N / sum of squared sizes: 1/N to 1."""
    expected: float
    """Accuracy of communities of these sizes if papers were assigned to them at random."""
    communities: int
    """Number of communities with a judged paper."""
    papers: int
    """N, the number of judged papers."""


def judge_clustering(criterion: Criterion, clustering: Clustering) -> AccuracyFigures:
    """Accuracy of a clustering: A = (1/N) sum over i, j of [c_i = c_j] r_ij (CIA, Eq. 3).

    N is the number of judged papers, those that the criterion relates to others. (The text of CIA
    has the number of pairs; but rows of r sum to 1, so that only the number of papers gives the
    scale of Waltman et al. 2020.) One community has accuracy 1 and singletons have 0. Granularity
    is computed over the same papers: others count neither in N nor in sizes.

    Raises:
        ConfigError: papers of the criterion are not in the core of the clustering, or no paper
            can be judged.
    """
    rows, judged = find_rows(criterion.ids, clustering.ids), criterion.judged
    missing, papers = int((~np.append(clustering.core, False)[rows]).sum()), int(judged.sum())
    if missing or not papers:
        raise ConfigError(
            f"of {len(rows)} papers {papers} can be judged by {criterion.name}, and {missing} are "
            "not in the core of the clustering; expected related papers, all of "
            "them clustered"
        )
    labels = clustering.labels[rows]
    sizes = np.unique(labels[judged], return_counts=True)[1].astype(np.int64)
    return AccuracyFigures(
        float(criterion.share(labels)[judged].sum() / papers),
        compute_granularity(sizes),
        expect_accuracy(sizes),
        len(sizes),
        papers,
    )


def expect_accuracy(sizes: npt.NDArray[np.int64]) -> float:
    """Mean accuracy over all assignments of papers: sum n_c (n_c - 1) / (N (N - 1)).

    It is the probability that two papers are together, for every criterion. With granularity g it
    is (1 / g - 1) / (N - 1).
    """
    papers = int(sizes.sum())
    pairs = float((sizes.astype(np.float64) * (sizes - 1)).sum())
    return pairs / (papers * (papers - 1)) if papers > 1 else 0.0
