"""What evaluations print."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from citescape.cli.options import command_line
from citescape.cli.output import echo_json, echo_table, number
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from pathlib import Path

    from citescape.metrics.evaluated import EvaluationRun
    from citescape.runs.kept import KeptRun

_LONGEST = 40
Figures = Mapping[tuple[str, str, str, str], str]
"""System, condition, group and metric -> the figure as it is shown."""


def read_figures(made: EvaluationRun) -> Figures:
    """`33.7 (32.1 to 35.2)`, in per cent."""
    names = ("system", "condition", "group", "metric")
    return {tuple(row[name] for name in names): _show(row) for row in made.figures.to_pylist()}


def _show(row: Mapping[str, float | None]) -> str:
    mean = row["mean"]
    return "" if mean is None else f"{100 * mean:.1f}{show_interval(row)}"


def show_interval(row: Mapping[str, float | None], form: str = ".1f") -> str:
    """` (32.1 to 35.2)`; nothing where too few queries say nothing."""
    low, high = row["low"], row["high"]
    if low is None or high is None or math.isnan(low):
        return ""
    return f" ({100 * low:{form}} to {100 * high:{form}})"


def shorten(name: str) -> str:
    """A name of a field that leaves room for figures."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1].rstrip()}…"


def print_differences(
    made: EvaluationRun,
    *,
    condition: str = "",
    names: Mapping[str, str],
    title: str,
    of: str = "task",
    only: Collection[str] = (),
) -> None:
    """Each system less the first.

    Args:
        made: the measured.
        condition: one; empty for a row each.
        names: of metrics.
        title: what is compared.
        of: what a condition is.
        only: these metrics; empty for all.
    """
    from citescape.metrics.shown import show_difference

    found = made.differences
    if found is None:
        echo("", "nothing to compare: that takes two systems and figures that are means")
        return
    rows = [
        (
            row["system"],
            *([] if condition else [row["condition"]]),
            names.get(row["metric"], row["metric"]),
            *show_difference(row, made.counts),
        )
        for row in found.to_pylist()
        if condition in ("", row["condition"]) and (not only or row["metric"] in only)
    ]
    echo("", f"less {made.counts['systems'][0]}, {title}")
    header = ("", *([] if condition else [of]), "metric", "difference", "p", "adjusted")
    echo_table(header, rows)


def print_traits(made: EvaluationRun) -> None:
    """What rankers are; and what of their files and of the corpus does not fit, what was tried."""
    traits: Mapping[str, Mapping[str, Any]] = made.counts.get("traits", {})
    if not traits:  # of files of scores nothing is known, nor in runs of older versions
        return
    echo("", "rankers, and what took part in training or ranking")
    rows = [
        (name, own["dimension"] or None, *(_FLAGS[own[flag]] for flag in _TRAITS))
        for name, own in traits.items()
    ]
    echo_table(("ranker", "dimension", *_TRAITS), rows)
    for name, own in traits.items():
        for remark in _remark(own, made.counts["lacking"][name]):
            echo(f"{name}: {remark}")
    if made.counts.get("title_only"):
        echo(f"{plural(made.counts['title_only'], 'paper')} with a title only")


_TRAITS = ("citations", "contrast", "importance")
_FLAGS = {True: "yes", False: "no", None: "-"}


def _remark(own: Mapping[str, Any], lacking: int) -> Iterator[str]:
    if own["facet"]:
        yield f"trained on the {own['facet']} of abstracts"
    seen = own.get("seen", 0)
    if seen is None:
        yield "its triplets are not there any more: it may have learned from queries"
    elif seen:
        yield (
            f"has learned from {plural(seen, 'query', 'queries')}, so its figures may be too good: "
            "train it without them (`platform sample --exclude`)"
        )
    yield from (f"{number(count)} {what}" for what, count in own["unknown"].items() if count)
    if lacking:
        yield f"{plural(lacking, 'paper')} of which it knows nothing"
    if own["trials"]:
        k1, b, figure = max(own["trials"], key=lambda trial: trial[2])
        tried = number(len(own["trials"]))
        yield f"k1 {k1:g} and b {b:g} of {tried} tried, MAP {100 * figure:.1f} of other queries"


def echo_run(made: KeptRun, **more: object) -> None:
    """A run as one line of JSON: id, path, counts, and more."""
    told = {"run": made.run, "path": str(made.path), "unchanged": made.unchanged}
    echo_json({**told, **made.counts, **more})


def print_run(made: KeptRun) -> None:
    """The last line: where it is, and how long it took."""
    encoding = made.record.timings.get("encoding", 0)
    spent = f", {encoding:,.0f} s of them encoding" if encoding >= 1 else ""
    state = "there already" if made.unchanged else f"{made.record.seconds:,.0f} s{spent}"
    echo("", f"run {made.run} in {made.path} ({state})")


def print_page(made: KeptRun, store: str, runs: Path | None) -> None:
    """How to have it as a page."""
    echo(f"as a page: {command_line(f'evaluate report {made.run}', store, runs)}")
