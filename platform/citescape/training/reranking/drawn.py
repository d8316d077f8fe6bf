"""Candidates of a query in an epoch: a positive and negatives.

All draws follow from (seed, epoch, text of the query), so that training can continue from any
update.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.draws import draw
from citescape.sampling.draws import epoch_purpose, shuffle_anchors
from citescape.search.ranker import NONE
from citescape.training.reranking.shortlists import Shortlists

Ints = npt.NDArray[Any]
_LAST = np.uint64(2**64 - 1)
"""Sort key of candidates that cannot be drawn."""


@dataclass(frozen=True)
class DrawnCandidates:
    """Candidates of some queries, (queries, 1 + n): the cited paper first."""

    rows: Ints
    """(queries,) rows of the shortlists."""
    papers: Ints
    """Codes of papers; `NONE` if there are fewer negatives."""
    places: Ints
    """Position in the shortlist, from 0; k for a paper that was not retrieved."""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice) -> DrawnCandidates:
        return DrawnCandidates(self.rows[part], self.papers[part], self.places[part])


def find_trainable(shortlists: Shortlists, *, inject: bool = True) -> Ints:
    """Queries that cite a paper and have a candidate that they do not cite.

    Without `inject`, one of the candidates must be a cited paper.
    """
    cites = np.diff(shortlists.offsets) > 0
    if not inject:
        cites &= shortlists.is_relevant.any(1)
    has_negative = (shortlists.filled & ~shortlists.is_relevant).any(1)
    return np.flatnonzero(cites & has_negative)


def order_queries(shortlists: Shortlists, *, seed: int, epoch: int) -> Ints:
    """(queries,) rows in the random order of an epoch.

    Args:
        shortlists: queries to train on.
        seed: random seed.
        epoch: number of the epoch, from 0.
    """
    rows = np.arange(len(shortlists))
    return shuffle_anchors(rows, shortlists.keys, seed=seed, purpose=epoch_purpose(epoch))


def draw_candidates(
    shortlists: Shortlists, rows: Ints, *, negatives: int, seed: int, epoch: int
) -> DrawnCandidates:
    """One positive and n distinct negatives of each query (DAVINCI, section 3.4).

    The positive is a retrieved cited paper; if there is none, any cited paper is injected at
    position k, in training only. Negatives are retrieved papers that the query does not cite.

    Args:
        shortlists: lists to train on.
        rows: (b,) queries, each with a positive and a negative (`find_trainable`).
        negatives: n; a query with fewer negatives gets all of them.
        seed: random seed.
        epoch: number of the epoch, from 0.
    """
    k, relevant = shortlists.k, shortlists.is_relevant[rows]
    random = _draw_columns(seed, shortlists.keys[rows], (epoch * (k + 1), k + 1))  # (b, k + 1)
    positive_keys = np.where(relevant, random[:, :k], _LAST)
    injected = ~relevant.any(1)
    first = np.where(injected, k, positive_keys.argmin(1))
    # a cited paper with probability 1 / counts: the product of 32 random bits and counts, scaled
    counts = np.diff(shortlists.offsets)[rows].astype(np.uint64)
    cited = shortlists.offsets[rows] + ((random[:, k] >> np.uint64(32)) * counts >> np.uint64(32))
    papers = shortlists.papers[rows]
    positive = np.where(
        injected,
        shortlists.relevant[cited.astype(np.int64)],
        papers[np.arange(len(rows)), first % k],
    )
    negative_keys = np.where(shortlists.filled[rows] & ~relevant, random[:, :k], _LAST)
    others = np.argsort(negative_keys, axis=1, kind="stable")[:, :negatives]
    is_negative = np.take_along_axis(negative_keys, others, 1) != _LAST
    negative = np.where(is_negative, np.take_along_axis(papers, others, 1), NONE)
    return DrawnCandidates(
        rows, np.column_stack([positive, negative]), np.column_stack([first, others])
    )


@compiled
def _draw_columns(seed: int, keys: Ints, span: tuple[int, int]) -> Ints:
    """(keys, size) uint64: the draws of each key from number `first` on."""
    first, size = span
    drawn = np.empty((len(keys), size), np.uint64)
    for row in range(len(keys)):
        for column in range(size):
            drawn[row, column] = draw(seed, keys[row], first + column)
    return drawn
