"""The strongest entries of a sparse product, row by row, without making the product."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.compiled import compiled
from citescape.errors import ConfigError
from citescape.networks.network import Network

_Block = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float64]]
_BLOCK = 4096
"""Rows whose entries a thread holds at one time."""


def find_strongest(rows: csr_array, columns: csr_array, *, top: int = 0) -> csr_array:
    """The `top` greatest positive entries of each row of ``rows @ columns``; 0: all of them.

    The diagonal is left out. Of equal entries the lower column comes first. Exact: no column is
    left out for being long.

    Args:
        rows: (n, works) not negative.
        columns: (works, n) not negative.
        top: entries kept of a row.

    Returns:
        (n, n) float64, indices ascending in each row.

    Raises:
        ConfigError: shapes that do not fit.
    """
    size, works = rows.shape
    if columns.shape != (works, size):
        raise ConfigError(
            f"rows of shape {rows.shape} need columns of shape {(works, size)}; "
            f"found {columns.shape}"
        )
    starts = range(0, size, _BLOCK)
    left, right = _parts(rows), _parts(columns)

    def work(start: int) -> _Block:
        return _strongest(*left, *right, start, min(start + _BLOCK, size), top)

    with ThreadPoolExecutor(_cores()) as pool:
        blocks = list(pool.map(work, starts))
    empty = np.empty(0, np.int64)
    counts = np.concatenate([empty, *(block[0] for block in blocks)])
    indices = np.concatenate([np.empty(0, np.int32), *(block[1] for block in blocks)])
    values = np.concatenate([np.empty(0), *(block[2] for block in blocks)])
    return csr_array((values, indices, np.append(0, np.cumsum(counts))), shape=(size, size))


def unite(ids: pa.StringArray, strongest: csr_array) -> Network:
    """The undirected union: an edge is there if either end has it, with the greater weight."""
    return Network(ids, strongest.maximum(strongest.T).tocsr())


def _parts(matrix: csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    matrix.sort_indices()
    return (
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.int32),
        matrix.data.astype(np.float64),
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


@compiled
def _strongest(
    row_ptr: npt.NDArray[np.int64],
    row_works: npt.NDArray[np.int32],
    row_values: npt.NDArray[np.float64],
    work_ptr: npt.NDArray[np.int64],
    work_papers: npt.NDArray[np.int32],
    work_values: npt.NDArray[np.float64],
    first: int,
    last: int,
    top: int,
) -> _Block:
    size = len(row_ptr) - 1
    total = np.zeros(size)
    touched = np.empty(size, np.int32)
    counts = np.zeros(last - first, np.int64)
    room = max((last - first) * max(top, 16), 1)
    indices, values = np.empty(room, np.int32), np.empty(room)
    used = 0
    for row in range(first, last):
        found = 0
        for at in range(row_ptr[row], row_ptr[row + 1]):
            work, value = row_works[at], row_values[at]
            for link in range(work_ptr[work], work_ptr[work + 1]):
                other = work_papers[link]
                if total[other] == 0.0:
                    touched[found] = other
                    found += 1
                total[other] += value * work_values[link]
        others = np.sort(touched[:found])
        others = others[others != row]
        others = others[total[others] > 0]
        if top and len(others) > top:
            best = np.argsort(-total[others], kind="mergesort")[:top]
            others = np.sort(others[best])
        if used + len(others) > room:
            room = max(2 * room, used + len(others))
            more, heavier = np.empty(room, np.int32), np.empty(room)
            more[:used], heavier[:used] = indices[:used], values[:used]
            indices, values = more, heavier
        for other in others:
            indices[used], values[used] = other, total[other]
            used += 1
        counts[row - first] = len(others)
        for at in range(found):
            total[touched[at]] = 0.0
    return counts, indices[:used].copy(), values[:used].copy()
