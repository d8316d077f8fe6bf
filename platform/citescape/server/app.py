"""The application: pages, their files, and a call for each step."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from citescape.core.errors import CitescapeError, ConfigError, StoreError
from citescape.core.terminal import echo
from citescape.runs.save import to_json
from citescape.sandbox.console import Console
from citescape.server.bodies import TooLargeError, read_object, refuse
from citescape.server.calls import CALLS, LARGEST
from citescape.server.console import console_routes
from citescape.server.graph import ServedGraph
from citescape.server.map_files import map_routes
from citescape.server.security import HEADERS, LARGEST_BODY, Guard

PAGES: Mapping[str, tuple[str, str]] = {
    "/": ("home", "citescape"),
    "/related": ("related", "Related papers · citescape"),
    "/check": ("check", "Check references · citescape"),
    "/paper/{id:path}": ("paper", "Citation network · citescape"),
    "/communities": ("communities", "Communities · citescape"),
    "/communities/{name}": ("communities", "Community · citescape"),
    "/recommend": ("recommend", "What to cite · citescape"),
    "/map": ("map", "Map · citescape"),
    "/cypher": ("cypher", "Cypher console · citescape"),
}
"""Address -> page and its title."""
EARLY: Mapping[str, str] = {"map": "/api/map/points"}
"""Page -> address that its script reads first."""
_FOLDER = Path(__file__).parent


def make_app(
    graph: ServedGraph, *, token: str, hosts: Sequence[str], writable: bool = True
) -> Starlette:
    """The explorer of a graph.

    Args:
        graph: the graph.
        token: secret of the address that is printed.
        hosts: names by which the server may be called.
        writable: pages may save scores.
    """

    async def call(request: Request) -> Response:
        name = request.path_params["step"]
        if name not in CALLS:
            return refuse(f"no step {name!r}; expected {', '.join(CALLS)}", 404)
        settings = await read_object(request, LARGEST.get(name, LARGEST_BODY))
        text = await run_in_threadpool(graph.call, name, settings)
        return Response(text, media_type="application/json")

    async def describe(_: Request) -> Response:
        return JSONResponse(await run_in_threadpool(graph.describe))

    async def refresh(_: Request) -> Response:
        await run_in_threadpool(graph.refresh)
        return JSONResponse(graph.describe())

    async def score(request: Request) -> Response:
        if not writable:
            return refuse("scores can be saved on this machine only: open the explorer there", 403)
        weights = (await read_object(request)).get("weights")
        if not isinstance(weights, dict):
            raise ConfigError(f"weights is {weights!r}; expected a number for each component")
        return Response(
            to_json(await run_in_threadpool(graph.score, weights)), media_type="application/json"
        )

    pages = [Route(path, _page(*page)) for path, page in PAGES.items()]
    console = Console(lambda: graph.reading)
    routes = [
        *pages,
        *console_routes(console),
        Route("/api/state", describe),
        Route("/api/refresh", refresh, methods=["POST"]),
        Route("/api/score", score, methods=["POST"]),
        *map_routes(graph.runs),
        Route("/api/{step}", call, methods=["POST"]),
        Mount("/static", StaticFiles(directory=_FOLDER.parent / "static")),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, hosts=hosts)],
        lifespan=_closing(console),
        exception_handlers={CitescapeError: _explain, Exception: _report, 404: _not_found},
    )


def _closing(console: Console) -> Callable[[Starlette], Any]:
    @asynccontextmanager
    async def close_at_the_end(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await run_in_threadpool(console.close)

    return close_at_the_end


def _explain(_: Request, error: Exception) -> Response:
    status = (
        413 if isinstance(error, TooLargeError) else 503 if isinstance(error, StoreError) else 400
    )
    return refuse(str(error), status)


def _report(request: Request, error: Exception) -> Response:
    """A fault of the program: one line in the log, nothing of it in the browser."""
    if not isinstance(error, ClientDisconnect):
        line = f"{request.method} {request.url.path}: {type(error).__name__}: {error}"
        echo(line, err=True)
    answer = refuse("internal error; the log of `platform serve` names it", 500)
    answer.headers.update(HEADERS)  # it does not pass the guard
    return answer


def _not_found(request: Request, _: Exception) -> Response:
    path = request.url.path
    if path.startswith("/api/"):
        return refuse(f"no call {path!r}", 404)
    return HTMLResponse(
        '<!doctype html><html lang="en"><title>No such page</title>'
        '<link rel="stylesheet" href="/static/home.css"><main><h1>No such page</h1>'
        f'<p>The explorer has no page {escape(path)}. <a href="/">Search papers</a></p></main>',
        404,
    )


def _page(name: str, title: str) -> Callable[[Request], Response]:
    def show(request: Request) -> Response:
        # the file of a map is read while its script is
        early = EARLY.get(name, "") if "run" not in request.query_params else ""
        link = f'<link rel="preload" as="fetch" crossorigin href="{early}">' if early else ""
        return HTMLResponse(_template().substitute(page=name, title=title, links=link))

    return show


@cache
def _template() -> Template:
    return Template((_FOLDER / "page.html").read_text("utf-8"))
