from __future__ import annotations

import math

import pytest

from citescape.evaluation.pool.evaluate import METRICS as POOL
from citescape.evaluation.report.words import (
    chance,
    explain_metric,
    listing,
    name_kind,
    name_metric,
    per_cent,
    span,
    with_span,
)
from citescape.metrics import METRICS


def test_every_metric_has_a_name_and_a_description() -> None:
    for metric in (*METRICS, *POOL):
        assert name_metric(metric) != metric
        assert explain_metric(metric)
        assert "\n" not in explain_metric(metric)
    assert name_metric("recall@30") == "R@30"
    assert "first 30" in explain_metric("recall@30")
    assert (name_metric("own"), explain_metric("own")) == ("own", "")


@pytest.mark.parametrize(
    ("share", "signed", "expected"),
    [
        (0.34625, False, "34.6"),
        (0.1, True, "+10.0"),
        (-0.1, True, "−10.0"),
        (-0.1, False, "−10.0"),
        (-0.0001, True, "0.0"),
        (0.0001, True, "0.0"),
        (math.nan, True, "–"),
    ],
)
def test_shares_are_shown_as_per_cent(share: float, signed: bool, expected: str) -> None:
    assert per_cent(share, signed=signed) == expected


def test_missing_intervals_are_left_out() -> None:
    assert span(0.1, 0.2) == "10.0 to 20.0"
    assert span(math.nan, 0.2) == ""
    assert with_span(0.5, 0.4, 0.6) == "50.0 (40.0 to 60.0)"
    assert with_span(0.5, math.nan, math.nan) == "50.0"


@pytest.mark.parametrize(
    ("p", "expected"),
    [(0.6708, ".671"), (0.0001, "<.001"), (0.0005, ".001"), (1.0, "1.000"), (math.nan, "–")],
)
def test_p_values_have_three_digits(p: float, expected: str) -> None:
    assert chance(p) == expected


def test_lists_of_names() -> None:
    assert [listing(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_benchmarks_may_redefine_metrics() -> None:
    meanings = {"recall": "share of sentences with one among the first {k}"}
    assert explain_metric("recall@10", meanings) == "share of sentences with one among the first 10"
    assert explain_metric("mrr", meanings) == explain_metric("mrr")


def test_names_of_warm_and_cold_works() -> None:
    assert [name_kind(kind) for kind in ("warm", "cold")] == ["warm works", "cold works"]
    assert name_kind("warm-only") == "warm works among warm works only"
    assert name_kind("bm25").startswith("negatives")
