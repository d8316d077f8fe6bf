"""Scores of all papers for a query, by vectors or by words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.compiled import compiled
from citescape.recommend.questions import Questions
from citescape.recommend.rounded import Rounded
from citescape.recommend.tiles import TILE, Mixed, VectorSource, lay_out, multiply
from citescape.search.listed import Codes, Rows
from citescape.search.postings import Postings, add_postings, make_postings

Scores = npt.NDArray[np.float32]


class QueryScorer(Protocol):
    """Scores of papers for some queries, which the caller may write into.

    A score is the same bits whatever the queries and papers beside it.
    """

    def __call__(self, papers: slice | Rows, /, *, rough: bool = False) -> Scores:
        """(b, r) of a range, which begins and ends between tiles, or (b, c) of some papers.

        Rough ones, of a range, are never less; and quicker where there are few queries.
        """
        ...


@dataclass(frozen=True, eq=False)
class DenseField:
    """Cosines of queries and papers (Profiler, Eq. 5)."""

    vectors: VectorSource
    """(n, d) of any length; zeros for papers without one."""

    def __len__(self) -> int:
        return self.vectors.shape[0]

    @cached_property
    def tiles(self) -> Scores:
        """(n / 256, d, 256) of length 1, see `tiles.lay_out`."""
        return lay_out(self.vectors)

    @cached_property
    def rounded(self) -> Rounded:
        """The same in eight bits."""
        return Rounded.of(self.vectors)

    def ask(self, asked: Questions, part: slice) -> QueryScorer:
        """For the queries of a part."""
        queries = asked.vectors[part]

        def score(papers: slice | Rows, *, rough: bool = False) -> Scores:
            if not isinstance(papers, slice):
                tiles = lay_out(self.vectors[papers], threads=1)
                return multiply(queries, tiles)[:, : len(papers)]
            if rough:
                return self.rounded.bound(queries, papers)
            own = self.tiles[papers.start // TILE : -(-papers.stop // TILE)]
            return multiply(queries, own)[:, : papers.stop - papers.start]

        return score

    def take(self, rows: Rows) -> DenseField:
        """Some papers."""
        return DenseField(self.vectors[rows])

    def mix(self, other: DenseField, chosen: npt.NDArray[np.bool_]) -> DenseField:
        """The other's vectors of the papers chosen (n,)."""
        return DenseField(Mixed(self.vectors, other.vectors, chosen))


@dataclass(frozen=True, eq=False)
class LexicalField:
    """BM25: sum over words of what the query gives a word times what the paper does."""

    weights: csr_array
    """(n, words), see `networks.text.compute_weights`."""

    def __len__(self) -> int:
        return int(self.weights.shape[0])

    @cached_property
    def postings(self) -> Postings:
        """For each word the papers that have it."""
        return make_postings(self.weights)

    def ask(self, asked: Questions, part: slice) -> QueryScorer:
        """For the queries of a part; nothing is quicker than the scores themselves."""
        words = asked.words[part]
        given = (words.indptr, words.indices, words.data)

        def score(papers: slice | Rows, *, rough: bool = False) -> Scores:
            if not isinstance(papers, slice):
                return self.take(papers).ask(asked, part)(slice(0, len(papers)))
            found = np.zeros((words.shape[0], papers.stop - papers.start), np.float32)
            _add(given, self.postings, papers.start, found)
            return found

        return score

    def take(self, rows: Rows) -> LexicalField:
        """Some papers."""
        return LexicalField(csr_array(self.weights[rows]))

    def mix(self, other: LexicalField, chosen: npt.NDArray[np.bool_]) -> LexicalField:
        """The other's weights of the papers chosen (n,)."""
        kept = np.repeat(~chosen, np.diff(self.weights.indptr))
        taken = np.repeat(chosen, np.diff(other.weights.indptr))
        return LexicalField(_keep(self.weights, kept) + _keep(other.weights, taken))


Field = DenseField | LexicalField


def _keep(weights: csr_array, kept: npt.NDArray[np.bool_]) -> csr_array:
    """Without the entries that are not kept."""
    counts = np.add.reduceat(np.append(kept, False), weights.indptr[:-1]) if len(kept) else 0
    counts = np.where(np.diff(weights.indptr) > 0, counts, 0)
    ends = np.append(0, np.cumsum(counts))
    return csr_array((weights.data[kept], weights.indices[kept], ends), shape=weights.shape)


@compiled
def _add(asked: tuple[Codes, Codes, Scores], postings: Postings, first: int, found: Scores) -> None:
    """Adds to (b, r) what the words of each query give the papers from the first on."""
    for query in range(len(found)):
        given = slice(asked[0][query], asked[0][query + 1])
        words, often = asked[1][given], asked[2][given]
        cursors = postings[0][words]
        for at in range(len(words) if first else 0):
            papers = postings[1][cursors[at] : postings[0][words[at] + 1]]
            cursors[at] += np.searchsorted(papers, first)
        add_postings(words, often, postings, cursors, first, found[query])
