"""Who may ask what: session, host, origin, and the headers of every answer."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "citescape-session-{port}"
"""Browsers send cookies to all ports of a host."""
MARK = "x-citescape"
"""Header of every call; pages of other sites cannot send it without the server's consent."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LARGEST_BODY = 1 << 20
"""Bytes of a request."""


class Guard:
    """Refuses requests of other hosts, of other sites, and without a session.

    The token in the address is exchanged for a cookie that scripts cannot read, and removed from
    the address. The address works again in another browser, until the server ends.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: Sequence[str]) -> None:
        """Around an application.

        Args:
            app: the application.
            token: secret in the address that is printed at the start.
            hosts: names by which the server may be called, without a port.
        """
        self._app, self._token = app, token
        self._hosts = frozenset(host.lower() for host in hosts)
        self._session = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a refusal, or passes the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        refusal = self._refuse(HTTPConnection(scope))
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refuse(self, request: HTTPConnection) -> Response | None:
        headers, method = request.headers, request.scope["method"]
        if _name_of(headers.get("host", "")) not in self._hosts:
            return PlainTextResponse(
                "this name of the machine is not known here: open the address that `platform "
                "serve` printed",
                400,
            )
        given = request.query_params.get("token")
        if method == "GET" and given is not None:
            return self._exchange(request, given)
        if not _equal(request.cookies.get(_cookie(request), ""), self._session):
            return PlainTextResponse(
                "no session: open the address that `platform serve` printed", 401
            )
        if method == "POST" and not _is_own(headers):
            return PlainTextResponse(
                "a call from another site was refused: use the pages of the explorer", 403
            )
        if method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("expected GET or POST", 405)
        return None

    def _exchange(self, request: HTTPConnection, given: str) -> Response:
        if not _equal(given, self._token):
            return PlainTextResponse(
                "the token is of another start: open the address that `platform serve` printed", 401
            )
        others = [
            (name, value) for name, value in request.query_params.multi_items() if name != "token"
        ]
        query = f"?{urlencode(others)}" if others else ""
        answer = RedirectResponse(f"{request.url.path}{query}", 303)
        answer.set_cookie(
            _cookie(request), self._session, httponly=True, samesite="strict", path="/"
        )
        return answer


def _cookie(request: HTTPConnection) -> str:
    """Name of the session's cookie, different for each port."""
    return COOKIE.format(port=(request.scope.get("server") or ("", 0))[1])


def _name_of(host: str) -> str | None:
    """The name in a Host header, without the port; None if it is malformed."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _equal(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


def _is_own(headers: Headers) -> bool:
    """Whether a call comes from a page of this server."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
    own = origin is None or urlsplit(origin).netloc == headers.get("host")
    return own and site == "same-origin" and MARK in headers
