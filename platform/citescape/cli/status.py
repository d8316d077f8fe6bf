"""`platform status`."""

from __future__ import annotations

import click

from citescape.cli.options import output_options, store_option
from citescape.cli.output import echo_json, echo_table


@click.command()
@store_option
@output_options
def status(store: str, as_json: bool) -> None:
    """Show what the store holds: nodes, relationships, runs, and work left to do."""
    from citescape.graph.overview import read_overview
    from citescape.graph.store import open_store

    graph = open_store(store, read_only=True)
    try:
        found = read_overview(graph)
    finally:
        graph.close()
    if as_json:
        echo_json(found.as_dict())
        return
    widths = (max(map(len, found.relationships)), len(f"{max(found.labels.values()):,}"))
    click.echo(f"{found.store} ({found.engine}, schema {found.schema_version})\n")
    echo_table(("nodes", "count"), found.labels.items(), widths=widths)
    click.echo()
    echo_table(("relationships", "count"), found.relationships.items(), widths=widths)
    if found.runs:
        click.echo()
        rows = [
            (
                run["id"],
                _minute(run["started"]),
                f"{run['seconds']:,.1f}",
                _current(run["command"]) if run["current"] else "",
            )
            for run in found.runs
        ]
        echo_table(("run", "first started (UTC)", "seconds", ""), rows)
    if found.pending:
        click.echo(f"\nleft to do: {found.pending}")


def _current(command: str) -> str:
    what = "vectors" if command == "embed" else "scores"
    return f"its {what} are in the graph"


def _minute(moment: str) -> str:
    """`2026-11-21T06:31:35+00:00` as `2026-11-21 06:31`."""
    return moment[:16].replace("T", " ")
