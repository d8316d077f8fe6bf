"""What evaluations print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from citescape.cli.output import echo_json, echo_table

if TYPE_CHECKING:
    from citescape.evaluation.evaluated import EvaluationRun
    from citescape.kept import KeptRun

Figures = Mapping[tuple[str, str, str, str], str]
"""System, condition, group and metric -> the figure as it is shown."""


def read_figures(made: EvaluationRun) -> Figures:
    """`33.7 (32.1 to 35.2)`, in per cent."""
    names = ("system", "condition", "group", "metric")
    return {tuple(row[name] for name in names): _show(row) for row in made.figures.to_pylist()}


def _show(row: Mapping[str, float | None]) -> str:
    mean, low, high = row["mean"], row["low"], row["high"]
    if mean is None:
        return ""
    told = f"{100 * mean:.1f}"
    return told if low is None or high is None else f"{told} ({100 * low:.1f} to {100 * high:.1f})"


def print_differences(
    made: EvaluationRun, *, condition: str = "", names: Mapping[str, str], title: str
) -> None:
    """Each system less the first, under one condition or, with a row each, under all."""
    found = made.differences
    if found is None:
        click.echo("\nnothing to compare: that takes two systems and figures that are means")
        return
    rows = [
        (
            row["system"],
            *([] if condition else [row["condition"]]),
            names.get(row["metric"], row["metric"]),
            f"{100 * row['difference']:+.1f} ({100 * row['low']:+.1f} to {100 * row['high']:+.1f})",
            row["p"],
            row["p_adjusted"],
        )
        for row in found.to_pylist()
        if condition in ("", row["condition"])
    ]
    click.echo(f"\nless {made.counts['systems'][0]}, {title}")
    header = ("", *([] if condition else ["task"]), "metric", "difference", "p", "adjusted")
    echo_table(header, rows)


def echo_run(made: KeptRun, **more: object) -> None:
    """A run as one line of JSON: id, path, counts, and more."""
    told = {"run": made.run, "path": str(made.path), "unchanged": made.unchanged}
    echo_json({**told, **made.counts, **more})


def print_run(made: KeptRun) -> None:
    """The last line: where it is, and how long it took."""
    state = "there already" if made.unchanged else f"{made.record.seconds:,.0f} s"
    click.echo(f"\nrun {made.run} in {made.path} ({state})")
