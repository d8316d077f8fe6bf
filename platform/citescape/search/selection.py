"""Selects the k best scores, ties by lower row; used by all searches.

Scores come in stretches of ascending rows. Scores above the k-th best so far are kept in a buffer;
when it is full, it is reduced to the k best. Most scores are skipped sixteen at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.sorting import order_descending, split
from citescape.search.listed import Codes
from citescape.search.ranker import NONE

RUN = 16
"""Scores that are skipped together if none is high enough."""
_SPARE = 4
"""Size of the buffer, in multiples of k."""
_DEPTH = 32
"""Scores per group, of which only the maximum is compared first."""
Array = npt.NDArray[Any]
Chosen = tuple[Codes, Array]
"""Rows and scores (b, k), descending; -1 and -inf fill short lists."""


class BestScores:
    """The k best scores of some queries so far."""

    def __init__(self, queries: int, k: int, size: int, kind: type[np.floating] = np.float32):
        """For at most `size` rows, with scores of one precision."""
        room = find_room(k, size)
        self._k, self._counts = k, np.zeros(queries, np.int64)
        self._rows, self._scores = (
            np.empty((queries, room), np.int32),
            np.empty((queries, room), kind),
        )
        self._least = np.full(queries, -np.inf, kind)

    def add(
        self, scores: Array, allowed: Array | None, first: int, queries: Array | None = None
    ) -> None:
        """Adds a stretch of consecutive rows.

        Args:
            scores: (b, r) finite.
            allowed: (b, r) scores that count; None for all.
            first: first row of the stretch.
            queries: (b,) the queries whose scores are given; None for all in order.
        """
        held = (self._rows, self._scores)
        queries = np.arange(len(scores)) if queries is None else queries
        _add_each(scores, allowed, queries, first, self._k, held, self._least, self._counts)

    def sort(self) -> Chosen:
        """The k best of all stretches."""
        rows = np.full((len(self._counts), self._k), NONE, np.int32)
        scores = np.full(rows.shape, -np.inf, self._scores.dtype)
        _sort_each((self._rows, self._scores), self._counts, rows, scores)
        return rows, scores


def join(parts: list[Chosen]) -> Chosen:
    """(b, k) best of the parts, which are in the order of their rows."""
    rows, scores = (np.concatenate(each, axis=1) for each in zip(*parts, strict=True))
    order = np.argsort(-scores, axis=1, kind="stable")[:, : parts[0][0].shape[1]]
    return np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1)


@compiled
def find_room(k: int, size: int) -> int:
    """Size of the buffer that `add_best` needs, for at most `size` rows."""
    return min(_SPARE * k, max(size, k)) + RUN


@compiled
def _sort_each(held: tuple[Array, Array], counts: Array, rows: Array, scores: Array) -> None:
    for query in range(len(counts)):
        own = (held[0][query], held[1][query])
        sort_best(own, counts[query], rows[query], scores[query])


@compiled
def _add_each(
    scores: Array,
    allowed: Array | None,
    queries: Array,
    first: int,
    k: int,
    held: tuple[Array, Array],
    least: Array,
    counts: Array,
) -> None:
    for row in range(len(scores)):
        query = queries[row]
        own, bound, count = (held[0][query], held[1][query]), least[query], counts[query]
        if allowed is None:
            count, bound = add_best(scores[row], None, first, k, bound, own, count)
        else:
            count, bound = add_best(scores[row], allowed[row], first, k, bound, own, count)
        counts[query], least[query] = count, bound


@compiled
def add_best(
    scores: Array,
    allowed: Array | None,
    first: int,
    k: int,
    least: float,
    held: tuple[Array, Array],
    count: int,
) -> tuple[int, float]:
    """Adds a stretch to the buffer; returns its size, and the threshold of further scores.

    Args:
        scores: (r,) of a stretch.
        allowed: (r,) scores that count; None for all.
        first: first row of the stretch.
        k: number of best scores.
        least: threshold, the second result for the previous stretch.
        held: buffer of rows and scores, see `find_room`.
        count: number of entries in the buffer.
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
    """Buffers scores above a threshold, until the buffer is full; see `add_best`.

    Args:
        scores: (r,) of a stretch.
        allowed: (r,) scores that count; None for all.
        start: position in the stretch at which to begin.
        first: first row of the stretch.
        least: threshold.
        held: buffer of rows and scores.
        count: number of entries in the buffer.

    Returns:
        The new number of entries, and the position at which it stopped.
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
    """A threshold below the k-th best score: just below the k-th greatest group maximum; else 0."""
    groups = len(scores) // _DEPTH
    if groups < k:
        return 0.0
    maxima = np.zeros(groups, scores.dtype)
    for start in range(0, groups * _DEPTH, groups):
        row = scores[start : start + groups]
        for group in range(groups):
            maxima[group] = row[group] if row[group] > maxima[group] else maxima[group]
    bound = kth_greatest(maxima, k)
    below: float = np.nextafter(bound, -np.inf)
    return max(below, 0.0)


@compiled
def sort_best(held: tuple[Array, Array], count: int, rows: Array, scores: Array) -> None:
    """Fills rows and scores with the best entries of a buffer, descending; overwrites the buffer.

    Args:
        held: buffer of rows and scores.
        count: number of entries in the buffer.
        rows: (k,) filled.
        scores: (k,) filled.
    """
    k = len(rows)
    if 2 * count > 3 * k:  # else sorting all is as fast
        count = _thin(held, count, k)[0]
    order = order_descending(held[1][:count])
    for place in range(min(count, k)):
        rows[place], scores[place] = held[0][order[place]], held[1][order[place]]


@compiled
def select_rows(indptr: Array, values: Array, k: int) -> tuple[Array, Array]:
    """The k greatest values of each row of a CSR matrix, descending, ties by position.

    Args:
        indptr: (n + 1,) start of each row.
        values: values of the matrix, row by row.
        k: number of values per row.

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
        count = add_best(values[first:last], None, 0, len(best), -np.inf, held, 0)[0]
        sort_best(held, count, best, scores)
        for place in range(ends[row + 1] - ends[row]):
            places[ends[row] + place] = first + best[place]
    return ends, places


@compiled
def _thin(held: tuple[Array, Array], count: int, k: int) -> tuple[int, float]:
    """Keeps the k greatest, ties by position; returns k and the least of them."""
    rows, scores = held
    least = kth_greatest(scores[:count], k)
    room, kept = k, 0
    for place in range(count):
        room -= scores[place] > least
    for place in range(count):
        score = scores[place]
        if score > least or (score == least and room > 0):
            room -= score == least
            rows[kept], scores[kept], kept = rows[place], score, kept + 1
    return kept, least


@compiled
def kth_greatest(values: Array, k: int) -> Any:
    """The k-th greatest of some values (n,), 1 <= k <= n, none of them NaN.

    Quickselect. `np.partition` finds the same, but takes longer to compile.
    """
    rest, place = values.copy(), len(values) - k
    low, high = 0, len(values) - 1
    while low < high:
        left, right = split(rest, low, high)
        if place <= right:
            high = right
        elif place >= left:
            low = left
        else:
            break
    return rest[place]
