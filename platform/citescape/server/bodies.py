"""Bodies of requests and refusals, as JSON."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from citescape.core.errors import ConfigError
from citescape.server.security import LARGEST_BODY


async def read_object(request: Request, largest: int = LARGEST_BODY) -> dict[str, Any]:
    """The JSON object in the body of a request.

    Args:
        request: the request.
        largest: maximum size in bytes.

    Raises:
        ConfigError: the body is larger, or something else.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > largest:
            raise TooLargeError(f"the request is too large; expected at most {largest >> 10:,} KB")
    try:
        settings = json.loads(body)
        json.dumps(settings, ensure_ascii=False).encode()  # half of a pair of surrogates fails
    except (ValueError, RecursionError):
        start = bytes(body[:40]).decode(errors="replace")
        raise ConfigError(f"the request is {start!r}; expected settings as JSON") from None
    if not isinstance(settings, dict):
        kind = type(settings).__name__
        raise ConfigError(f"the request is a {kind}; expected settings as a JSON object")
    return settings


class TooLargeError(ConfigError):
    """A request is larger than allowed."""


def refuse(message: str, status: int, **more: object) -> Response:
    """An error as JSON.

    Args:
        message: found, expected, and what to do.
        status: status of HTTP.
        more: other figures.
    """
    return JSONResponse({"error": message, **more}, status)
