"""The application: pages, their files, and a call for each step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from threading import Lock
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from citescape.core.errors import CitescapeError
from citescape.corpus import Corpus
from citescape.runs.save import to_json
from citescape.server.security import LARGEST_BODY, Guard

PAGES: Mapping[str, tuple[str, str]] = {
    "/": ("home", "citescape"),
    "/paper/{id:path}": ("paper", "Citation network · citescape"),
}
"""Address -> page and its title."""
STEPS = ("find", "neighbours", "explain")
"""Steps that pages may call: they only read."""
_FOLDER = Path(__file__).parent


def make_app(corpus: Corpus, *, token: str, hosts: Sequence[str]) -> Starlette:
    """The explorer of a corpus that nobody else writes to.

    Args:
        corpus: graph and runs.
        token: secret of the address that is printed.
        hosts: names by which the server may be called.
    """
    pages = [Route(path, _page(*page)) for path, page in PAGES.items()]
    call = Route("/api/{step}", _caller(corpus), methods=["POST"])
    static = Mount("/static", StaticFiles(directory=_FOLDER / "static"))
    guard = Middleware(Guard, token=token, hosts=hosts)
    return Starlette(routes=[*pages, call, static], middleware=[guard])


def _page(name: str, title: str) -> Callable[[Request], Response]:
    def show(_: Request) -> Response:
        return HTMLResponse(_template().substitute(page=name, title=title))

    return show


@cache
def _template() -> Template:
    return Template((_FOLDER / "page.html").read_text("utf-8"))


def _caller(corpus: Corpus) -> Callable[[Request], Any]:
    lock = Lock()

    def work(name: str, settings: dict[str, Any]) -> str:
        with lock:
            result = getattr(corpus, name)(**settings)
        return to_json(result.summarise().figures)

    async def answer(request: Request) -> Response:
        name = request.path_params["step"]
        if name not in STEPS:
            return _refuse(f"no step {name!r}; expected {', '.join(STEPS)}", 404)
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                return _refuse(f"expected at most {LARGEST_BODY >> 10} KB", 413)
        try:
            settings = json.loads(body)
        except (ValueError, RecursionError):
            return _refuse("expected settings as JSON", 400)
        if not isinstance(settings, dict):
            return _refuse("expected settings as a JSON object", 400)
        try:
            text = await run_in_threadpool(work, name, settings)
        except (CitescapeError, TypeError) as error:
            return _refuse(str(error), 400)
        return Response(text, media_type="application/json")

    return answer


def _refuse(message: str, status: int) -> Response:
    return JSONResponse({"error": message}, status)
