"""Shares and their standard errors, by their formulas."""

from __future__ import annotations

import math

import pytest

from citescape.demo.shares import compute_pairwise, compute_share


def test_pairwise_precision_and_recall_by_hand() -> None:
    # found {1,2,3}{4}, truth {1,2}{3,4}: of 3 joined pairs 1 is right, of 2 true pairs 1 is joined
    precision, recall = compute_pairwise(["a", "a", "a", "b"], [1, 1, 2, 2])
    assert (precision.value, recall.value) == (1 / 3, 1 / 2)
    for nothing in compute_pairwise(["a", "b"], [1, 2]):
        assert math.isnan(nothing.value)
        assert math.isnan(nothing.error)


def test_independent_cases_have_the_binomial_error() -> None:
    share = compute_share([1] * 17 + [0] * 3, [1] * 20)
    assert share.value == 17 / 20
    assert share.error == pytest.approx(math.sqrt(17 / 20 * 3 / 20 / 20))


def test_clustered_errors_have_a_larger_standard_error() -> None:
    alone = compute_share([1] * 60 + [0] * 6, [1] * 66)
    joined = compute_share([1] * 60 + [0], [1] * 60 + [6])
    assert joined.value == alone.value == 60 / 66
    off = 60 * (1 - 60 / 66) ** 2 + (6 * 60 / 66) ** 2
    assert joined.error == pytest.approx(math.sqrt(off) / 66)
    assert joined.error > 2 * alone.error
