"""Dense retrieval: papers whose vectors are nearest to that of a paper."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.search.exact import prepare_search, search_all
from citescape.search.listed import Floats, Rows
from citescape.search.ranker import NONE, SearchResult, locate
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
    """Vectors of some or all papers; one that is zero or not finite counts as missing."""
    metric: str = "cosine"
    source: str = ""
    """Source of the vectors, such as the id of a run."""
    threads: int = 0
    known: Traits = field(default_factory=Traits)
    """Traits of the source."""

    @property
    def traits(self) -> Traits:
        """Traits of the source, with the dimension of the vectors."""
        return replace(self.known, dimension=self.vectors.dimensions)

    @cached_property
    def places(self) -> Rows:
        """(papers,) row of the vector of each paper, -1 if missing."""
        rows, usable = self.vectors.rows(self.ids), np.zeros(len(self.vectors) + 1, np.bool_)
        for part in slices(len(self.vectors)):
            norms = np.linalg.norm(self.vectors.values[part], axis=1)
            usable[part] = np.isfinite(norms) & (norms > 0)
        return np.where(usable[rows], rows, NONE)  # -1 is the last, false

    def describe(self) -> dict[str, str | float]:
        """Source of the vectors, and metric."""
        return {"vectors": self.source, "metric": self.metric}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers without a vector, or with one that is zero or not finite."""
        lacking: npt.NDArray[np.bool_] = self.places[rows] == NONE
        return lacking

    def among(self, pool: Rows) -> DensePool:
        """A pool of papers, ascending and each once."""
        return DensePool(self, np.asarray(pool, np.int64))


@dataclass(frozen=True)
class DensePool:
    """Papers with their vectors."""

    ranker: Dense
    pool: Rows
    """(n,) rows of the corpus; papers without a vector are never found."""

    @cached_property
    def _held(self) -> tuple[Rows, Vectors]:
        rows = self.pool[~self.ranker.lacks(self.pool)]
        return rows, self.ranker.vectors.select_rows(self.ranker.places[rows])

    def search(self, queries: Rows, k: int) -> SearchResult:
        """The k nearest papers, or all; empty lists for queries without a vector."""
        rows, held = self._held
        papers = np.full((len(queries), k), NONE, np.int32)
        scores = np.full(papers.shape, -np.inf, np.float32)
        known = np.flatnonzero(~self.ranker.lacks(queries))
        known = known[np.argsort(queries[known], kind="stable")]
        if len(known) and len(rows):
            vectors = self.ranker.vectors.select_rows(self.ranker.places[queries[known]])
            search = prepare_search(
                held,
                vectors,
                k,
                metric=self.ranker.metric,
                threads=self.ranker.threads,
                allow_fewer=True,
            )
            nearest, scores[known] = search_all(search)
            papers[known] = np.append(rows, NONE)[nearest]  # -1 is the last
        return SearchResult(queries, papers, scores)

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) -infinity if either vector is missing.

        Raises:
            ConfigError: a paper is not in the pool.
        """
        locate(self.pool, papers)
        values, places = self.ranker.vectors.values, self.ranker.places
        scores = np.full(len(queries), -np.inf)
        known = np.flatnonzero((places[queries] != NONE) & (places[papers] != NONE))
        for part in slices(len(known), _PAIRS):
            rows = known[part]
            first = np.asarray(values[places[queries[rows]]], np.float64)
            second = np.asarray(values[places[papers[rows]]], np.float64)
            if self.ranker.metric == "l2":
                scores[rows] = -np.linalg.norm(first - second, axis=1)
            elif self.ranker.metric == "dot":
                scores[rows] = np.einsum("pd,pd->p", first, second)
            else:
                scores[rows] = compute_row_cosines(first, second)
        return scores
