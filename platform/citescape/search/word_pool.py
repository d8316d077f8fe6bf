"""Retrieval of papers by the words that they share with a query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from citescape.core.blocks import run_blocks
from citescape.search.listed import Floats, Rows
from citescape.search.postings import Postings, make_postings, search_postings
from citescape.search.ranker import NONE, SearchResult, find_own, locate
from citescape.search.vectors import slices

_QUERIES = 64
"""Queries that a thread searches at a time."""
_PAIRS = 1 << 14
"""Pairs compared at a time."""


@dataclass(frozen=True)
class WordPool:
    """Papers with the weights of their words: score(q, d) = sum over words of q_w d_w."""

    query_weights: csr_array
    """(papers, words) of the corpus: weights of words in queries."""
    weights: csr_array
    """(n, words) weights of words in the papers of the pool."""
    pool: Rows
    """(n,) rows of the corpus, ascending and each once."""
    threads: int = 0

    @cached_property
    def postings(self) -> Postings:
        """Postings of the weights, which searches read."""
        return make_postings(self.weights)

    def search(self, queries: Rows, k: int) -> SearchResult:
        """Papers that share a word with the query."""
        words = self.query_weights[queries]
        parts = (
            (words.indptr, words.indices, words.data.astype(np.float64)),
            self.postings,
            find_own(self.pool, queries),
        )
        columns = np.empty((len(queries), k), np.int32)
        scores = np.empty((len(queries), k))

        def work(part: slice) -> None:
            span, size = (part.start, part.stop), len(self.pool)
            search_postings(*parts, span, size, columns[part], scores[part])

        for _ in run_blocks(work, slices(len(queries), _QUERIES), threads=self.threads):
            pass
        papers = np.append(self.pool, NONE)[columns].astype(np.int32)  # -1 is the last
        return SearchResult(queries, papers, scores.astype(np.float32))

    def score(self, queries: Rows, papers: Rows) -> Floats:
        """(pairs,) 0 without a shared word.

        Raises:
            ConfigError: a paper is not in the pool.
        """
        own = locate(self.pool, papers)
        scores = np.empty(len(queries))
        for part in slices(len(queries), _PAIRS):
            products = self.query_weights[queries[part]] * self.weights[own[part]]
            scores[part] = np.asarray(products.sum(axis=1)).ravel()
        return scores
