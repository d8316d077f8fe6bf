"""Sums over postings, a stretch of papers at a time, so that the sums stay in the cache."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.compiled import compiled

Array = npt.NDArray[Any]
_STRETCH = 1 << 15
_NONE = -1


@compiled
def search_postings(
    asked: tuple[Array, Array, Array],
    postings: tuple[Array, Array, Array],
    own: Array,
    block: tuple[int, int],
    size: int,
    columns: Array,
    scores: Array,
) -> None:
    """Fills columns (b, k) and scores (b, k) for the queries of a block, the best first.

    Args:
        asked: CSR of (query, word) with how often.
        postings: CSR of (word, paper) with weights; papers ascend.
        own: (q,) column of each query itself, -1 for none.
        block: first query and the one after the last.
        size: papers.
        columns: -1 where fewer have a word of the query.
        scores: descending; of equal ones the lower column first.
    """
    totals = np.zeros(min(size, _STRETCH))
    heap, held_columns = np.empty(columns.shape[1]), np.empty(columns.shape[1], np.int32)
    for query in range(block[0], block[1]):
        words = slice(asked[0][query], asked[0][query + 1])
        sought = (asked[1][words], asked[2][words])
        held = _search(sought, postings, own[query], size, totals, heap, held_columns)
        row = query - block[0]
        columns[row], scores[row] = _NONE, 0.0
        for place in range(held - 1, -1, -1):
            columns[row, place], scores[row, place] = held_columns[0], heap[0]
            _shrink(heap, held_columns, place)


@compiled
def _search(
    query: tuple[Array, Array],
    postings: tuple[Array, Array, Array],
    own: int,
    size: int,
    totals: Array,
    heap: Array,
    columns: Array,
) -> int:
    """Offers all papers with a word of the query to the heap; returns how many it holds."""
    words, often = query
    cursors = np.empty(len(words), np.int64)
    for at in range(len(words)):
        cursors[at] = postings[0][words[at]]
    held = 0
    for first in range(0, size, _STRETCH):
        last = min(first + _STRETCH, size)
        for at in range(len(words)):
            place, end = cursors[at], postings[0][words[at] + 1]
            while place < end and postings[1][place] < last:
                totals[postings[1][place] - first] += often[at] * postings[2][place]
                place += 1
            cursors[at] = place
        for row in range(last - first):
            if totals[row] > (heap[0] if held == len(heap) else 0.0) and first + row != own:
                held = _offer(heap, columns, held, (totals[row], first + row))
            totals[row] = 0.0
    return held


@compiled
def _offer(heap: Array, columns: Array, held: int, entry: tuple[float, int]) -> int:
    """Puts an entry into a heap with the worst one on top; entries come by ascending column.

    So of equal values a later one is worse, and does not enter a full heap.
    """
    if held == len(heap):
        _sink(heap, columns, held, entry)
        return held
    place = held
    while place:
        above = (place - 1) >> 1
        if not _worse(entry, (heap[above], columns[above])):
            break
        heap[place], columns[place], place = heap[above], columns[above], above
    heap[place], columns[place] = entry
    return held + 1


@compiled
def _shrink(heap: Array, columns: Array, last: int) -> None:
    """Takes the worst entry off a heap of last + 1 entries."""
    if last:
        _sink(heap, columns, last, (heap[last], columns[last]))


@compiled
def _sink(heap: Array, columns: Array, held: int, entry: tuple[float, int]) -> None:
    """Puts an entry in place of the worst."""
    place, child = 0, 1
    while child < held:
        other = child + 1
        if other < held and _worse((heap[other], columns[other]), (heap[child], columns[child])):
            child = other
        if not _worse((heap[child], columns[child]), entry):
            break
        heap[place], columns[place] = heap[child], columns[child]
        place, child = child, 2 * child + 1
    heap[place], columns[place] = entry


@compiled
def _worse(one: tuple[float, int], other: tuple[float, int]) -> bool:
    """A lower value; of equal ones the higher column."""
    return bool(one[0] < other[0] or (one[0] == other[0] and one[1] > other[1]))
