"""Display of evaluations: figures with intervals, differences with p, traits of rankers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from citescape.metrics.coverage import MIN_COVERAGE, find_coverage
from citescape.runs.result import Part, Table, plural

if TYPE_CHECKING:
    from citescape.metrics.evaluation_run import EvaluationRun
    from citescape.runs.kept import KeptRun

_LONGEST = 40
"""Maximum length of the name of a field."""
_TRAITS = ("citations", "contrast", "importance")
_FLAGS = {True: "yes", False: "no", None: "-"}
Figures = Mapping[tuple[str, str, str, str], str]
"""System, condition, group and metric -> formatted figure."""


def list_figures(run: KeptRun, **more: object) -> dict[str, Any]:
    """Fields of the JSON output of a run: id, path, counts, and `more`."""
    fields = {"run": run.run, "path": str(run.path), "unchanged": run.unchanged}
    return {**fields, **run.counts, **more}


def read_figures(run: EvaluationRun) -> Figures:
    """Formatted figures, `33.7 (32.1 to 35.2)`, in per cent."""
    figures = {}
    for row in run.figures.to_pylist():
        mean = row["mean"]
        text = "" if mean is None else f"{100 * mean:.1f}{format_interval(row)}"
        figures[row["system"], row["condition"], row["group"], row["metric"]] = text
    return figures


def format_interval(row: Mapping[str, float | None], form: str = ".1f") -> str:
    """` (32.1 to 35.2)`; empty if the row has no interval."""
    low, high = row["low"], row["high"]
    if low is None or high is None or math.isnan(low):
        return ""
    return f" ({100 * low:{form}} to {100 * high:{form}})"


def shorten(name: str) -> str:
    """A name of a field, cut to leave room for figures."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1].rstrip()}…"


def compare_metrics(
    figures: Figures,
    systems: Sequence[str],
    *,
    condition: str,
    names: Mapping[str, str],
    title: str = "",
) -> Table:
    """A table with one row per system and one column per metric.

    Args:
        figures: formatted figures.
        systems: systems, in the order of rows.
        condition: condition of the figures.
        names: metric -> name in the header.
        title: title of the table.
    """
    rows = [
        (system, *(figures.get((system, condition, "", metric), "") for metric in names))
        for system in systems
    ]
    return Table(("", *names.values()), rows, title)


def show_difference(
    row: Mapping[str, Any], counts: Mapping[str, Any]
) -> tuple[str, float | None, float | None]:
    """`+1.2 (+0.3 to +2.1)`, p and adjusted p; a dash and the reason if coverage is too low."""
    for system in (row["system"], row["against"]):
        covered = find_coverage(counts, system, row["condition"])
        if covered < MIN_COVERAGE:
            return f"- ({system} covers {covered:.1%})", None, None
    difference = f"{100 * row['difference']:+.1f}{format_interval(row, '+.1f')}"
    return difference, row["p"], row["p_adjusted"]


def list_differences(
    run: EvaluationRun,
    *,
    condition: str = "",
    names: Mapping[str, str],
    title: str,
    header: str = "task",
    only: Collection[str] = (),
) -> list[Part]:
    """Differences of each system from the first, with p; empty for one system.

    Args:
        run: the evaluation.
        condition: one condition; empty for a row per condition.
        names: metric -> its name in the table.
        title: title of the table, after the name of the first system.
        header: header of the column of conditions.
        only: metrics to show; empty for all.
    """
    differences = run.differences
    if differences is None:
        return []
    rows = [
        (
            row["system"],
            *([] if condition else [row["condition"]]),
            names.get(row["metric"], row["metric"]),
            *show_difference(row, run.counts),
        )
        for row in differences.to_pylist()
        if condition in ("", row["condition"]) and (not only or row["metric"] in only)
    ]
    columns = ("", *([] if condition else [header]), "metric", "difference", "p", "adjusted")
    return ["", Table(columns, rows, f"difference from {run.counts['systems'][0]}, {title}")]


def list_traits(run: EvaluationRun) -> list[Part]:
    """Traits of rankers, papers missing from their files, and tuned parameters."""
    traits: Mapping[str, Mapping[str, Any]] = run.counts.get("traits", {})
    if not traits:  # files of scores have none
        return []
    rows = [
        (name, own["dimension"] or None, *(_FLAGS[own[flag]] for flag in _TRAITS))
        for name, own in traits.items()
    ]
    title = "rankers, and data used in training or ranking"
    parts: list[Part] = ["", Table(("ranker", "dimension", *_TRAITS), rows, title)]
    for name, own in traits.items():
        parts += [f"{name}: {note}" for note in _list_notes(own, run.counts["lacking"][name])]
    if run.counts.get("title_only"):
        parts.append(f"{plural(run.counts['title_only'], 'paper')} with a title only")
    return parts


def _list_notes(own: Mapping[str, Any], lacking: int) -> Iterator[str]:
    if own["facet"]:
        yield f"trained on the {own['facet']} of abstracts"
    seen = own.get("seen", 0)
    if seen is None:
        yield "its triplets were removed: its training data may contain queries"
    elif seen:
        yield (
            f"trained on {plural(seen, 'query', 'queries')}, so its figures may be too high: train "
            "it without them (`platform sample --exclude`)"
        )
    yield from (
        f"{count:,} {description}" for description, count in own["unknown"].items() if count
    )
    if lacking:
        yield f"{plural(lacking, 'paper')} without a vector or score"
    if own["trials"]:
        k1, b, figure = max(own["trials"], key=lambda trial: trial[2])
        yield (
            f"k1 {k1:g} and b {b:g}, the best of {len(own['trials']):,} settings, MAP "
            f"{100 * figure:.1f} on validation queries"
        )
