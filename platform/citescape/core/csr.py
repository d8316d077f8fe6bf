"""Compiled kernels for sparse rows (CSR) of sorted integer codes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.sorting import sort

Ints = npt.NDArray[Any]  # integers of any width; numba compiles a kernel for each


_SHORT = 16  # up to this length a scan beats binary search


@compiled
def group(rows: Ints, values: Ints, n_rows: int) -> tuple[Ints, Ints]:
    """CSR of (row, value): `indptr` (n_rows + 1,) and the values sorted within each row.

    Args:
        rows: (n,) row of each value, from 0.
        values: (n,) non-negative codes.
        n_rows: number of rows.
    """
    indptr = np.zeros(n_rows + 1, np.int64)
    for row in rows:
        indptr[row + 1] += 1
    for row in range(n_rows):
        indptr[row + 1] += indptr[row]
    free = indptr[:-1].copy()
    grouped = np.empty(len(values), np.int32)
    for k in range(len(rows)):
        grouped[free[rows[k]]] = values[k]
        free[rows[k]] += 1
    for row in range(n_rows):
        sort(grouped[indptr[row] : indptr[row + 1]])
    return indptr, grouped


@compiled
def count_repeats(indptr: Ints, values: Ints) -> int:
    """How many values equal their predecessor in the same (sorted) row."""
    repeats = 0
    for row in range(len(indptr) - 1):
        for k in range(indptr[row] + 1, indptr[row + 1]):
            repeats += values[k] == values[k - 1]
    return repeats


@compiled
def find(indptr: Ints, values: Ints, row: int, value: int) -> int:
    """Position of a value in its row, or -1.

    Args:
        indptr: (rows + 1,) start of each row.
        values: (n,) values, ascending in each row.
        row: row to search; -1 without one.
        value: value to find; -1 without one.
    """
    if row < 0 or value < 0:
        return -1
    low, high = indptr[row], indptr[row + 1]
    while high - low > _SHORT:
        middle = (low + high) >> 1
        if values[middle] <= value:
            low = middle
        else:
            high = middle
    for k in range(low, high):
        if values[k] == value:
            return k
    return -1


@compiled
def locate(indptr: Ints, cited: Ints, rows: Ints, values: Ints) -> Ints:
    """Positions (k,) of k pairs, -1 for missing pairs.

    Args:
        indptr: (papers + 1,) start of each row of `cited`.
        cited: (pairs,) cited papers, ascending in each row.
        rows: (k,) citing paper of each pair.
        values: (k,) cited paper of each pair.
    """
    positions = np.empty(len(rows), np.int64)
    for k in range(len(rows)):
        positions[k] = find(indptr, cited, rows[k], values[k])
    return positions


def count_up(repeats: Ints) -> Ints:
    """0, 1, ... repeats[0] - 1, 0, 1, ... repeats[1] - 1, and so on."""
    ends = np.cumsum(repeats)
    counted = np.arange(ends[-1] if len(ends) else 0)
    return np.asarray(counted - np.repeat(ends - repeats, repeats))


def ranges(begin: Ints, counts: Ints) -> Ints:
    """begin[0], ..., begin[0] + counts[0] - 1, begin[1], ..., and so on."""
    counts = np.asarray(counts, np.int64)
    return np.repeat(np.asarray(begin, np.int64), counts) + count_up(counts)
