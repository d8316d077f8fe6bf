"""Kernels of `products`: the best entries of each row of a sparse product."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled

Starts = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Values = TypeVar("Values", Codes, Floats)
_ROOM = 1 << 16
_MAX_COUNT = 2_000_000_000
"""Largest count, below the range of 32 bits."""


@compiled
def count_strongest(
    row_ptr: Starts,
    row_works: Codes,
    work_ptr: Starts,
    work_papers: Codes,
    first: int,
    last: int,
    top: int,
) -> tuple[Starts, Codes, Codes]:
    """The `top` greatest entries of rows of a product whose factors are binary.

    Counters are not reset between rows: one that is not above `base` belongs to an earlier row and
    means zero.

    Args:
        row_ptr: (papers + 1,) CSR starts of the left factor.
        row_works: its columns (works).
        work_ptr: (works + 1,) CSR starts of the right factor.
        work_papers: its columns (papers), ascending.
        first: first row.
        last: end of the rows, exclusive.
        top: number of entries kept per row, 1 or more.

    Returns:
        Number of entries of each row; their columns, unordered; their values.
    """
    size = len(row_ptr) - 1
    counters, several = np.zeros(size, np.int32), np.empty(size, np.int32)
    counts, used, base = np.empty(last - first, np.int64), 0, 0
    indices, values = np.empty(_ROOM, np.int32), np.empty(_ROOM, np.int32)
    best, columns = np.empty(top, np.int32), np.empty(top, np.int32)
    for row in range(first, last):
        works = row_works[row_ptr[row] : row_ptr[row + 1]]
        if base + len(works) > _MAX_COUNT:
            counters[:] = 0
            base = 0
        listed = _count(works, work_ptr, work_papers, counters, base, several)
        held = 0
        for other in several[:listed]:
            if other != row:
                held = _offer(best, columns, held, counters[other] - base, other)
        held = _offer_single(works, work_ptr, work_papers, counters, base, row, best, columns, held)
        indices = _append(indices, used, columns[:held])
        values = _append(values, used, best[:held])
        counts[row - first], used, base = held, used + held, base + len(works)
    return counts, indices[:used].copy(), values[:used].copy()


@compiled
def _count(
    works: Codes,
    work_ptr: Starts,
    work_papers: Codes,
    counters: Codes,
    base: int,
    several: Codes,
) -> int:
    """Counts the papers of works, above `base`; lists papers counted more than once."""
    listed = 0
    for work in works:
        for link in range(work_ptr[work], work_ptr[work + 1]):
            other = work_papers[link]
            counted = counters[other]
            if counted <= base:
                counters[other] = base + 1
            else:
                counters[other] = counted + 1
                if counted == base + 1:
                    several[listed] = other
                    listed += 1
    return listed


@compiled
def _offer_single(
    works: Codes,
    work_ptr: Starts,
    work_papers: Codes,
    counters: Codes,
    base: int,
    row: int,
    best: Codes,
    columns: Codes,
    held: int,
) -> int:
    """Offers papers counted once, as long as they can be among the best (papers ascend)."""
    for work in works:
        for link in range(work_ptr[work], work_ptr[work + 1]):
            other = work_papers[link]
            if held == len(best) and (best[0] > 1 or columns[0] < other):
                break
            if counters[other] == base + 1 and other != row:
                held = _offer(best, columns, held, 1, other)
    return held


@compiled
def sum_strongest(
    row_ptr: Starts,
    row_works: Codes,
    row_values: Floats,
    work_ptr: Starts,
    work_papers: Codes,
    work_values: Floats,
    first: int,
    last: int,
    top: int,
) -> tuple[Starts, Codes, Floats]:
    """The `top` greatest positive entries of rows of a product.

    Args:
        row_ptr: (papers + 1,) CSR starts of the left factor.
        row_works: its columns (works).
        row_values: its values.
        work_ptr: (works + 1,) CSR starts of the right factor.
        work_papers: its columns (papers).
        work_values: its values.
        first: first row.
        last: end of the rows, exclusive.
        top: number of entries kept per row; 0 for all.

    Returns:
        Number of entries of each row; their columns, unordered; their values.
    """
    size = len(row_ptr) - 1
    totals, touched = np.zeros(size), np.empty(size, np.int32)
    counts, used = np.empty(last - first, np.int64), 0
    indices, values = np.empty(_ROOM, np.int32), np.empty(_ROOM)
    for row in range(first, last):
        own = slice(row_ptr[row], row_ptr[row + 1])
        listed = _sum(
            row_works[own], row_values[own], work_ptr, work_papers, work_values, totals, touched
        )
        columns, best = _select_best(touched[:listed], totals, row, top)
        indices = _append(indices, used, columns)
        values = _append(values, used, best)
        counts[row - first], used = len(columns), used + len(columns)
    return counts, indices[:used].copy(), values[:used].copy()


@compiled
def _sum(
    works: Codes,
    factors: Floats,
    work_ptr: Starts,
    work_papers: Codes,
    work_values: Floats,
    totals: Floats,
    touched: Codes,
) -> int:
    """Adds up a row of the product in `totals`; lists its nonzero columns."""
    listed = 0
    for at in range(len(works)):
        for link in range(work_ptr[works[at]], work_ptr[works[at] + 1]):
            other, amount = work_papers[link], factors[at] * work_values[link]
            if amount > 0.0:
                if totals[other] == 0.0:
                    touched[listed] = other
                    listed += 1
                totals[other] += amount
    return listed


@compiled
def _select_best(touched: Codes, totals: Floats, row: int, top: int) -> tuple[Codes, Floats]:
    """Columns and values of the best entries; resets `totals` to zero."""
    room = min(top, len(touched)) if top else len(touched)
    best, columns, held = np.empty(room), np.empty(room, np.int32), 0
    for other in touched:
        if other != row and room < len(touched):
            held = _offer(best, columns, held, totals[other], other)
        elif other != row:  # all entries fit, in any order
            best[held], columns[held] = totals[other], other
            held += 1
        totals[other] = 0.0
    return columns[:held], best[:held]


@compiled
def _offer(best: Values, columns: Codes, held: int, value: float, column: int) -> int:
    """Puts an entry into a heap with the worst entry on top; returns its number of entries.

    An entry is worse than another if its value is less or, among equals, its column higher. A full
    heap drops its worst entry, or rejects the new entry.
    """
    place = held
    if held < len(best):  # the new entry rises from the end
        while place:
            above = (place - 1) // 2
            if best[above] < value or (best[above] == value and columns[above] > column):
                break
            best[place], columns[place] = best[above], columns[above]
            place = above
        best[place], columns[place] = value, column
        return held + 1
    if not (held and (value > best[0] or (value == best[0] and column < columns[0]))):
        return held
    place = 0  # the new entry sinks from the top
    while 2 * place + 1 < len(best):
        below = 2 * place + 1
        beside = below + 1
        if beside < len(best) and (
            best[beside] < best[below]
            or (best[beside] == best[below] and columns[beside] > columns[below])
        ):
            below = beside
        if value < best[below] or (value == best[below] and column > columns[below]):
            break
        best[place], columns[place] = best[below], columns[below]
        place = below
    best[place], columns[place] = value, column
    return held


@compiled
def _append(held: Values, used: int, added: Values) -> Values:
    """The array with values added after the first `used`; twice as long if it is full."""
    if used + len(added) > len(held):
        longer = np.empty(2 * (used + len(added)), held.dtype)
        for place in range(used):
            longer[place] = held[place]
        held = longer
    for place in range(len(added)):
        held[used + place] = added[place]
    return held
