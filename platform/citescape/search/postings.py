"""Sums over postings, the lists of papers that have each word."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.compiled import compiled
from citescape.core.sorting import bisect
from citescape.search.listed import Codes, Rows
from citescape.search.ranker import NONE
from citescape.search.selection import add_best, find_bound, find_room, sort_best

Array = npt.NDArray[Any]
Postings = tuple[Rows, Codes, npt.NDArray[np.float32]]
"""CSR of (word, paper) with weights; papers ascend."""
STRETCH = 1 << 15
"""Papers whose sums are computed at a time, so that they stay in the cache."""


def make_postings(weights: csr_array) -> Postings:
    """Postings of weights (papers, words)."""
    turned = weights.astype(np.float32).T.tocsr()
    codes: Codes = turned.indices.astype(np.int32, copy=False)
    return turned.indptr.astype(np.int64), codes, turned.data


@compiled
def search_postings(
    queries: tuple[Array, Array, Array],
    postings: Postings,
    own: Array,
    block: tuple[int, int],
    size: int,
    columns: Array,
    scores: Array,
) -> None:
    """Fills columns (b, k) and scores (b, k) for the queries of a block, the best first.

    Args:
        queries: CSR of (query, word) with weights.
        postings: postings of the searched papers.
        own: (q,) column of each query itself, -1 for none.
        block: first query and the one after the last.
        size: number of papers.
        columns: -1 fills lists with fewer papers that share a word.
        scores: descending, ties by column; -inf fills short lists.
    """
    k, totals = columns.shape[1], np.zeros(min(size, STRETCH))
    room = find_room(k, size)
    held = (np.empty(room, np.int32), np.empty(room))
    for query in range(block[0], block[1]):
        entries = slice(queries[0][query], queries[0][query + 1])
        words, weights = queries[1][entries], queries[2][entries]
        cursors, count, least = postings[0][words], 0, 0.0
        for first in range(0, size, STRETCH):
            sums = totals[: min(size - first, STRETCH)]
            add_postings(words, weights, postings, cursors, first, sums)
            if first <= own[query] < first + len(sums):
                sums[own[query] - first] = 0.0
            if least == 0.0:
                least = find_bound(sums, k)
            count, least = add_best(sums, None, first, k, least, held, count)
            sums[:] = 0.0
        row = query - block[0]
        columns[row], scores[row] = NONE, -np.inf
        sort_best(held, count, columns[row], scores[row])


@compiled
def add_postings(
    words: Array, weights: Array, postings: Postings, cursors: Array, first: int, sums: Array
) -> None:
    """Adds the scores of words to a stretch of papers; cursors move behind it.

    Args:
        words: words of the query.
        weights: (words,) weights of the words in the query.
        postings: postings of all papers.
        cursors: (words,) first posting of each word in the stretch.
        first: first paper of the stretch.
        sums: (r,) scores of its papers.
    """
    for at in range(len(words)):
        end = postings[0][words[at] + 1]
        papers, values = postings[1][cursors[at] : end], postings[2][cursors[at] : end]
        stop = len(papers)
        if stop and papers[-1] >= first + len(sums):
            stop = bisect(papers, first + len(sums))
        for place in range(stop):
            sums[papers[place] - first] += weights[at] * values[place]
        cursors[at] += stop
