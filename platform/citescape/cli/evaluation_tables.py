"""What evaluations print, and options of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from citescape.cli.output import echo_table

if TYPE_CHECKING:
    from citescape.evaluation.evaluated import EvaluationRun

metric_option = click.option(
    "--metric",
    type=click.Choice(("cosine", "dot", "l2")),
    default="cosine",
    show_default=True,
    help="How vectors are compared.",
)

Figures = Mapping[tuple[str, str, str, str], str]
"""System, condition, group and metric -> the figure as it is shown."""


def read_figures(made: EvaluationRun) -> Figures:
    """`33.7 (32.1 to 35.2)`, in per cent."""
    names = ("system", "condition", "group", "metric")
    return {
        tuple(row[name] for name in names): (
            f"{100 * row['mean']:.1f} ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
        )
        for row in made.figures.to_pylist()
    }


def print_differences(
    made: EvaluationRun, *, condition: str, names: Mapping[str, str], title: str
) -> None:
    """Each system less the first, under one condition."""
    found = made.differences
    if found is None:
        click.echo("\none system, so nothing to compare it with")
        return
    rows = [
        (
            row["system"],
            names[row["metric"]],
            f"{100 * row['difference']:+.1f} ({100 * row['low']:+.1f} to {100 * row['high']:+.1f})",
            row["p"],
            row["p_adjusted"],
        )
        for row in found.to_pylist()
        if row["condition"] == condition
    ]
    click.echo(f"\nless {made.counts['systems'][0]}, {title}")
    echo_table(("", "metric", "difference", "p", "adjusted"), rows)
