"""`platform serve`."""

from __future__ import annotations

from pathlib import Path

import click

from citescape.cli.options import store_option


@click.command()
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
    help="Open the page in the browser.",
)
@click.option(
    "--runs",
    default="",
    envvar="CITESCAPE_RUNS",
    metavar="DIRECTORY",
    help="Folder of run directories.",
)
@store_option
def serve(port: int, open_page: bool, runs: str, store: str) -> None:
    """Explore the graph in a browser: search papers, see citations and their importance.

    The server answers on this machine only, to whoever has the address that it prints. It reads a
    copy of a store that is a file, so that other commands can write to the store meanwhile.
    """
    from citescape.server.serve import run_server

    run_server(store, Path(runs) if runs else None, port=port, open_page=open_page)
