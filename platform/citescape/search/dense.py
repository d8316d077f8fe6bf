"""Dense retrieval: papers whose vectors lie nearest to a paper's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.search.exact import prepare_search, search_all
from citescape.search.listed import Floats, Rows
from citescape.search.ranker import NONE, Found, locate
from citescape.search.traits import Traits
from citescape.search.vectors import Vectors, compute_row_cosines, slices

_PAIRS = 1 << 14


@dataclass(frozen=True)
class Dense:
    """Nearest by cosine, product, or Euclidean distance times -1; searched exactly."""

    name: str
    ids: pa.StringArray
    """(papers,) of the corpus, ascending."""
    vectors: Vectors
    """Of some or all of them; a vector that is zero or no number says nothing."""
    metric: str = "cosine"
    source: str = ""
    """What made the vectors, such as the id of a run."""
    threads: int = 0
    known: Traits = field(default_factory=Traits)
    """Of what made the vectors."""

    @property
    def traits(self) -> Traits:
        """With the length of its vectors."""
        return replace(self.known, dimension=self.vectors.dimensions)

    @cached_property
    def places(self) -> Rows:
        """(papers,) row of each paper's vector, -1 where it has none."""
        rows, usable = self.vectors.rows(self.ids), np.zeros(len(self.vectors) + 1, np.bool_)
        for part in slices(len(self.vectors)):
            norms = np.linalg.norm(self.vectors.values[part], axis=1)
            usable[part] = np.isfinite(norms) & (norms > 0)
        return np.where(usable[rows], rows, NONE)  # the last one is false, and stands for -1

    def describe(self) -> dict[str, str | float]:
        """What made the vectors, and how they are compared."""
        return {"vectors": self.source, "metric": self.metric}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers without a vector, or with one that is zero or no number."""
        lacking: npt.NDArray[np.bool_] = self.places[rows] == NONE
        return lacking

    def among(self, pool: Rows) -> DensePool:
        """Copies the vectors of the papers given, ascending and each once."""
        return DensePool(self, np.asarray(pool, np.int64))


@dataclass(frozen=True)
class DensePool:
    """Papers with their vectors."""

    ranker: Dense
    pool: Rows
    """(n,) rows of the corpus; those without a vector cannot be found."""

    @cached_property
    def _held(self) -> tuple[Rows, Vectors]:
        rows = self.pool[~self.ranker.lacks(self.pool)]
        return rows, self.ranker.vectors.take(self.ranker.places[rows])

    def search(self, queries: Rows, k: int) -> Found:
        """The nearest papers, all there are if fewer than k; nothing for queries that lack."""
        rows, held = self._held
        papers = np.full((len(queries), k), NONE, np.int32)
        scores = np.full(papers.shape, -np.inf, np.float32)
        asked = np.flatnonzero(~self.ranker.lacks(queries))
        asked = asked[np.argsort(queries[asked], kind="stable")]
        if len(asked) and len(rows):
            given = self.ranker.vectors.take(self.ranker.places[queries[asked]])
            search = prepare_search(
                held,
                given,
                k,
                metric=self.ranker.metric,
                threads=self.ranker.threads,
                fewer=True,
            )
            found, scores[asked] = search_all(search)
            papers[asked] = np.append(rows, NONE)[found]  # the last stands for -1
        return Found(queries, papers, scores)

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) -infinity where either lacks a vector.

        Raises:
            ConfigError: a paper is not in the pool.
        """
        locate(self.pool, papers)
        values, places = self.ranker.vectors.values, self.ranker.places
        found = np.full(len(queries), -np.inf)
        there = np.flatnonzero((places[queries] != NONE) & (places[papers] != NONE))
        for part in slices(len(there), _PAIRS):
            rows = there[part]
            one, other = (
                np.asarray(values[places[side[rows]]], np.float64) for side in (queries, papers)
            )
            found[rows] = _compare(one, other, self.ranker.metric)
        return found


def _compare(one: Floats, other: Floats, metric: str) -> Floats:
    """(pairs,) of rows of vectors."""
    if metric == "l2":
        distances: Floats = -np.linalg.norm(one - other, axis=1)
        return distances
    if metric == "dot":
        products: Floats = np.einsum("pd,pd->p", one, other)
        return products
    return compute_row_cosines(one, other)
