"""The sentence claims what the differences bear out, and no more."""

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
    told = {(name, condition, "map"): lead for name, lead in (leads or {}).items()}
    return Board(figures, told, against, 0.95)


def test_one_system_is_told_with_its_interval() -> None:
    assert find(board({"bm25": 0.337})) == "bm25 reaches 33.7 (31.7 to 35.7) per cent of MAP."


def test_a_lead_within_chance_is_called_so() -> None:
    expected = (
        "minilm leads bm25 by 0.3 points of MAP (−1.0 to 1.7), which may be chance (adjusted "
        "p = .670)."
    )
    assert find(board({"bm25": 0.346, "minilm": 0.349}, {"minilm": CHANCE})) == expected


def test_a_lead_beyond_chance_is_called_so() -> None:
    told = find(board({"bm25": 0.3, "minilm": 0.35}, {"minilm": LEAD}))
    assert told.endswith("(2.0 to 8.0), more than chance would give (adjusted p = .030).")


def test_a_lead_without_an_interval_has_no_empty_brackets() -> None:
    few = SystemDifference(Estimate(0.05, math.nan, math.nan), 0.3, 0.4)
    told = find(board({"bm25": 0.3, "minilm": 0.35}, {"minilm": few}))
    assert told.endswith("by 5.0 points of MAP, which may be chance (adjusted p = .400).")


def test_the_difference_is_turned_where_the_first_system_leads() -> None:
    behind = SystemDifference(Estimate(-0.05, -0.08, -0.02), 0.0001, 0.0002)
    told = find(board({"bm25": 0.35, "minilm": 0.3}, {"minilm": behind}))
    assert told == (
        "bm25 leads minilm by 5.0 points of MAP (2.0 to 8.0), more than chance would give "
        "(adjusted p <.001)."
    )


def test_a_lead_that_was_not_tested_is_called_so() -> None:
    leads = {"lsa": LEAD, "minilm": LEAD}
    told = find(board({"bm25": 0.3, "lsa": 0.345, "minilm": 0.35}, leads))
    assert told.startswith("minilm leads bm25 by 5.0 points")
    assert told.endswith("; its lead over lsa, which comes second, was not tested.")


def test_equal_systems_lead_nobody() -> None:
    same = SystemDifference(Estimate(0.0, 0.0, 0.0), 1.0, 1.0)
    told = find(board({"bm25": 0.3, "minilm": 0.3}, {"minilm": same}))
    assert told == "bm25 and minilm reach the same MAP, 30.0 per cent."


def test_without_figures_nothing_is_claimed() -> None:
    assert find(board({"bm25": math.nan})) == ("No system has a figure of MAP that can be judged.")


def test_of_sizes_the_largest_is_told() -> None:
    figures = {
        ("bm25", size, "", "map"): Estimate(mean, mean, mean)
        for size, mean in (("1,000", 0.5), ("200", 0.6))
    }
    told = find(Board(figures, {}, "", 0.95))
    assert told.startswith("In the largest pool (1,000 papers) bm25 reaches 50.0")


@pytest.mark.parametrize("p", [0.01, 0.5])
def test_of_tasks_figures_are_counted(p: float) -> None:
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
    alone = {key: one for key, one in figures.items() if key[0] == "a"}
    assert find(Board(alone, {}, "", 0.95)) == "a has 2 figures, of 2 tasks."


def test_averages_without_a_test_are_called_so() -> None:
    told = find(board({"a": 0.5, "b": 0.6, "c": 0.7}, condition="average"))
    assert told == "c leads b by 10.0 points of MAP, which was not tested."
