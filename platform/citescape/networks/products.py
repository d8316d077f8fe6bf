"""The strongest entries of a sparse product, row by row, without computing the whole product."""

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

Block = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.generic]]
_ROWS, _BLOCKS = 4096, 256
"""Rows per block, and maximum number of blocks: larger inputs have larger blocks."""
_RESERVED = 1 << 23
"""Initial capacity: unused pages cost no memory, and arrays of this size grow in place, whereas
smaller ones fragment memory."""


def find_strongest(
    rows: csr_array, columns: csr_array, *, top: int = 0, threads: int = 0
) -> csr_array:
    """Finds the `top` greatest positive entries of each row of ``rows @ columns``.

    The diagonal is excluded. Among equal entries the lower column comes first. Exact: long columns
    are not skipped. Values that are all 1 are counted, which is faster than adding. Memory: the
    result, and 8 or 12 bytes per paper for each thread.

    Args:
        rows: (n, works) not negative.
        columns: (works, n) not negative.
        top: number of entries kept per row; 0 for all.
        threads: 0 for every core this process may use; the result does not depend on it.

    Returns:
        (n, n) float64, indices ascending in each row.

    Raises:
        ConfigError: shapes do not match; values are negative or not finite.
    """
    size, works = rows.shape
    if columns.shape != (works, size) or top < 0:
        raise ConfigError(
            f"rows of shape {rows.shape} need columns of shape {(works, size)} and a top of 0 or "
            f"more; found {columns.shape} and {top}"
        )
    left, right = _check_matrix(rows), _check_matrix(columns)
    left_places = left.indptr.astype(np.int64), left.indices.astype(np.int32, copy=False)
    right_places = right.indptr.astype(np.int64), right.indices.astype(np.int32, copy=False)

    kernel: Callable[..., Block] = count_strongest
    parts: tuple[npt.NDArray[np.generic], ...] = (*left_places, *right_places)
    if not (top and all(m.nnz and m.data.min() == m.data.max() == 1 for m in (left, right))):
        kernel = sum_strongest
        left_values, right_values = (m.data.astype(np.float64, copy=False) for m in (left, right))
        parts = (*left_places, left_values, *right_places, right_values)

    def work(block: tuple[int, int]) -> Block:
        return kernel(*parts, *block, min(top, size))

    step = max(_ROWS, -(-size // _BLOCKS))
    blocks = [(first, min(first + step, size)) for first in range(0, size, step)]
    return _join_blocks(run_blocks(work, blocks, threads=threads), size)


def unite(ids: pa.StringArray, strongest: csr_array) -> Network:
    """The undirected union of directed edges, with the greater weight of both directions.

    `ids` (papers,) ascend; `strongest` (papers, papers) is positive, without a diagonal.
    """
    return Network(ids, strongest.maximum(strongest.T).tocsr())


def _check_matrix(matrix: csr_array) -> csr_array:
    """The matrix with ascending indices, which fix the order of additions."""
    if matrix.nnz and not 0 <= matrix.data.min() <= matrix.data.max() < np.inf:
        raise ConfigError("a product needs finite values of 0 or more; found others")
    return matrix if matrix.has_sorted_indices else matrix.sorted_indices()


def _join_blocks(blocks: Iterable[Block], size: int) -> csr_array:
    """Joins rows to one matrix; each block is released once copied, to save memory."""
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
        starts = starts.astype(np.int32)  # scipy widens the indices to 64 bits if the starts are
    joined = csr_array((values, indices, starts), shape=(size, size))
    joined.sort_indices()
    return joined
