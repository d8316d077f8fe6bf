"""`platform status`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table, minute
from citescape.cli.terminal import echo

if TYPE_CHECKING:
    from citescape.graph.overview import Overview

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
    from citescape.graph.overview import read_overview
    from citescape.graph.store import open_store
    from citescape.runs import default_runs, list_unfinished

    graph = open_store(store, read_only=True)
    try:
        found = read_overview(graph)
    finally:
        graph.close()
    cut = list_unfinished(runs or default_runs(store))
    if as_json:
        unfinished = [{"run": id_, "folder": str(path), "bytes": size} for id_, path, size in cut]
        echo_json({**found.as_dict(), "unfinished": unfinished})
        return
    _print_overview(found)
    if cut:
        echo("", "cut off, or under way (the same command goes on; or delete the folder):")
        for _, path, size in cut:
            echo(f"  {path}  {size / 1e6:,.1f} MB")


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
