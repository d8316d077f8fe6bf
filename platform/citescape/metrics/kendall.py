"""Kendall's rank correlation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau

from citescape.core.errors import ConfigError


def kendall_tau(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> float:
    """tau-b = (P - Q) / sqrt((P + Q + T) (P + Q + U)).

    P and Q are pairs of documents in the same and in the opposite order, T and U pairs that are
    tied in the one and in the other only (Kendall 1945).

    Args:
        truth: (n,) numbers.
        predicted: (n,) numbers.

    Returns:
        -1 to 1; NaN where all of either are equal, or n is less than 2.

    Raises:
        ConfigError: other shapes, or numbers that are none.
    """
    given, found = np.asarray(truth, np.float64), np.asarray(predicted, np.float64)
    if given.shape != found.shape or given.ndim != 1:
        raise ConfigError(f"expected two rows of numbers; found {given.shape} and {found.shape}")
    if not (np.isfinite(given).all() and np.isfinite(found).all()):
        raise ConfigError("expected finite numbers; found others among those to be correlated")
    return float(kendalltau(given, found).statistic) if len(given) > 1 else float("nan")
