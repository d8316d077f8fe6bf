"""Random scores, as the chance level of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.draws import draw
from citescape.search.listed import Floats, Rows
from citescape.search.ranker import NONE, SearchResult, locate
from citescape.search.selection import BestScores
from citescape.search.traits import Traits

_SCALE = 2.0**-64
"""Converts 64 random bits to a number from 0 to 1."""


@dataclass(frozen=True)
class Random:
    """Each pair of a query and a paper has its own score, independent of other pairs."""

    name = "random"

    seed: int = 0

    @property
    def traits(self) -> Traits:
        """No traits."""
        return Traits()

    def describe(self) -> dict[str, str | float]:
        """Name and seed, for records of runs."""
        return {"ranker": self.name, "seed": self.seed}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) false: each paper has a score."""
        return np.zeros(len(rows), np.bool_)

    def among(self, pool: Rows) -> RandomPool:
        """The ranker on a pool of papers: rows, ascending, each once."""
        return RandomPool(self, np.asarray(pool, np.int64))


@dataclass(frozen=True)
class RandomPool:
    """A random ranker on a pool of papers."""

    ranker: Random
    pool: Rows

    def search(self, queries: Rows, k: int) -> SearchResult:
        """Random papers of the pool: k for each query."""
        papers = np.empty((len(queries), k), np.int32)
        scores = np.empty(papers.shape, np.float32)
        for row, query in enumerate(queries.tolist()):
            best = BestScores(1, k, len(self.pool), np.float64)
            drawn = _draw_scores(self.ranker.seed, np.full(len(self.pool), query), self.pool)
            best.add(drawn[None], (self.pool != query)[None], 0)
            (places,), (scores[row],) = best.sort()
            papers[row] = np.append(self.pool, NONE)[places]  # place -1 is NONE
        return SearchResult(queries, papers, scores)

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) random scores, 0 to 1.

        Raises:
            ConfigError: a paper is not in the pool.
        """
        locate(self.pool, papers)
        return _draw_scores(self.ranker.seed, queries, papers)


@compiled
def _draw_scores(seed: int, queries: Rows, papers: Rows) -> Floats:
    scores = np.empty(len(papers))
    for k in range(len(papers)):
        scores[k] = np.float64(draw(seed, queries[k], papers[k])) * _SCALE
    return scores
