"""Calibration of margins to probabilities, and the calibration error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.text.intents.contexts import Probabilities
from citescape.text.intents.members import Margins

_BINS = 10
_PRIOR = 1e-2
"""Weight of the penalty that pulls slopes towards the mean of the members."""


@dataclass(frozen=True)
class Calibration:
    """p = 1 / (1 + exp(-(slopes . margins + offset))), for each intent separately (Platt 1999)."""

    slopes: npt.NDArray[np.float32]
    """(members, 3)."""
    offsets: npt.NDArray[np.float32]
    """(3,)."""

    def __call__(self, margins: Sequence[Margins]) -> Probabilities:
        """Probabilities (n, 3) of the members' margins, each (n, 3)."""
        scores = np.einsum("mnc,mc->nc", np.asarray(margins, float), self.slopes) + self.offsets
        probabilities: Probabilities = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
        return probabilities


def calibrate(margins: Sequence[Margins], truth: Margins) -> Calibration:
    """The slopes and offsets that fit `truth` (n, 3) best.

    Uses the examples that no member was trained on. Slopes are shrunk towards the mean of the
    members, against overfitting to few examples.
    """
    stacked = np.asarray(margins, float)  # (members, n, 3)
    held_out = ~np.isnan(stacked).any((0, 2))
    fits = [_fit(stacked[:, held_out, c].T, truth[held_out, c]) for c in range(truth.shape[1])]
    coefficients = np.array(fits, np.float32)  # (3, members + 1)
    return Calibration(coefficients[:, :-1].T.copy(), coefficients[:, -1].copy())


def cross_calibrate(
    margins: Sequence[Margins], truth: Margins, part: npt.NDArray[np.int64]
) -> Probabilities:
    """Probabilities (n, 3) of each part by a calibration of the other parts.

    A calibration can only be evaluated on examples that it was not fitted to.

    Args:
        margins: (n, 3) of each member.
        truth: (n, 3) 1 where the example has the intent, else 0.
        part: (n,) part of each example.
    """
    probabilities = np.empty(truth.shape)
    for k in np.unique(part):
        own = part == k
        others = calibrate([member[~own] for member in margins], truth[~own])
        probabilities[own] = others([member[own] for member in margins])
    return probabilities


def _fit(margins: Margins, truth: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Slopes and offset (members + 1,) of one intent, by Newton's method.

    Minimises the mean of -log p, plus _PRIOR / 2 times the squared distance of the slopes from
    equal ones that sum to 1.
    """
    n, members = margins.shape
    rows = np.hstack([margins, np.ones((n, 1))])
    centre = np.append(np.full(members, 1 / members), 0.0)
    penalty = np.diag(np.append(np.full(members, _PRIOR), 1e-6))
    coefficients = centre.copy()
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(rows @ coefficients, -30, 30)))
        gradient = rows.T @ (p - truth) / max(n, 1) + penalty @ (coefficients - centre)
        hessian = (rows * (p * (1 - p))[:, None]).T @ rows / max(n, 1) + penalty
        step = np.linalg.solve(hessian, gradient)
        coefficients -= step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return coefficients


def calibration_error(probabilities: Probabilities, truth: Margins) -> float:
    """Expected calibration error over all intents (Guo et al. 2017, Eq. 3), 10 bins of p.

    ECE = sum_b n_b / n |share of true intents in bin b - mean p in bin b|.
    """
    p, true = probabilities.ravel(), truth.ravel()
    bins = np.minimum((p * _BINS).astype(int), _BINS - 1)
    gaps = np.bincount(bins, true - p, minlength=_BINS)
    return float(np.abs(gaps).sum() / max(len(p), 1))
