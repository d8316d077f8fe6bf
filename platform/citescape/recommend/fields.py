"""Scores of all papers for queries, by vectors or by words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.compiled import compiled
from citescape.core.sorting import bisect
from citescape.recommend.queries import ContextQueries
from citescape.recommend.rounded import QuantizedVectors
from citescape.recommend.tiles import TILE, MixedVectors, VectorSource, lay_out, multiply
from citescape.search.listed import Codes, Rows
from citescape.search.postings import Postings, add_postings, make_postings

Scores = npt.NDArray[np.float32]


class QueryScorer(Protocol):
    """Scores of papers for some queries, which the caller may overwrite.

    The bits of a score do not depend on the other queries and papers that are scored with it.
    """

    def __call__(self, papers: slice | Rows, /, *, bounds: bool = False) -> Scores:
        """(b, r) scores of a range that begins and ends between tiles, or (b, c) of c rows.

        With `bounds`, for ranges only: upper bounds of the scores, which are faster for few
        queries.
        """
        ...


@dataclass(frozen=True, eq=False)
class DenseField:
    """Cosines of queries and papers (Profiler, Eq. 5)."""

    vectors: VectorSource
    """(n, d) vectors of any length; zeros for papers without a vector."""

    def __len__(self) -> int:
        return self.vectors.shape[0]

    @cached_property
    def tiles(self) -> Scores:
        """(n / 256, d, 256) of length 1, see `tiles.lay_out`."""
        return lay_out(self.vectors)

    @cached_property
    def rounded(self) -> QuantizedVectors:
        """The vectors, quantised to eight bits."""
        return QuantizedVectors.from_vectors(self.vectors)

    def scorer(self, queries: ContextQueries, part: slice) -> QueryScorer:
        """Scores papers for a part of the queries."""
        vectors = queries.vectors[part]

        def score(papers: slice | Rows, *, bounds: bool = False) -> Scores:
            if not isinstance(papers, slice):
                tiles = lay_out(self.vectors[papers], threads=1)
                return multiply(vectors, tiles)[:, : len(papers)]
            if bounds:
                return self.rounded.bound(vectors, papers)
            own = self.tiles[papers.start // TILE : -(-papers.stop // TILE)]
            return multiply(vectors, own)[:, : papers.stop - papers.start]

        return score

    def select_rows(self, rows: Rows) -> DenseField:
        """The field of some papers."""
        return DenseField(self.vectors[rows])

    def mix(self, other: DenseField, chosen: npt.NDArray[np.bool_]) -> DenseField:
        """The vectors of another field for the papers chosen (n,), else the own ones."""
        return DenseField(MixedVectors(self.vectors, other.vectors, chosen))


@dataclass(frozen=True, eq=False)
class LexicalField:
    """BM25: sum over words of the weight in the query times the weight in the paper."""

    weights: csr_array
    """(n, words), see `search.bm25.compute_weights`."""

    def __len__(self) -> int:
        return int(self.weights.shape[0])

    @cached_property
    def postings(self) -> Postings:
        """Papers that have each word."""
        return make_postings(self.weights)

    def scorer(self, queries: ContextQueries, part: slice) -> QueryScorer:
        """Scores papers for a part of the queries; the bounds are the scores themselves."""
        words = queries.words[part]
        entries = (words.indptr, words.indices, words.data)

        def score(papers: slice | Rows, *, bounds: bool = False) -> Scores:
            if not isinstance(papers, slice):
                return self.select_rows(papers).scorer(queries, part)(slice(0, len(papers)))
            scores = np.zeros((words.shape[0], papers.stop - papers.start), np.float32)
            _add(entries, self.postings, papers.start, scores)
            return scores

        return score

    def select_rows(self, rows: Rows) -> LexicalField:
        """The field of some papers."""
        return LexicalField(csr_array(self.weights[rows]))

    def mix(self, other: LexicalField, chosen: npt.NDArray[np.bool_]) -> LexicalField:
        """The weights of another field for the papers chosen (n,), else the own ones."""
        own = _filter_rows(self.weights, ~chosen)
        return LexicalField(own + _filter_rows(other.weights, chosen))


Field = DenseField | LexicalField


def _filter_rows(weights: csr_array, rows: npt.NDArray[np.bool_]) -> csr_array:
    """The same matrix with the other rows empty."""
    counts = np.diff(weights.indptr)
    kept = np.repeat(rows, counts)
    ends = np.append(0, np.cumsum(np.where(rows, counts, 0)))
    return csr_array((weights.data[kept], weights.indices[kept], ends), shape=weights.shape)


@compiled
def _add(
    queries: tuple[Codes, Codes, Scores], postings: Postings, first: int, scores: Scores
) -> None:
    """Adds to (b, r) the scores of the papers from `first` on; `queries` is CSR of words."""
    for query in range(len(scores)):
        entries = slice(queries[0][query], queries[0][query + 1])
        words, weights = queries[1][entries], queries[2][entries]
        cursors = postings[0][words]
        for at in range(len(words) if first else 0):
            papers = postings[1][cursors[at] : postings[0][words[at] + 1]]
            cursors[at] += bisect(papers, first)
        add_postings(words, weights, postings, cursors, first, scores[query])
