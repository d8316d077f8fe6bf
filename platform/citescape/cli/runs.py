"""`platform runs`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table, minute
from citescape.core.redaction import redact_values
from citescape.core.terminal import echo

if TYPE_CHECKING:
    from citescape.runs.directory import RunRecord

_TELLING = {
    "sample": ("sampler",),
    "train": ("base", "tune"),
    "combine": ("parts",),
    "sweep": ("samplers",),
    "embed": ("encoder", "max_tokens"),
    "graph-embed": ("method",),
    "score": ("components", "weights"),
    "network": ("kind", "papers", "years", "vectors", "k", "top", "normalise"),
    "cluster": (
        "kind",
        "network",
        "resolutions",
        "communities",
        "sizes",
        "quality",
        "seed",
        "seeds",
    ),
    "accuracy": ("criterion",),
    "benchmark-mdcr": ("order", "year"),
    "evaluate": ("benchmark", "source", "order"),
    "encode": ("encoder", "max_tokens"),
    "base-vectors": ("encoder", "max_tokens"),
    "tokens": ("encoder", "max_tokens"),
    "leakage": ("training", "benchmark"),
    "topics": ("clustering", "level", "fields"),
    "map": ("clustering", "level", "source", "seed"),
    "sections train": ("encoder",),
    "intents train": ("kind",),
    "split train": ("kind",),
}
"""Command -> the settings and inputs that its runs are told apart by."""
_WIDEST = 60


@click.command()
@click.argument("command", default="")
@store_option
@runs_option
@output_options
def runs(command: str, store: str, runs: Path | None, as_json: bool) -> None:
    """List the runs that were kept, with what they are of; the latest last.

    All, or those of one COMMAND. Each has a folder with its results and run.json: settings, hashes
    of what was read, versions, figures, times. Where a command takes RUN, an id listed here names
    one; those whose results are in the graph are marked by `platform status`.

    \b
    Examples:
      platform runs
      platform runs network
      platform runs cluster --json
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.runs.directory import command_words, default_runs, list_runs

    folder = runs or default_runs(store)
    found = list_runs(folder, command)
    if as_json:
        echo_json({"folder": str(folder), "runs": [_told(made, path) for made, path in found]})
        return
    if not found:
        of = f"of `platform {command_words(command)}` " if command else ""
        echo(f"no runs {of}in {folder}")
        return
    rows = [
        (made.id, minute(made.started), f"{made.seconds:,.1f}", _describe(made))
        for made, _ in found
    ]
    echo_table(("run", "started (UTC)", "seconds", "of"), rows)


def _told(made: RunRecord, path: Path) -> dict[str, object]:
    return {
        "run": made.id,
        "command": made.command,
        "path": str(path),
        "started": made.started,
        "seconds": made.seconds,
        "config": redact_values(made.config),  # of older versions, which kept what was given
        "inputs": redact_values(made.inputs),
    }


def _describe(made: RunRecord) -> str:
    """What tells it from others of its command, cut to a line."""
    order = made.counts.get("systems") or made.counts.get("models")  # of runs of older versions
    found = {"source": made.counts.get("source"), "order": order}
    known = redact_values({**found, **made.inputs, **made.config})
    named = {name: known.get(name) for name in _TELLING.get(made.command, ())}
    text = ", ".join(_text(name, value) for name, value in named.items() if value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _text(name: str, value: object) -> str:
    """A number or a list with its name, but rankers as they are; of a path the last part.

    A file in a run is called by the run.
    """
    from citescape.runs.directory import is_run_id

    if isinstance(value, int | float):
        return f"{name} {value}"
    if isinstance(value, list):
        return " ".join(([] if name == "order" else [name]) + [str(one) for one in value])
    path = Path(str(value.get("name", "") if isinstance(value, dict) else value))
    return path.parent.name if is_run_id(path.parent.name) else path.name
