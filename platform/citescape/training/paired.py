"""Comparison of two methods, paired by seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PairedLead:
    """The lead of one method over another."""

    mean: float
    """Mean of the differences, paired by seed."""
    error: float
    """Standard error of the mean: deviation (n - 1) of the differences / sqrt(n); NaN for n = 1."""
    wins: int
    """Number of seeds in which the first method is better."""

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f}"


def compute_lead(values: Sequence[float], over: Sequence[float]) -> PairedLead:
    """The lead of `values` over `over`, (seeds,) each, in the same order; higher is better."""
    leads = np.subtract(values, over)
    error = float(leads.std(ddof=1) / np.sqrt(len(leads))) if len(leads) > 1 else np.nan
    return PairedLead(float(leads.mean()), error, int((leads > 0).sum()))
