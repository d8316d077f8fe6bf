"""What evaluations of sentences print."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from citescape.cli.commands import show_parts
from citescape.cli.options import command_line
from citescape.cli.output import echo_json
from citescape.core.terminal import echo
from citescape.metrics.shown import (
    Figures,
    list_differences,
    list_figures,
    read_figures,
    show_interval,
)
from citescape.runs.result import Summary

if TYPE_CHECKING:
    from pathlib import Path

    from citescape.metrics.evaluated import EvaluationRun
    from citescape.runs.kept import KeptRun

__all__ = ["Figures", "read_figures", "show_interval"]


def print_differences(
    made: EvaluationRun,
    *,
    names: Mapping[str, str],
    title: str,
    of: str = "task",
    only: Collection[str] = (),
) -> None:
    """The lead of each system over the first, see `metrics.shown.list_differences`."""
    parts = list_differences(made, names=names, title=title, of=of, only=only)
    nothing = ["", "nothing to compare: that takes two systems and figures that are means"]
    show_parts(Summary(parts or nothing))


def echo_run(made: KeptRun, **more: object) -> None:
    """A run as one line of JSON: id, path, counts, and more."""
    echo_json(list_figures(made, **more))


def print_run(made: KeptRun) -> None:
    """The last line: where it is, and how long it took."""
    encoding = made.record.timings.get("encoding", 0)
    spent = f", {encoding:,.0f} s of them encoding" if encoding >= 1 else ""
    state = "there already" if made.unchanged else f"{made.record.seconds:,.0f} s{spent}"
    echo("", f"run {made.run} in {made.path} ({state})")


def print_page(made: KeptRun, store: str, runs: Path | None) -> None:
    """How to have it as a page."""
    echo(f"as a page: {command_line(f'evaluate report {made.run}', store, runs)}")
