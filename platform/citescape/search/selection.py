"""The k best of scores, of equal ones those of lower rows: the one selection of all searches.

Scores come in stretches, by ascending rows. What exceeds the k-th best so far is held, and when the
room is full, it is thinned out to the k best; most scores are passed over sixteen at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.search.listed import Codes
from citescape.search.ranker import NONE

RUN = 16
"""Scores that are passed over together where none is great enough."""
_SPARE = 4
"""Times k that may be held."""
_DEPTH = 32
"""Scores in a group, of which only the greatest is looked at first."""
Array = npt.NDArray[Any]
Chosen = tuple[Codes, Array]
"""Rows and scores (b, k), descending; -1 and -inf where there are fewer."""


class Best:
    """The k best so far of some queries."""

    def __init__(self, queries: int, k: int, size: int, kind: type[np.floating] = np.float32):
        """For at most `size` rows, with scores of one precision."""
        room = find_room(k, size)
        self._k, self._counts = k, np.zeros(queries, np.int64)
        self._rows, self._scores = (
            np.empty((queries, room), np.int32),
            np.empty((queries, room), kind),
        )
        self._least = np.full(queries, -np.inf, kind)

    def take(self, scores: Array, allowed: Array, first: int) -> None:
        """Looks at a stretch that follows those before.

        Args:
            scores: (b, r) finite.
            allowed: (b, r) which of them may be found.
            first: its first row.
        """
        held = (self._rows, self._scores)
        _take_each(scores, allowed, first, self._k, held, self._least, self._counts)

    def sort(self) -> Chosen:
        """The k best of all stretches."""
        rows = np.full((len(self._counts), self._k), NONE, np.int32)
        scores = np.full(rows.shape, -np.inf, self._scores.dtype)
        for query, count in enumerate(self._counts.tolist()):
            sort_best((self._rows[query], self._scores[query]), count, rows[query], scores[query])
        return rows, scores


def join(parts: list[Chosen]) -> Chosen:
    """(b, k) of what was found among lower and higher rows."""
    rows, scores = (np.concatenate(each, axis=1) for each in zip(*parts, strict=True))
    order = np.argsort(-scores, axis=1, kind="stable")[:, : parts[0][0].shape[1]]
    return np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1)


@compiled
def find_room(k: int, size: int) -> int:
    """Entries that `take_best` is to be given room for, of at most `size` rows."""
    return min(_SPARE * k, max(size, k)) + RUN


@compiled
def _take_each(
    scores: Array,
    allowed: Array,
    first: int,
    k: int,
    held: tuple[Array, Array],
    least: Array,
    counts: Array,
) -> None:
    for query in range(len(scores)):
        own = (held[0][query], held[1][query])
        counts[query], least[query] = take_best(
            scores[query], allowed[query], first, k, least[query], own, counts[query]
        )


@compiled
def take_best(
    scores: Array,
    allowed: Array | None,
    first: int,
    k: int,
    least: float,
    held: tuple[Array, Array],
    count: int,
) -> tuple[int, float]:
    """Holds what may be among the k best; returns how many are held, and what others must exceed.

    Args:
        scores: (r,) a stretch.
        allowed: (r,) which of them may be found; None for all.
        first: its first row.
        k: best ones that are sought.
        least: what a score must exceed, which is the second result of the stretch before.
        held: rows and scores so far, see `find_room`; both filled.
        count: how many these are.
    """
    start = 0
    while start < len(scores):
        count, start = gather(scores, allowed, start, first, least, held, count)
        if count > len(held[0]) - RUN:
            count, least = _thin(held, count, k)
    return count, least


@compiled
def gather(
    scores: Array,
    allowed: Array | None,
    start: int,
    first: int,
    least: float,
    held: tuple[Array, Array],
    count: int,
) -> tuple[int, int]:
    """Holds scores from `start` on that exceed `least`, until there is no room; see `take_best`.

    Returns how many are held, and where it stopped.
    """
    for begin in range(start, len(scores), RUN):
        if count > len(held[0]) - RUN:
            return count, begin
        part, there = scores[begin : begin + RUN], np.int64(0)
        for place in range(len(part)):
            there |= np.int64(part[place] > least)
        if there:
            for place in range(len(part)):
                held[0][count], held[1][count] = first + begin + place, part[place]
                if allowed is None:
                    count += part[place] > least
                else:
                    count += part[place] > least and allowed[begin + place]
    return count, len(scores)


@compiled
def find_bound(scores: Array, k: int) -> float:
    """What k of some scores exceed: just below the k-th greatest maximum of groups; else 0."""
    groups = len(scores) // _DEPTH
    if groups < k:
        return 0.0
    maxima = np.zeros(groups, scores.dtype)
    for start in range(0, groups * _DEPTH, groups):
        row = scores[start : start + groups]
        for group in range(groups):
            maxima[group] = row[group] if row[group] > maxima[group] else maxima[group]
    bound = np.partition(maxima, groups - k)[groups - k]
    below: float = np.nextafter(bound, -np.inf)
    return max(below, 0.0)


@compiled
def sort_best(held: tuple[Array, Array], count: int, rows: Array, scores: Array) -> None:
    """Fills rows (k,) and scores (k,) with the best that are held, descending; these are lost."""
    k = len(rows)
    if 2 * count > 3 * k:  # else all are sorted as soon
        count = _thin(held, count, k)[0]
    order = np.argsort(-held[1][:count], kind="mergesort")  # stable: of equal ones the lower row
    for place in range(min(count, k)):
        rows[place], scores[place] = held[0][order[place]], held[1][order[place]]


@compiled
def select_rows(indptr: Array, values: Array, k: int) -> tuple[Array, Array]:
    """The k greatest values of each row of a CSR matrix, descending, of equal ones the first.

    Returns:
        indptr (n + 1,) and places in `values`.
    """
    ends, most = np.zeros(len(indptr), np.int64), 0
    for row in range(len(ends) - 1):
        size = indptr[row + 1] - indptr[row]
        ends[row + 1], most = ends[row] + min(k, size), max(most, size)
    room = find_room(min(k, most), most)
    held = (np.empty(room, np.int32), np.empty(room, values.dtype))
    best, scores = np.empty(min(k, most), np.int32), np.empty(min(k, most), values.dtype)
    places = np.empty(ends[-1], np.int64)
    for row in range(len(ends) - 1):
        first, last = indptr[row], indptr[row + 1]
        count = take_best(values[first:last], None, 0, len(best), -np.inf, held, 0)[0]
        sort_best(held, count, best, scores)
        places[ends[row] : ends[row + 1]] = first + best[: ends[row + 1] - ends[row]]
    return ends, places


@compiled
def _thin(held: tuple[Array, Array], count: int, k: int) -> tuple[int, float]:
    """Leaves the k greatest, of equal ones the first; returns k and the least of them."""
    rows, scores = held
    least = np.partition(scores[:count], count - k)[count - k]
    room, kept = k, 0
    for place in range(count):
        room -= scores[place] > least
    for place in range(count):
        score = scores[place]
        if score > least or (score == least and room > 0):
            room -= score == least
            rows[kept], scores[kept], kept = rows[place], score, kept + 1
    return kept, least
