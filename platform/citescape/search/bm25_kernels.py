"""Sums over postings, a stretch of papers at a time, so that the sums stay in the cache.

Few papers are compared with each other: those with more than a bound that at least k reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled

Array = npt.NDArray[Any]
_STRETCH = 1 << 15
_DEPTH, _RUN = 32, 16
"""Sums of which only the greatest is looked at first; and that are passed over together."""
_SPARE = 4
"""Times k that candidates may be before they are thinned out."""
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
    k, totals = columns.shape[1], np.zeros(min(size, _STRETCH))
    values, found = np.empty(_SPARE * k + _STRETCH), np.empty(_SPARE * k + _STRETCH, np.int32)
    for query in range(block[0], block[1]):
        words = slice(asked[0][query], asked[0][query + 1])
        sought, ends = (asked[1][words], asked[2][words]), (own[query], size)
        held = _search(sought, postings, ends, totals, (values, found), k)
        order = np.argsort(-values[:held], kind="mergesort")[:k]
        row = query - block[0]
        columns[row], scores[row] = _NONE, 0.0
        columns[row, : len(order)], scores[row, : len(order)] = found[order], values[order]


@compiled
def _search(
    query: tuple[Array, Array],
    postings: tuple[Array, Array, Array],
    ends: tuple[int, int],
    totals: Array,
    held: tuple[Array, Array],
    k: int,
) -> int:
    """Gathers what may be among the k best, by ascending column; returns how many there are."""
    own, size = ends
    cursors, count, least = postings[0][query[0]], 0, 0.0
    for first in range(0, size, _STRETCH):
        sums = totals[: min(size - first, _STRETCH)]
        _add(query, postings, cursors, first, sums)
        if first <= own < first + len(sums):
            sums[own - first] = 0.0
        least = max(least, _bound(sums, k)) if least == 0.0 else least
        count = _gather(sums, first, least, held, count)
        if count > _SPARE * k:
            count, least = _thin(held, count, k)
        sums[:] = 0.0
    return count


@compiled
def _add(
    query: tuple[Array, Array],
    postings: tuple[Array, Array, Array],
    cursors: Array,
    first: int,
    sums: Array,
) -> None:
    """Adds the weights of a stretch of papers; cursors move behind it."""
    for at in range(len(cursors)):
        end, often = postings[0][query[0][at] + 1], query[1][at]
        papers = postings[1][cursors[at] : end]
        stop = len(papers)
        if stop and papers[-1] >= first + len(sums):
            stop = int(np.searchsorted(papers, first + len(sums)))
        weights = postings[2][cursors[at] : end]
        for place in range(stop):
            sums[papers[place] - first] += often * weights[place]
        cursors[at] += stop


@compiled
def _bound(sums: Array, k: int) -> float:
    """What k of the sums reach at least, the k-th greatest maximum of groups; 0 if unknown."""
    groups = len(sums) // _DEPTH
    if groups < k:
        return 0.0
    maxima = np.zeros(groups)
    for start in range(0, groups * _DEPTH, groups):
        row = sums[start : start + groups]
        for group in range(groups):
            maxima[group] = row[group] if row[group] > maxima[group] else maxima[group]
    bound: float = np.partition(maxima, groups - k)[groups - k]
    return bound


@compiled
def _gather(sums: Array, first: int, least: float, held: tuple[Array, Array], count: int) -> int:
    """Takes over sums above 0 that are `least` or more; runs that have none are passed over."""
    least = max(least, np.nextafter(0.0, 1.0))
    for start in range(0, len(sums), _RUN):
        part, there = sums[start : start + _RUN], np.int64(0)
        for place in range(len(part)):
            there |= np.int64(part[place] >= least)
        if there:
            for place in range(len(part)):
                held[0][count], held[1][count] = part[place], first + start + place
                count += part[place] >= least
    return count


@compiled
def _thin(held: tuple[Array, Array], count: int, k: int) -> tuple[int, float]:
    """Leaves the k greatest, of equal ones the first; returns k and the least of them."""
    least = np.partition(held[0][:count], count - k)[count - k]
    room, kept = k, 0
    for place in range(count):
        room -= held[0][place] > least
    for place in range(count):
        value = held[0][place]
        if value > least or (value == least and room > 0):
            room -= value == least
            held[0][kept], held[1][kept], kept = value, held[1][place], kept + 1
    return kept, least
