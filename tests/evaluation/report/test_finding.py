"""The summary sentence of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from citescape.evaluation.report.board import Board, Estimate, SystemDifference
from citescape.evaluation.report.finding import find

LEAD = SystemDifference(Estimate(0.05, 0.02, 0.08), 0.01, 0.03)
CHANCE = SystemDifference(Estimate(0.003, -0.01, 0.0168), 0.4, 0.67)


def board(
    means: Mapping[str, float],
    leads: Mapping[str, SystemDifference] | None = None,
    *,
    condition: str = "all",
) -> Board:
    figures = {
        (name, condition, "", "map"): Estimate(mean, mean - 0.02, mean + 0.02)
        for name, mean in means.items()
    }
    against = next(iter(means)) if leads else ""
    leads_by_key = {(name, condition, "map"): lead for name, lead in (leads or {}).items()}
    return Board(figures, leads_by_key, against, 0.95)


def test_a_single_system_has_its_interval() -> None:
    assert find(board({"bm25": 0.337})) == "bm25 reaches 33.7 (31.7 to 35.7) per cent of MAP."


def test_a_difference_within_chance_is_no_finding() -> None:
    expected = (
        "minilm leads bm25 by 0.3 points of MAP (−1.0 to 1.7), which may be chance (adjusted "
        "p = .670)."
    )
    assert find(board({"bm25": 0.346, "minilm": 0.349}, {"minilm": CHANCE})) == expected


def test_a_significant_difference() -> None:
    sentence = find(board({"bm25": 0.3, "minilm": 0.35}, {"minilm": LEAD}))
    assert sentence.endswith("(2.0 to 8.0), more than chance would give (adjusted p = .030).")


def test_a_difference_without_an_interval() -> None:
    few = SystemDifference(Estimate(0.05, math.nan, math.nan), 0.3, 0.4)
    sentence = find(board({"bm25": 0.3, "minilm": 0.35}, {"minilm": few}))
    assert sentence.endswith("by 5.0 points of MAP, which may be chance (adjusted p = .400).")


def test_a_difference_is_reversed_if_the_first_system_leads() -> None:
    behind = SystemDifference(Estimate(-0.05, -0.08, -0.02), 0.0001, 0.0002)
    sentence = find(board({"bm25": 0.35, "minilm": 0.3}, {"minilm": behind}))
    assert sentence == (
        "bm25 leads minilm by 5.0 points of MAP (2.0 to 8.0), more than chance would give "
        "(adjusted p <.001)."
    )


def test_a_difference_that_was_not_tested() -> None:
    leads = {"lsa": LEAD, "minilm": LEAD}
    sentence = find(board({"bm25": 0.3, "lsa": 0.345, "minilm": 0.35}, leads))
    assert sentence.startswith("minilm leads bm25 by 5.0 points")
    assert sentence.endswith("; its lead over lsa, which comes second, was not tested.")


def test_equal_systems() -> None:
    same = SystemDifference(Estimate(0.0, 0.0, 0.0), 1.0, 1.0)
    sentence = find(board({"bm25": 0.3, "minilm": 0.3}, {"minilm": same}))
    assert sentence == "bm25 and minilm reach the same MAP, 30.0 per cent."


def test_without_metrics_the_sentence_is_empty() -> None:
    assert find(board({"bm25": math.nan})) == ("No system has a figure of MAP that can be judged.")


def test_the_largest_pool_is_described() -> None:
    figures = {
        ("bm25", size, "", "map"): Estimate(mean, mean, mean)
        for size, mean in (("1,000", 0.5), ("200", 0.6))
    }
    sentence = find(Board(figures, {}, "", 0.95))
    assert sentence.startswith("In the largest pool (1,000 papers) bm25 reaches 50.0")


@pytest.mark.parametrize("p", [0.01, 0.5])
def test_metrics_of_tasks_are_counted(p: float) -> None:
    figures = {
        (name, task, "", "f1"): Estimate(0.5, 0.4, 0.6)
        for name in ("a", "b")
        for task in ("mag", "mesh")
    }
    leads = {
        ("b", "mag", "f1"): SystemDifference(Estimate(0.1, 0, 0.2), p, p),
        ("b", "mesh", "f1"): SystemDifference(Estimate(-0.1, -0.2, 0), p, p),
    }
    sure = int(p < 0.05)
    assert find(Board(figures, leads, "a", 0.95)) == (
        f"b is above a in 1 of 2 figures ({sure} more than chance would give) and below in 1 "
        f"({sure})."
    )
    assert find(Board(figures, {}, "", 0.95)) == (
        "a and b have 2 figures, of 2 tasks; none of them could be compared."
    )
    alone = {key: estimate for key, estimate in figures.items() if key[0] == "a"}
    assert find(Board(alone, {}, "", 0.95)) == "a has 2 figures, of 2 tasks."


def test_averages_that_were_not_tested() -> None:
    sentence = find(board({"a": 0.5, "b": 0.6, "c": 0.7}, condition="average"))
    assert sentence == "c leads b by 10.0 points of MAP, which was not tested."
