"""Whether a sparse matrix is symmetric, without making its transpose."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.compiled import compiled


def is_symmetric(matrix: csr_array) -> bool:
    """Whether each entry (i, j) equals the entry (j, i), exactly; NaN equals nothing.

    Takes one pass and one number a row; a transpose would take the matrix once more.

    Args:
        matrix: (n, n), indices ascending and each once within rows.
    """
    return bool(_is_symmetric(matrix.indptr, matrix.indices, matrix.data))


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
