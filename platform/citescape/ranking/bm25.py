"""BM25: papers whose titles and abstracts share words with a paper's, rare ones above all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.embeddings.vectors import slices
from citescape.encoders.documents import Document
from citescape.errors import ConfigError
from citescape.networks.blocks import run_blocks
from citescape.ranking.bm25_kernels import search_postings
from citescape.ranking.listed import Codes, Floats, Rows
from citescape.ranking.ranker import NONE, Found, find_own, locate
from citescape.ranking.words import ANALYSER, count_words
from citescape.relatedness.text import compute_weights

_QUERIES = 64
"""That a thread answers at one time."""
_PAIRS = 1 << 14
"""Whose words are compared at one time."""
K1, B = 1.2, 0.75


@dataclass(frozen=True)
class Bm25:
    """Okapi BM25 over words (Robertson et al. 1994; MDCR, appendix A).

    score(q, d) = sum over words t of q, as often as q has them, of
    ln(1 + (N - n + .5) / (n + .5)) f (k1 + 1) / (f + k1 (1 - b + b l / m)),
    with f the count of t in d, l the words of d and m their mean, n of the N papers of the pool
    with t. A query is the title
    and abstract of a paper, and a paper is read the same way; see `relatedness.terms` for what a
    word is.
    """

    name = "bm25"

    counts: csr_array
    """(papers, words) of the corpus."""
    k1: float = K1
    """How soon repetitions stop to count, 0 and up."""
    b: float = B
    """How much long texts count less, 0 to 1."""
    threads: int = 0
    """For every core this process may use; results do not depend on it."""

    def __post_init__(self) -> None:
        if not (self.k1 >= 0 and 0 <= self.b <= 1):
            raise ConfigError(f"k1 is {self.k1} and b {self.b}; expected k1 >= 0 and 0 <= b <= 1")

    @classmethod
    def of(cls, documents: Sequence[Document], *, k1: float = K1, b: float = B) -> Bm25:
        """Reads the words of a corpus."""
        return cls(count_words(documents)[1], k1, b)

    def tuned(self, k1: float, b: float) -> Bm25:
        """The same words, weighed otherwise."""
        return replace(self, k1=k1, b=b)

    def describe(self) -> dict[str, str | float]:
        """Its settings, and the version of what tells words."""
        return {"ranker": self.name, "k1": self.k1, "b": self.b, "analyser": ANALYSER}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers without words."""
        empty: npt.NDArray[np.bool_] = np.diff(self.counts.indptr)[rows] == 0
        return empty

    def among(self, pool: Rows) -> Bm25Pool:
        """N, n and m are those of the papers given, ascending and each once."""
        return Bm25Pool(self, np.asarray(pool, np.int64))


@dataclass(frozen=True)
class Bm25Pool:
    """Papers with the weights of their words."""

    ranker: Bm25
    pool: Rows
    """(n,) rows of the corpus."""

    @cached_property
    def weights(self) -> csr_array:
        """(n, words)."""
        return compute_weights(self.ranker.counts[self.pool], k1=self.ranker.k1, b=self.ranker.b)

    @cached_property
    def postings(self) -> tuple[Rows, Codes, Floats]:
        """CSR of (word, paper) with weights, of which searches read nothing else."""
        turned = self.weights.T.tocsr()
        return turned.indptr.astype(np.int64), turned.indices.astype(np.int32), turned.data

    def search(self, queries: Rows, k: int) -> Found:
        """Papers that share a word with the query."""
        asked = self.ranker.counts[queries]
        parts = (
            (asked.indptr, asked.indices, asked.data.astype(np.float64)),
            self.postings,
            find_own(self.pool, queries),
        )
        columns = np.empty((len(queries), k), np.int32)
        scores = np.empty((len(queries), k))

        def work(part: slice) -> None:
            span, size = (part.start, part.stop), len(self.pool)
            search_postings(*parts, span, size, columns[part], scores[part])

        for _ in run_blocks(work, slices(len(queries), _QUERIES), threads=self.ranker.threads):
            pass
        papers = np.where(columns == NONE, NONE, self.pool[columns]).astype(np.int32)
        return Found(queries, papers, scores.astype(np.float32))

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) 0 where no word is shared.

        Raises:
            ConfigError: a paper is not in the pool.
        """
        own = locate(self.pool, papers)
        found = np.empty(len(queries))
        for part in slices(len(queries), _PAIRS):
            both = self.ranker.counts[queries[part]] * self.weights[own[part]]
            found[part] = np.asarray(both.sum(axis=1)).ravel()
        return found
