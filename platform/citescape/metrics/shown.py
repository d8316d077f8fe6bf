"""Figures of evaluations as people read them: per cent, with intervals."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from citescape.metrics.evaluated import EvaluationRun
from citescape.runs.result import Part, Table

Figures = Mapping[tuple[str, str, str, str], str]
"""System, condition, group and metric -> the figure."""


def read_figures(made: EvaluationRun) -> Figures:
    """`33.7 (32.1 to 35.2)`, in per cent; empty where there is no figure."""
    names = ("system", "condition", "group", "metric")
    return {
        tuple(row[name] for name in names): (
            "" if row["mean"] is None else f"{100 * row['mean']:.1f}{format_interval(row)}"
        )
        for row in made.figures.to_pylist()
    }


def format_interval(row: Mapping[str, float | None], form: str = ".1f") -> str:
    """` (32.1 to 35.2)`; empty without an interval.

    Args:
        row: with `low` and `high`.
        form: of the numbers.
    """
    low, high = row["low"], row["high"]
    if low is None or high is None or math.isnan(low):
        return ""
    return f" ({100 * low:{form}} to {100 * high:{form}})"


def compare_with_first(
    made: EvaluationRun, *, names: Mapping[str, str], title: str, only: Collection[str] = ()
) -> list[Part]:
    """The difference of each system and the first one, with p values.

    Args:
        made: the evaluation.
        names: of metrics.
        title: what the rows are.
        only: these metrics; empty for all.
    """
    if made.differences is None:
        return ["", "no comparison: expected two or more systems"]
    rows = [
        (
            row["system"],
            row["condition"],
            names.get(row["metric"], row["metric"]),
            f"{100 * row['difference']:+.1f}{format_interval(row, '+.1f')}",
            row["p"],
            row["p_adjusted"],
        )
        for row in made.differences.to_pylist()
        if not only or row["metric"] in only
    ]
    header = ("", title, "metric", "difference", "p", "adjusted p")
    return ["", f"difference from {made.counts['systems'][0]}", Table(header, rows)]
