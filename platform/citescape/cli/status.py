"""`platform status`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table, minute
from citescape.core.config import is_address
from citescape.core.terminal import echo

if TYPE_CHECKING:
    from citescape.ingest.overview import Overview

_WRITTEN = {
    "score": "scores",
    "embed": "vectors",
    "graph-embed": "vectors",
    "network": "edges",
    "cluster": "communities",
    "map": "places",
}


@click.command()
@store_option
@runs_option
@output_options
def status(store: str, runs: Path | None, as_json: bool) -> None:
    """Show what the store holds: nodes, relationships, runs, and work left to do."""
    from citescape.ingest.overview import read_overview
    from citescape.runs.directory import default_runs, list_runs, list_unfinished
    from citescape.store.graph_store import open_store

    graph = open_store(store, read_only=True)
    try:
        found = read_overview(graph)
    finally:
        graph.close()
    folder = runs or default_runs(store)
    list_runs(folder, "")  # warns of damaged ones; those in the graph are shown
    cut = list_unfinished(folder)
    if as_json:
        unfinished = [{"run": id_, "folder": str(path), "bytes": size} for id_, path, size in cut]
        echo_json({**found.as_dict(), "unfinished": unfinished, "low_disk": _low_disk(store)})
        return
    _print_overview(found)
    if cut:
        echo("", "cut off, or under way (the same command goes on; or delete the folder):")
        for _, path, size in cut:
            echo(f"  {path}  {size / 1e6:,.1f} MB")
    if low := _low_disk(store):
        echo("", low)


def _low_disk(store: str) -> str:
    """Whether a store that is a file may not find the room to write as much again."""
    if is_address(store):
        return ""
    size, free = Path(store).stat().st_size, shutil.disk_usage(Path(store).parent).free
    found = f"{free / 1e6:,.1f} MB free beside a store of {size / 1e6:,.1f} MB"
    return f"low on disk: {found}; make room before you write to it" if free < size else ""


def _print_overview(found: Overview) -> None:
    widths = (max(map(len, found.relationships)), len(f"{max(found.labels.values()):,}"))
    echo(f"{found.store} ({found.engine}, schema {found.schema_version})", "")
    echo_table(("nodes", "count"), found.labels.items(), widths=widths)
    echo()
    echo_table(("relationships", "count"), found.relationships.items(), widths=widths)
    if found.runs:
        echo()
        rows = [
            (
                run["id"],
                minute(run["started"]),
                f"{run['seconds']:,.1f}",
                _current(run["command"]) if run["current"] else "",
            )
            for run in found.runs
        ]
        echo_table(("run", "first started (UTC)", "seconds", ""), rows)
    if found.pending:
        echo("", f"left to do: {found.pending}")


def _current(command: str) -> str:
    return f"its {_WRITTEN[command]} are in the graph"
