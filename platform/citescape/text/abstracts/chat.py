"""A client of OpenAI-compatible servers, which repeats requests after temporary errors.

The key comes from CITESCAPE_LLM_KEY and is never printed.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import combinations
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from citescape.core.errors import CitescapeError, ConfigError
from citescape.core.extras import require
from citescape.core.redaction import redact, redact_address, remember_secret

if TYPE_CHECKING:
    import httpx

KEY = "CITESCAPE_LLM_KEY"
_ADDRESS = re.compile(r"https?://(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:/[^\s@?#]*)?", re.IGNORECASE)
_TEMPORARY_ERRORS = frozenset((408, 409, 425, 429))
"""Status codes of temporary errors; those from 500 on are temporary too."""
_REQUEST_ERRORS = frozenset((400, 413, 422))
"""Status codes of errors of one request: too long, filtered, or a field unknown to the server."""
_OPTIONAL = ("response_format", "temperature")
"""Fields that some servers refuse; these are then omitted."""
_LONGEST_ANSWER = 16 << 20
"""Maximum bytes of an answer."""
_TRIES = 5
"""Maximum number of requests per answer while the server fails or is busy."""
_BACKOFF, _LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second request, doubled before each further one, and their maximum, which also
limits Retry-After."""
Message = dict[str, str]
Fields = frozenset[str]


class ServerBusyError(CitescapeError):
    """All tries failed with temporary errors."""


class AbstractRefusedError(CitescapeError):
    """The server refuses this request, but may accept others."""


@dataclass(frozen=True)
class ChatConfig:
    """Address and model of the LLM, time limit and number of parallel requests."""

    url: str
    """Address without `/chat/completions`, such as `http://localhost:8000/v1`."""
    model: str
    timeout: float = 120.0
    """Maximum seconds from the request to the last byte of the answer."""
    parallel: int = 4
    """Number of parallel requests."""

    def __post_init__(self) -> None:
        check_address(self.url)
        if not self.model:
            raise ConfigError(
                "no model for --llm; expected the name of a model: add --llm-model NAME"
            )


class _Reply(NamedTuple):
    """The reply to one request."""

    status: int
    """0 without a reply."""
    body: bytes = b""
    wait: float = 0.0
    """Seconds to wait before the next request, from Retry-After."""
    problem: str = ""
    """Reason for a missing reply."""


@dataclass
class Chat:
    """A thread-safe client."""

    config: ChatConfig
    sleep: Callable[[float], None] = time.sleep
    requests: int = 0
    """Number of requests sent, failed ones included."""
    dropped: Fields = frozenset()
    """Optional fields that the server refuses."""
    _client: httpx.Client = field(init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        headers = read_key()
        require("httpx")
        import httpx

        limits = httpx.Limits(max_connections=self.config.parallel)
        self._client = httpx.Client(timeout=self.config.timeout, headers=headers, limits=limits)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def complete(self, messages: Sequence[Message]) -> str:
        """The text of the answer; empty if it has none.

        Raises:
            ServerBusyError: no answer after all requests.
            AbstractRefusedError: the server refuses this request.
            ConfigError: the server refuses all requests: key, model or address are wrong.
        """
        omitted, tried, quoted = self.dropped, set[Fields](), set[str]()
        reply, failed = _Reply(0), 0
        while failed < _TRIES:
            reply = self._post(messages, omitted)
            text = _read_text(reply)
            if text is not None:
                with self._lock:
                    self.dropped |= omitted
                return text
            if reply.status in _REQUEST_ERRORS:
                tried.add(omitted)
                quoted |= {name for name in _OPTIONAL if name.encode() in reply.body}
                omitted = self._next_omitted(quoted, tried, reply)
                continue
            self._check(reply)
            failed += 1
            if failed < _TRIES:
                pause = _BACKOFF * 2 ** (failed - 1)
                self.sleep(min(max(pause, reply.wait), _LONGEST_WAIT))
        answered = 200 <= reply.status < 300
        problem = "an answer that is not JSON" if answered else reply.problem
        problem = problem or f"status {reply.status}"
        raise ServerBusyError(self._printable(f"{self.config.url}: {problem}, {_TRIES} times"))

    def _next_omitted(self, quoted: set[str], tried: set[Fields], reply: _Reply) -> Fields:
        """Fields to omit next, as few as possible: a refusal may merely quote the request.

        Raises:
            AbstractRefusedError: the server refuses all combinations.
        """
        for size in range(1, len(quoted) + 1):
            for names in combinations(sorted(quoted), size):
                if (omitted := self.dropped.union(names)) not in tried:
                    return omitted
        raise AbstractRefusedError(self._refusal(reply))

    def _post(self, messages: Sequence[Message], omitted: Fields) -> _Reply:
        """Sends one request and reads the answer within the time limit."""
        import httpx

        with self._lock:
            self.requests += 1
        deadline = time.monotonic() + self.config.timeout
        url = f"{self.config.url.rstrip('/')}/chat/completions"
        body: dict[str, object] = {
            "model": self.config.model,
            "messages": list(messages),
            "response_format": {"type": "json_object"},
            "temperature": 0,
        }
        for name in omitted:
            del body[name]
        try:
            with self._client.stream("POST", url, json=body) as response:
                received = bytearray()
                for piece in response.iter_bytes():
                    received += piece
                    if time.monotonic() > deadline:
                        seconds = f"{self.config.timeout:g} seconds"
                        return _Reply(0, problem=f"ReadTimeout: no whole answer in {seconds}")
                    if len(received) > _LONGEST_ANSWER:
                        return _Reply(
                            0, problem=f"an answer larger than {_LONGEST_ANSWER >> 20} MB"
                        )
                wait = _parse_wait(response.headers.get("Retry-After", ""))
                return _Reply(response.status_code, bytes(received), wait)
        except httpx.InvalidURL as error:
            raise ConfigError(self._printable(f"--llm is {self.config.url!r}: {error}")) from error
        except httpx.HTTPError as error:
            return _Reply(0, problem=f"{type(error).__name__} {error}".strip())

    def _check(self, reply: _Reply) -> None:
        """Raises ConfigError for permanent errors."""
        status = reply.status
        if not status or 200 <= status < 300 or status in _TEMPORARY_ERRORS or status >= 500:
            return
        hint = f"see --llm {self.config.url} and --llm-model {self.config.model}"
        if status in (401, 403):
            hint = f"set {KEY} to a key that the server accepts"
        raise ConfigError(f"{self._refusal(reply)}; {self._printable(hint)}")

    def _refusal(self, reply: _Reply) -> str:
        reason = self._printable(reply.body.decode("utf-8", "replace"), 200) or "no reason given"
        return f"{self._printable(self.config.url)} refused with status {reply.status}: {reason}"

    def _printable(self, text: str, longest: int = 1_000) -> str:
        """A text to print: without the key, on one line, and only then truncated."""
        return " ".join(redact(text).split())[:longest]


def _read_text(reply: _Reply) -> str | None:
    """The text of an answer, empty without content; None if the reply is not JSON or an error.

    Lone surrogates, which no request can hold, become `?`.
    """
    if not 200 <= reply.status < 300:
        return None
    try:
        answer: Any = json.loads(reply.body)
    except (ValueError, RecursionError):
        return None
    if answer is None:
        return None
    try:
        text = str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError):
        return ""
    return text.encode("utf-8", "replace").decode()


def _parse_wait(value: str) -> float:
    """Seconds to wait by the header Retry-After, a number or a date; 0 without the header."""
    try:
        seconds = float(value)
        return seconds if seconds > 0 else 0.0
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
        return max((moment.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, OverflowError):
        return 0.0


def read_key() -> dict[str, str]:
    """Request headers with the key of $CITESCAPE_LLM_KEY, stripped; empty without a key.

    Raises:
        ConfigError: the value cannot be a key; the message names only the variable.
    """
    key = os.environ.get(KEY, "").strip()
    if key.isascii() and key.isprintable():
        remember_secret(key)
        return {"Authorization": f"Bearer {key}"} if key else {}
    del key  # tracebacks may show variables
    raise ConfigError(
        f"{KEY} holds a character that is not allowed in a key; expected printable ASCII on one "
        "line: set it again"
    )


def check_address(url: str) -> None:
    """Raises ConfigError, without secrets, for an invalid address or one that may hold a secret."""
    if any(mark in unquote(url) for mark in "@?#"):
        raise ConfigError(
            f"--llm is {redact_address(url)!r}; expected an address without user, password or "
            f"query: set the key in {KEY} if the server requires one"
        )
    if not _ADDRESS.fullmatch(url):
        shown = repr(redact_address(url)) if "://" in url else "no address"  # it may be the key
        raise ConfigError(
            f"--llm is {shown}; expected the address of an OpenAI-compatible server, such as "
            "http://localhost:8000/v1"
        )
