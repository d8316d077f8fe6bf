"""Sparse matrices that are symmetric: whether one is, and half of one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.compiled import compiled


def is_symmetric(matrix: csr_array) -> bool:
    """Whether each entry (i, j) equals the entry (j, i), exactly; NaN equals nothing.

    Takes one pass and one number a row; a transpose would take the matrix once more.

    Args:
        matrix: (n, n), indices ascending and each once within rows.
    """
    return bool(_is_symmetric(matrix.indptr, matrix.indices, matrix.data))


def take_upper(
    matrix: csr_array,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The entries above the diagonal: rows, columns and values (entries,), in their order."""
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
    above = rows < matrix.indices
    return rows[above], matrix.indices[above].astype(np.int32), matrix.data[above]


@compiled
def _is_symmetric(
    indptr: npt.NDArray[np.integer],
    indices: npt.NDArray[np.integer],
    values: npt.NDArray[np.float64],
) -> bool:
    following = indptr[:-1].copy()  # rows ascend, so each is named next by all that it names
    for row in range(len(following)):
        for at in range(indptr[row], indptr[row + 1]):
            other = indices[at]
            back = following[other]
            if back == indptr[other + 1] or indices[back] != row or values[back] != values[at]:
                return False
            following[other] += 1
    return True
