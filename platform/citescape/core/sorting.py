"""Sorting and bisection for compiled kernels.

NumPy's functions are as fast in numba, but take longer to compile, which delays the first command.
For the same reason kernels copy arrays by loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled

Array = npt.NDArray[Any]
"""Of any type; numba compiles a kernel for each."""

_RUN = 16
"""Length up to which insertion is fastest."""
_DEPTH = 64
"""Size of the stack: the shorter part is sorted first, so the range halves at each level."""


@compiled
def sort(values: Array) -> None:
    """Sorts (n,) values, none of them NaN, in place, ascending: quicksort with insertion."""
    stack, depth = np.empty((_DEPTH, 2), np.int64), 0
    low, high = 0, len(values) - 1
    while True:
        while high - low >= _RUN:
            left, right = split(values, low, high)
            if right - low < high - left:  # the longer part waits
                stack[depth, 0], stack[depth, 1], high = left, high, right
            else:
                stack[depth, 0], stack[depth, 1], low = low, right, left
            depth += 1
        for place in range(low + 1, high + 1):
            value, free = values[place], place
            while free > low and values[free - 1] > value:
                values[free] = values[free - 1]
                free -= 1
            values[free] = value
        if depth == 0:
            return
        depth -= 1
        low, high = stack[depth, 0], stack[depth, 1]


@compiled
def split(values: Array, low: int, high: int) -> tuple[int, int]:
    """Partitions values[low : high + 1] by the median of three of them (Hoare 1961).

    Returns:
        left and right, left > right: values up to `right` are not greater than the pivot, those
        from `left` not less, and those between equal it.
    """
    first, middle, last = values[low], values[(low + high) // 2], values[high]
    pivot = max(min(first, middle), min(max(first, middle), last))
    left, right = low, high
    while left <= right:
        while values[left] < pivot:
            left += 1
        while values[right] > pivot:
            right -= 1
        if left <= right:
            values[left], values[right] = values[right], values[left]
            left, right = left + 1, right - 1
    return left, right


@compiled
def order_descending(values: Array) -> Array:
    """(n,) positions of values, none of them NaN, in descending order, ties by position."""
    order, other = np.arange(len(values)), np.empty(len(values), np.int64)
    for start in range(0, len(values), _RUN):
        for place in range(start + 1, min(start + _RUN, len(values))):
            item, free = order[place], place
            while free > start and values[order[free - 1]] < values[item]:
                order[free] = order[free - 1]
                free -= 1
            order[free] = item
    width = _RUN
    while width < len(values):
        for start in range(0, len(values), 2 * width):
            left, middle = start, min(start + width, len(values))
            right, end = middle, min(start + 2 * width, len(values))
            for place in range(start, end):
                from_left = left < middle and (
                    right == end or values[order[left]] >= values[order[right]]
                )
                other[place] = order[left] if from_left else order[right]
                left, right = left + from_left, right + (not from_left)
        order, other, width = other, order, 2 * width
    return order


@compiled
def bisect(values: Array, value: Any) -> int:
    """Number of ascending values (n,) that are less than `value`."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
