"""Starts the explorer."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from html import escape
from ipaddress import ip_address
from pathlib import Path
from socket import getfqdn, gethostname
from tempfile import NamedTemporaryFile
from threading import Thread
from typing import Any

import uvicorn

from citescape.core.errors import ConfigError
from citescape.server.app import make_app
from citescape.server.graph import ServedGraph

LOCAL = "127.0.0.1"
KEEP_ALIVE = 120
"""Seconds that an idle connection stays open: readers pause between clicks, and a click on a
connection that is being closed would fail."""


def run_server(
    location: str,
    runs: Path | None,
    *,
    host: str = LOCAL,
    port: int,
    open_page: bool,
    report: Callable[[dict[str, Any]], None],
) -> None:
    """Serves the explorer of a store until it is stopped.

    Args:
        location: path or address of the store.
        runs: folder of run directories; by default that of the store.
        host: address of this machine on which the server answers.
        port: port; 0 for a free one.
        open_page: whether to open the first page in the browser.
        report: receives `address`, `store` and `taken` once the server answers.

    Raises:
        StoreError: the store cannot be read.
        ConfigError: the port is in use, or the host is not of this machine.
    """
    with (
        _listen(host, port) as listening,
        ServedGraph(location, runs) as graph,
        ExitStack() as stack,
    ):
        bound, number = listening.getsockname()[:2]
        local = ip_address(bound).is_loopback
        names = {host, LOCAL, "localhost", "::1", gethostname(), getfqdn()}
        named = gethostname() if ip_address(bound).is_unspecified else host
        shown = f"[{named}]" if ":" in named else named
        token = secrets.token_urlsafe(24)
        address = f"http://{shown}:{number}/?token={token}"
        app = make_app(graph, token=token, hosts=[*names], writable=local)
        Thread(target=graph.prepare, daemon=True).start()
        report({"address": address, **graph.describe()})
        if open_page:
            webbrowser.open(stack.enter_context(_redirect(address)).as_uri())
        # uvicorn would log the traceback of an error after the line of `app`
        config = uvicorn.Config(
            app, log_level="critical", access_log=False, timeout_keep_alive=KEEP_ALIVE
        )
        with suppress(KeyboardInterrupt):  # uvicorn has ended, and repeats the signal
            uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def _redirect(address: str) -> Iterator[Path]:
    """A page that leads to the address, which in the arguments of a program others could see."""
    with NamedTemporaryFile("w", prefix="citescape-", suffix=".html") as page:
        page.write(f'<meta http-equiv="refresh" content="0;url={escape(address)}">')
        page.flush()
        yield Path(page.name)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigError(
            f"the explorer cannot answer on {host}, port {port}: {error.strerror}; name an address "
            "of this machine with --host, another port with --port, or --port 0 for a free one"
        ) from error
    # asyncio sets this for sockets of another kind only; connections inherit it. Without it an
    # answer waits 40 ms for the acknowledgement of its headers.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
