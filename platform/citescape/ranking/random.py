"""Scores drawn at random: what chance reaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.ranking.listed import Floats, Rows
from citescape.ranking.ranker import NONE, Found


@dataclass(frozen=True)
class Random:
    """Each query draws its own order of papers."""

    name = "random"

    seed: int = 0

    def describe(self) -> dict[str, str | float]:
        """The seed."""
        return {"ranker": self.name, "seed": self.seed}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) false: nothing is needed."""
        return np.zeros(len(rows), np.bool_)

    def among(self, pool: Rows) -> RandomPool:
        """Some papers, ascending and each once."""
        return RandomPool(self, np.asarray(pool, np.int64))


@dataclass(frozen=True)
class RandomPool:
    """Papers to be drawn."""

    ranker: Random
    pool: Rows

    def _draw(self, query: int, size: int) -> Floats:
        return np.random.default_rng([self.ranker.seed, query]).random(size)

    def search(self, queries: Rows, k: int) -> Found:
        """Any k papers of the pool."""
        papers = np.full((len(queries), k), NONE, np.int32)
        scores = np.zeros(papers.shape, np.float32)
        for row, query in enumerate(queries.tolist()):
            drawn = self._draw(query, len(self.pool)).astype(np.float32)
            order = np.argsort(-drawn, kind="stable")
            order = order[self.pool[order] != query][:k]
            papers[row, : len(order)], scores[row, : len(order)] = self.pool[order], drawn[order]
        return Found(queries, papers, scores)

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) 0 to 1; a pair's own, whatever else is asked."""
        pairs = zip(queries.tolist(), papers.tolist(), strict=True)
        seeds = ([self.ranker.seed, query, paper] for query, paper in pairs)
        return np.fromiter((np.random.default_rng(seed).random() for seed in seeds), np.float64)
