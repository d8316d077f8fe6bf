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
    click.echo(f"{found.store} ({found.engine}, schema {found.schema_version})")
    echo_table(("nodes", "count"), list(found.labels.items()))
    click.echo()
    echo_table(("relationships", "count"), list(found.relationships.items()))
    if found.runs:
        click.echo()
        rows = [(run["id"], run["command"], run["started"], run["seconds"]) for run in found.runs]
        echo_table(("run", "command", "started", "seconds"), rows)
    if found.pending:
        click.echo(f"\nleft to do: {found.pending}")
