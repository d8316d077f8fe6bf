"""Starts the explorer."""

from __future__ import annotations

import secrets
import socket
import tempfile
import webbrowser
from pathlib import Path

import uvicorn

from citescape.core.config import is_address
from citescape.core.terminal import echo
from citescape.corpus import open_corpus
from citescape.runs.directory import default_runs
from citescape.server.app import make_app
from citescape.server.snapshot import take_snapshot

_HOST = "127.0.0.1"


def run_server(location: str, runs: Path | None, *, port: int, open_page: bool) -> None:
    """Serves the explorer of a store until it is stopped.

    Args:
        location: path or address of the store.
        runs: folder of run directories; by default that of the store.
        port: port; 0 for a free one.
        open_page: whether to open the first page in the browser.
    """
    folder = runs or Path(default_runs(location))
    with tempfile.TemporaryDirectory(prefix="citescape-") as copies, _listen(port) as listening:
        read, when = location, ""
        if not is_address(location):
            copy, taken = take_snapshot(location, Path(copies))
            read, when = str(copy), f" as of {taken.astimezone():%H:%M}"
        token = secrets.token_urlsafe(24)
        address = f"http://{_HOST}:{listening.getsockname()[1]}/?token={token}"
        with open_corpus(read, runs=folder, read_only=True) as corpus:
            app = make_app(corpus, token=token, hosts=(_HOST, "localhost"))
            echo(f"{location}{when}: {address}")
            echo("stop with Ctrl-C")
            if open_page:
                webbrowser.open(address)
            config = uvicorn.Config(app, log_level="warning", access_log=False)
            uvicorn.Server(config).run(sockets=[listening])


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((_HOST, port))
    return listening
