"""The strongest entries of a sparse product, row by row, without making the product."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.blocks import run_blocks
from citescape.core.errors import ConfigError
from citescape.networks.network import Network
from citescape.networks.product_kernels import count_strongest, sum_strongest

_Block = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.generic]]
_Work = Callable[[tuple[int, int]], _Block]
_ROWS, _BLOCKS = 4096, 256
"""Rows a thread does at one time; of many rows more, so that there are no more blocks than that."""
_RESERVED = 1 << 23
"""Entries there is room for at first: memory that is not used costs nothing, and arrays of this
size grow where they are, whereas smaller ones leave holes behind."""


def find_strongest(
    rows: csr_array, columns: csr_array, *, top: int = 0, threads: int = 0
) -> csr_array:
    """The `top` greatest positive entries of each row of ``rows @ columns``; 0: all of them.

    The diagonal is left out. Of equal entries the lower column comes first. Exact: no column is
    left out for being long. Values that are all 1 are counted, which is faster than adding up.
    Memory is that of the result, and 8 or 12 bytes a paper for each thread.

    Args:
        rows: (n, works) not negative.
        columns: (works, n) not negative.
        top: entries kept of a row.
        threads: 0 for every core this process may use; the result does not depend on it.

    Returns:
        (n, n) float64, indices ascending in each row.

    Raises:
        ConfigError: shapes that do not fit; values that are negative or no numbers.
    """
    size, works = rows.shape
    if columns.shape != (works, size) or top < 0:
        raise ConfigError(
            f"rows of shape {rows.shape} need columns of shape {(works, size)} and a top of 0 or "
            f"more; found {columns.shape} and {top}"
        )
    left, right = _checked(rows), _checked(columns)
    counted = top and _has_ones(left) and _has_ones(right)
    work = _counting(left, right, top) if counted else _summing(left, right, top)
    step = max(_ROWS, -(-size // _BLOCKS))
    blocks = [(first, min(first + step, size)) for first in range(0, size, step)]
    return _join_blocks(run_blocks(work, blocks, threads=threads), size)


def unite(ids: pa.StringArray, strongest: csr_array) -> Network:
    """The undirected union: an edge is there if either end has it, with the greater weight.

    Args:
        ids: (papers,) ascending.
        strongest: (papers, papers) positive, indices ascending, nothing on the diagonal.
    """
    return Network(ids, strongest.maximum(strongest.T).tocsr())


def _checked(matrix: csr_array) -> csr_array:
    """The matrix with ascending indices, in whose order sums do not depend on how it was made."""
    if matrix.nnz and not 0 <= matrix.data.min() <= matrix.data.max() < np.inf:
        raise ConfigError("products are of values of 0 or more; found others, or what is no number")
    return matrix if matrix.has_sorted_indices else matrix.sorted_indices()


def _has_ones(matrix: csr_array) -> bool:
    return bool(matrix.nnz) and matrix.data.min() == matrix.data.max() == 1


def _counting(rows: csr_array, columns: csr_array, top: int) -> _Work:
    parts, most = (*_places(rows), *_places(columns)), min(top, rows.shape[0])
    return lambda block: count_strongest(*parts, *block, most)


def _summing(rows: csr_array, columns: csr_array, top: int) -> _Work:
    left, right = (
        rows.data.astype(np.float64, copy=False),
        columns.data.astype(np.float64, copy=False),
    )
    parts = (*_places(rows), left, *_places(columns), right)
    return lambda block: sum_strongest(*parts, *block, top)


def _places(matrix: csr_array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32, copy=False)


def _join_blocks(blocks: Iterable[_Block], size: int) -> csr_array:
    """One matrix of all rows; each block is let go as it comes, so that none is held twice."""
    entries, done, used = np.zeros(size, np.int64), 0, 0
    indices, values = np.empty(_RESERVED, np.int32), np.empty(_RESERVED)
    for counts, columns, weights in blocks:
        end = used + len(columns)
        if end > len(indices):
            indices.resize(end, refcheck=False)
            values.resize(end, refcheck=False)
        indices[used:end], values[used:end], used = columns, weights, end
        entries[done : done + len(counts)] = counts
        done += len(counts)
    indices.resize(used, refcheck=False)
    values.resize(used, refcheck=False)
    starts = np.append(0, np.cumsum(entries))
    if used <= np.iinfo(np.int32).max:
        starts = starts.astype(np.int32)  # scipy would widen the indices to 64 bits beside others
    joined = csr_array((values, indices, starts), shape=(size, size))
    joined.sort_indices()
    return joined
