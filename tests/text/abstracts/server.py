"""A real HTTP server for the chat protocol, with scripted errors."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """Response of the server: a chat answer with this text, or a status with a body."""

    text: str = ""
    status: int = 200
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before the answer; the server may be stopped before."""
    trickle: float = 0.0
    """Seconds between two bytes of the body."""


@dataclass
class Server:
    """Calls `behave` with the number of the request and its JSON; keeps the requests."""

    behave: Callable[[int, Json], Reply]
    requests: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""
    most_at_once: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: int = 0

    def answer(self, request: Json, headers: dict[str, str]) -> Reply:
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            number = len(self.requests)
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        reply = self.behave(number, request)
        self.stopping.wait(reply.delay)
        with self._lock:
            self._open -= 1
        return reply

    def abstracts(self) -> list[str]:
        """The abstract of each request."""
        return [request["messages"][1]["content"] for request in self.requests]


@contextmanager
def serving(behave: Callable[[int, Json], Reply]) -> Iterator[Server]:
    """The server, on a free port of this machine, until the block ends."""
    server = Server(behave)
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        http.shutdown()
        http.server_close()
        thread.join()


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            result = self.path == "/v1/chat/completions"
            reply = server.answer(body, dict(self.headers)) if result else Reply(status=404)
            message = {"role": "assistant", "content": reply.text}
            answer = {"object": "chat.completion", "choices": [{"index": 0, "message": message}]}
            text = json.dumps(answer) if reply.body is None else reply.body
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(text.encode())))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if not reply.trickle:
                self.wfile.write(text.encode())
                return
            for byte in text.encode():
                self.wfile.write(bytes([byte]))
                if server.stopping.wait(reply.trickle):
                    return

        def handle(self) -> None:
            with suppress(ConnectionError, TimeoutError):  # the client gave up
                super().handle()

        def log_message(self, *_: object) -> None:
            return

    return Handler
