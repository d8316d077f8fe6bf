"""Calls of the Cypher console: what it offers, and a query that ends with its page."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from citescape.core.errors import BusyError, CitescapeError, QueryTimeoutError
from citescape.sandbox.console import (
    MOST_ROWS,
    MOST_SECONDS,
    ROWS,
    SECONDS,
    Cancellation,
    Console,
)
from citescape.server.bodies import read_object, refuse
from citescape.store.queries import Query, queries_for_people
from citescape.store.read_only import PROCEDURES
from citescape.store.schema import NODES, RELS

_TYPES = {"params": dict, "rows": int, "seconds": int | float}
_PLACE = re.compile(r"line:? (\d+), (column|offset):? (\d+)")
_CLOSED = 499
"""Status of an answer that nobody waits for."""


def console_routes(console: Console) -> list[Route]:
    """The calls of a console: `/api/console/state` and `/api/console`."""

    async def show_state(_: Request) -> Response:
        off = await run_in_threadpool(console.check)
        return JSONResponse({"off": off, **_describe(console.dialect)})

    async def run(request: Request) -> Response:
        settings = await read_object(request)
        text = settings.pop("text", None)
        if not isinstance(text, str):
            return refuse("expected the statement as text", 400)
        for name, value in settings.items():
            if name not in _TYPES:
                return refuse(f"no setting {name!r}; expected text, {', '.join(_TYPES)}", 400)
            if not isinstance(value, _TYPES[name]) or isinstance(value, bool):
                return refuse(f"{name} is {value!r}, which is of another type", 400)
        return await _run_until_gone(request, console, text, settings)

    return [
        Route("/api/console/state", show_state, methods=["POST"]),
        Route("/api/console", run, methods=["POST"]),
    ]


async def _run_until_gone(
    request: Request, console: Console, text: str, settings: dict[str, Any]
) -> Response:
    """The answer to a query, which ends when the client disconnects."""
    cancellation = Cancellation()
    work = asyncio.ensure_future(
        run_in_threadpool(console.run, text, cancellation=cancellation, **settings)
    )
    gone = asyncio.ensure_future(_wait_until_gone(request))
    try:
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        if not work.done():
            cancellation.cancel()
    try:
        return JSONResponse(vars(await work))
    except QueryTimeoutError:
        limit = settings.get("seconds", SECONDS)
        return refuse(f"stopped after {limit:g} s, the time limit: ask for less, or raise it", 400)
    except CitescapeError as error:
        if cancellation.is_set:
            return refuse("cancelled", _CLOSED)
        return refuse(
            str(error), 503 if isinstance(error, BusyError) else 400, **_find_place(error)
        )


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _find_place(error: CitescapeError) -> dict[str, int]:
    """Line and column, from 1, that an error names."""
    found = _PLACE.search(str(error))
    if not found:
        return {}
    line, kind, number = found.groups()
    return {"line": int(line), "column": int(number) + (kind == "offset")}


def _describe(dialect: str) -> dict[str, Any]:
    """Limits, labels, relationship types, procedures and named queries, for the side bar."""
    nodes = [
        {"name": node.name, "doc": node.doc, "properties": ["id", *node.columns]} for node in NODES
    ]
    relationships = [
        {
            "name": rel.name,
            "doc": rel.doc,
            "properties": [*rel.columns],
            "source": rel.source,
            "target": rel.target,
        }
        for rel in RELS
    ]
    return {
        "dialect": dialect,
        "limits": {
            "rows": ROWS,
            "most_rows": MOST_ROWS,
            "seconds": SECONDS,
            "most_seconds": MOST_SECONDS,
        },
        "nodes": nodes,
        "relationships": relationships,
        "procedures": sorted(PROCEDURES[dialect]),
        "queries": [
            _describe_query(query, dialect)
            for query in queries_for_people()
            if "returns:" not in query.doc  # rows for a step of the explorer
        ],
    }


def _describe_query(query: Query, dialect: str) -> dict[str, Any]:
    header = "".join(f"// {line}".rstrip() + "\n" for line in query.doc.splitlines())
    parameters = [
        {
            "name": parameter.name,
            "kind": parameter.kind,
            "default": parameter.default,
            "example": parameter.example,
            "meaning": parameter.meaning,
        }
        for parameter in query.declared
    ]
    return {
        "name": query.name,
        "doc": query.doc.partition("\n")[0],
        "text": f"{header}{query.text_for(dialect)}\n",
        "parameters": parameters,
    }
