"""`platform serve`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json
from citescape.core.terminal import echo


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address on which the explorer answers. Another address than the default lets other "
    "machines in that have the printed address; the connection is not encrypted, and pages cannot "
    "save scores.",
)
@click.option(
    "--port",
    default=8750,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port; 0 for a free one.",
)
@click.option(
    "--open/--no-open",
    "open_page",
    default=True,
    show_default=True,
    help="Open the first page in the browser.",
)
@store_option
@runs_option
@output_options
def serve(
    host: str, port: int, open_page: bool, store: str, runs: Path | None, as_json: bool
) -> None:
    """Explore the graph in a browser: papers, citations and their importance.

    The explorer answers on this machine only, to whoever has the printed address. It shows a
    snapshot of a store that is a file, so that other commands can write to the store meanwhile; the
    page says of when it is, and takes a new one.
    """
    from citescape.server.serve import run_server

    def report(state: dict[str, Any]) -> None:
        if as_json:
            echo_json(state)
            return
        taken = state["taken"]
        when = f", as of {datetime.fromisoformat(taken).astimezone():%H:%M}" if taken else ""
        echo(f"{state['store']}{when}: {state['address']}")
        echo("stop with Ctrl-C")

    run_server(store, runs, host=host, port=port, open_page=open_page, report=report)
