"""Candidates of a query in an epoch: one that it cites, and some that it does not.

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


@dataclass(frozen=True)
class Drawn:
    """Candidates of some queries, (queries, 1 + n): first the cited one."""

    rows: Ints
    """(queries,) rows of the shortlists."""
    papers: Ints
    """`NONE` where there are fewer negatives."""
    places: Ints
    """Position in the shortlist, from 0; k for a paper that was not retrieved."""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice) -> Drawn:
        return Drawn(self.rows[part], self.papers[part], self.places[part])


def find_trainable(shortlists: Shortlists, *, inject: bool = True) -> Ints:
    """Queries that cite a paper and have a candidate that they do not cite.

    Without `inject` a cited paper must have been retrieved.
    """
    cites = np.diff(shortlists.offsets) > 0
    if not inject:
        cites &= shortlists.is_relevant.any(1)
    against = (shortlists.filled & ~shortlists.is_relevant).any(1)
    return np.flatnonzero(cites & against)


def order_queries(shortlists: Shortlists, *, seed: int, epoch: int) -> Ints:
    """(queries,) rows in the random order of an epoch."""
    rows = np.arange(len(shortlists))
    return shuffle_anchors(rows, shortlists.keys, seed=seed, purpose=epoch_purpose(epoch))


def draw_candidates(
    shortlists: Shortlists, rows: Ints, *, negatives: int, seed: int, epoch: int
) -> Drawn:
    """One positive and n distinct negatives of each query (DAVINCI, section 3.4).

    The positive is a retrieved one; if none was, any paper that the query cites is injected at
    place k, in training only. Negatives are retrieved and not cited by the query; all of them,
    where they are fewer than n. Each of these queries has a positive and a negative
    (`find_trainable`).
    """
    k, relevant = shortlists.k, shortlists.is_relevant[rows]
    random = _draw_columns(seed, shortlists.keys[rows], (epoch * (k + 1), k + 1))  # (b, k + 1)
    found = np.where(relevant, random[:, :k], _LAST)
    injected = ~relevant.any(1)
    first = np.where(injected, k, found.argmin(1))
    counts = np.diff(shortlists.offsets)[rows].astype(np.uint64)
    chosen = shortlists.offsets[rows] + ((random[:, k] >> np.uint64(32)) * counts >> np.uint64(32))
    chosen = chosen.astype(np.int64)
    papers = shortlists.papers[rows]
    positive = np.where(
        injected, shortlists.relevant[chosen], papers[np.arange(len(rows)), first % k]
    )
    against = np.where(shortlists.filled[rows] & ~relevant, random[:, :k], _LAST)
    others = np.argsort(against, axis=1, kind="stable")[:, :negatives]
    there = np.take_along_axis(against, others, 1) != _LAST
    negative = np.where(there, np.take_along_axis(papers, others, 1), NONE)
    return Drawn(rows, np.column_stack([positive, negative]), np.column_stack([first, others]))


@compiled
def _draw_columns(seed: int, keys: Ints, span: tuple[int, int]) -> Ints:
    """(keys, size) uint64: the draws of each key from number `first` on."""
    first, size = span
    drawn = np.empty((len(keys), size), np.uint64)
    for row in range(len(keys)):
        for column in range(size):
            drawn[row, column] = draw(seed, keys[row], first + column)
    return drawn
