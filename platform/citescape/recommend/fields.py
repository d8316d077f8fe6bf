"""Scores of all papers for a query, by vectors or by words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.compiled import compiled
from citescape.ranking.listed import Codes, Rows
from citescape.recommend.questions import Questions
from citescape.recommend.tiles import TILE, Mixed, VectorSource, lay_out, multiply

Scores = npt.NDArray[np.float32]
Asked = Callable[[slice], Scores]
"""(b, r) scores of some queries with the papers of a range, which begins and ends between tiles;
the caller may write into it. A score is the same bits whatever the queries and papers beside it."""


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

    def ask(self, asked: Questions, part: slice) -> Asked:
        """For the queries of a part."""
        queries, tiles = asked.vectors[part], self.tiles

        def score(papers: slice) -> Scores:
            own = tiles[papers.start // TILE : -(-papers.stop // TILE)]
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
    """(n, words), see `relatedness.text.compute_weights`."""

    def __len__(self) -> int:
        return int(self.weights.shape[0])

    @cached_property
    def postings(self) -> tuple[Rows, Codes, Scores]:
        """CSR of (word, paper) with weights."""
        turned = self.weights.astype(np.float32).T.tocsr()
        return turned.indptr.astype(np.int64), turned.indices.astype(np.int32), turned.data

    def ask(self, asked: Questions, part: slice) -> Asked:
        """For the queries of a part."""
        words, postings = asked.words[part], self.postings
        given = (words.indptr, words.indices, words.data)

        def score(papers: slice) -> Scores:
            found = np.zeros((words.shape[0], papers.stop - papers.start), np.float32)
            _add(given, postings, papers.start, found)
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
def _add(
    asked: tuple[Codes, Codes, Scores],
    postings: tuple[Rows, Codes, Scores],
    first: int,
    found: Scores,
) -> None:
    """Adds to (b, r) what the words of each query give the papers from the first on."""
    for query in range(len(found)):
        sums = found[query]
        for at in range(asked[0][query], asked[0][query + 1]):
            word, often = asked[1][at], asked[2][at]
            begin, end = postings[0][word], postings[0][word + 1]
            place = begin + np.searchsorted(postings[1][begin:end], first)
            while place < end and postings[1][place] < first + len(sums):
                sums[postings[1][place] - first] += often * postings[2][place]
                place += 1
