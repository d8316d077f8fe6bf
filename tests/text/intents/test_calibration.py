"""Calibrated probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from citescape.text.intents.calibration import (
    Calibration,
    calibrate,
    calibration_error,
    cross_calibrate,
)


def sigmoid(x: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return 1 / (1 + np.exp(-x))


def test_scale_and_shift_are_estimated() -> None:
    rng = np.random.default_rng(0)
    margins = rng.normal(0, 2, (20_000, 3))
    wanted = (rng.random(margins.shape) < sigmoid(0.5 * margins + 1)).astype(float)
    result = calibrate([margins], wanted)
    # The prior of 1e-2 shrinks slopes slightly towards 1.
    assert result.slopes == pytest.approx(np.full((1, 3), 0.5), abs=0.06)
    assert result.offsets == pytest.approx(np.ones(3), abs=0.08)
    before, after = sigmoid(margins), result([margins])
    assert calibration_error(after, wanted) < 0.02 < calibration_error(before, wanted)


def test_the_result_minimises_the_objective() -> None:
    """-mean log p + 1e-2 / 2 |slopes - 1 / members|^2, minimised with another library."""
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(2, 200, 3))
    wanted = (first + 2 * second + rng.normal(size=first.shape) > 0).astype(float)

    def objective(x: np.ndarray, column: int) -> float:  # type: ignore[type-arg]
        score = x[0] * first[:, column] + x[1] * second[:, column] + x[2]
        loss = np.logaddexp(0, score) - wanted[:, column] * score
        return float(loss.mean() + 0.005 * ((x[:2] - 0.5) ** 2).sum() + 5e-7 * x[2] ** 2)

    result = calibrate([first, second], wanted)
    for c in range(3):
        best = optimize.minimize(objective, np.zeros(3), args=(c,), tol=1e-10).x
        assert np.append(result.slopes[:, c], result.offsets[c]) == pytest.approx(best, abs=1e-3)


def test_only_examples_of_all_members_count() -> None:
    rng = np.random.default_rng(2)
    margins, other = rng.normal(size=(2, 100, 3))
    wanted = (margins > 0).astype(float)
    holes = other.copy()
    holes[50:] = np.nan
    result = calibrate([margins, holes], wanted)
    alone = calibrate([margins[:50], other[:50]], wanted[:50])
    assert result.slopes == pytest.approx(alone.slopes)
    assert result.offsets == pytest.approx(alone.offsets)


def test_perfect_separation_stays_finite() -> None:
    margins = np.array([[-9.0] * 3] * 30 + [[9.0] * 3] * 30)
    result = calibrate([margins], (margins > 0).astype(float))
    assert np.isfinite(result.slopes).all()
    assert ((result([margins]) > 0.5) == (margins > 0)).all()


def test_two_members_add_up() -> None:
    """p = sigmoid(s_1 m_1 + s_2 m_2 + offset)."""
    slopes = np.array([[0.5, 1, 2], [0.25, 0, 1]], np.float32)
    calibration = Calibration(slopes, np.array([0.1, 0, -1], np.float32))
    (result,) = calibration([np.array([[1.0, 2, 3]]), np.array([[4.0, 5, 6]])])
    assert result == pytest.approx(sigmoid(np.array([0.5 + 1 + 0.1, 2.0, 6 + 6 - 1])), abs=1e-6)


def test_calibration_error_by_hand() -> None:
    """Bins .1 and .9: |0/2 - .1| 2/4 + |1/2 - .9| 2/4."""
    p, true = np.array([[0.1], [0.1], [0.9], [0.9]]), np.array([[0.0], [0.0], [1.0], [0.0]])
    assert calibration_error(p, true) == pytest.approx((0.2 + 0.8) / 4)
    assert calibration_error(np.zeros((0, 3)), np.zeros((0, 3))) == 0


def test_each_part_is_calibrated_on_the_others() -> None:
    rng = np.random.default_rng(3)
    margins, part = rng.normal(size=(2, 60, 3)), np.arange(60) % 4
    wanted = (margins.sum(0) > 0).astype(float)
    result = cross_calibrate(list(margins), wanted, part)
    for k in range(4):
        own = part == k
        others = calibrate([member[~own] for member in margins], wanted[~own])
        assert np.array_equal(result[own], others([member[own] for member in margins]))
    changed = np.where((part == 0)[:, None], 1 - wanted, wanted)
    again = cross_calibrate(list(margins), changed, part)
    assert np.array_equal(again[part == 0], result[part == 0]), "its own labels are not seen"


def test_without_other_parts_margins_are_not_calibrated() -> None:
    """Without other parts: p = sigmoid(mean margin)."""
    margins = np.array([[-1.0, 0, 2], [1, 3, -2]])
    result = cross_calibrate([margins], np.ones((2, 3)), np.zeros(2, int))
    assert result == pytest.approx(sigmoid(margins))
