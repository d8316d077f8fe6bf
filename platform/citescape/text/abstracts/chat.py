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
_TEMPORARY = frozenset((408, 409, 425, 429))
"""Status of temporary errors; so are all from 500 on."""
_OF_THE_REQUEST = frozenset((400, 413, 422))
"""Status of errors of one request: too long, filtered, or with a field unknown to the server."""
_OPTIONAL = ("response_format", "temperature")
"""Fields that some servers refuse, and that are left out then."""
_LONGEST_ANSWER = 16 << 20
"""Maximum bytes of an answer."""
_TRIES = 5
"""Maximum number of requests for one answer while the server fails or is busy."""
_BACKOFF, _LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second try, doubled before each further one, and the maximum, which also holds
for Retry-After."""
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
    """The address before `/chat/completions`, such as `http://localhost:8000/v1`."""
    model: str
    timeout: float = 120.0
    """Seconds for one answer, from the request to its last byte."""
    parallel: int = 4
    """Number of parallel requests."""

    def __post_init__(self) -> None:
        check_address(self.url)
        if not self.model:
            raise ConfigError("no model for --llm; expected its name: add --llm-model NAME")


class _Reply(NamedTuple):
    """The reply to one request."""

    status: int
    """0 without a reply."""
    body: bytes = b""
    wait: float = 0.0
    """Seconds to wait before the next request, by Retry-After."""
    problem: str = ""
    """The reason for no reply."""


@dataclass
class Chat:
    """A client for several threads."""

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

        most = httpx.Limits(max_connections=self.config.parallel)
        self._client = httpx.Client(timeout=self.config.timeout, headers=headers, limits=most)

    def close(self) -> None:
        """Ends the connections."""
        self._client.close()

    def ask(self, messages: Sequence[Message]) -> str:
        """The text of the answer; empty if it has none.

        Raises:
            ServerBusyError: no answer after all tries.
            AbstractRefusedError: the server refuses this request.
            ConfigError: it refuses all requests: key, model or address are wrong.
        """
        without, tried, named = self.dropped, set[Fields](), set[str]()
        reply, failed = _Reply(0), 0
        while failed < _TRIES:
            reply = self._post(messages, without)
            text = _read_text(reply)
            if text is not None:
                with self._lock:
                    self.dropped |= without
                return text
            if reply.status in _OF_THE_REQUEST:
                tried.add(without)
                named |= {name for name in _OPTIONAL if name.encode() in reply.body}
                without = self._without(named, tried, reply)
                continue
            self._check(reply)
            failed += 1
            if failed < _TRIES:
                pause = _BACKOFF * 2 ** (failed - 1)
                self.sleep(min(max(pause, reply.wait), _LONGEST_WAIT))
        answered = 200 <= reply.status < 300
        problem = "an answer that is no JSON" if answered else reply.problem
        problem = problem or f"status {reply.status}"
        raise ServerBusyError(self._shown(f"{self.config.url}: {problem}, {_TRIES} times"))

    def _without(self, named: set[str], tried: set[Fields], reply: _Reply) -> Fields:
        """The fields to leave out next, as few as possible: a refusal may merely quote the request.

        Raises:
            AbstractRefusedError: the server refuses all combinations.
        """
        for size in range(1, len(named) + 1):
            for names in combinations(sorted(named), size):
                if (without := self.dropped.union(names)) not in tried:
                    return without
        raise AbstractRefusedError(self._refusal(reply))

    def _post(self, messages: Sequence[Message], without: Fields) -> _Reply:
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
        for name in without:
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
                        return _Reply(0, problem=f"an answer of over {_LONGEST_ANSWER >> 20} MB")
                wait = _parse_wait(response.headers.get("Retry-After", ""))
                return _Reply(response.status_code, bytes(received), wait)
        except httpx.InvalidURL as error:
            raise ConfigError(self._shown(f"--llm is {self.config.url!r}: {error}")) from error
        except httpx.HTTPError as error:
            return _Reply(0, problem=f"{type(error).__name__} {error}".strip())

    def _check(self, reply: _Reply) -> None:
        """Raises ConfigError for permanent errors."""
        status = reply.status
        if not status or 200 <= status < 300 or status in _TEMPORARY or status >= 500:
            return
        help_ = f"see --llm {self.config.url} and --llm-model {self.config.model}"
        if status in (401, 403):
            help_ = f"set {KEY} to a key that the server takes"
        raise ConfigError(f"{self._refusal(reply)}; {self._shown(help_)}")

    def _refusal(self, reply: _Reply) -> str:
        reason = self._shown(reply.body.decode("utf-8", "replace"), 200) or "no reason given"
        return f"{self._shown(self.config.url)} refused with status {reply.status}: {reason}"

    def _shown(self, text: str, longest: int = 1_000) -> str:
        """A text to print: without the key, on one line, and only then cut."""
        return " ".join(redact(text).split())[:longest]


def _read_text(reply: _Reply) -> str | None:
    """The text of an answer, empty without content; None if the reply is not JSON or an error.

    Halves of surrogate pairs, which no request can hold, become `?`.
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
    """Seconds of the header Retry-After, a number or a date; 0 without."""
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
    """Headers with the key of $CITESCAPE_LLM_KEY, stripped; none without a key.

    Raises:
        ConfigError: it cannot be a key; the message names only the variable.
    """
    key = os.environ.get(KEY, "").strip()
    if key.isascii() and key.isprintable():
        remember_secret(key)
        return {"Authorization": f"Bearer {key}"} if key else {}
    del key  # tracebacks may show variables
    raise ConfigError(
        f"{KEY} holds a character that no key has; expected printable ASCII on one line: "
        "set it again"
    )


def check_address(url: str) -> None:
    """Raises ConfigError, without secrets, for an invalid address or one that may hold a secret."""
    if any(mark in unquote(url) for mark in "@?#"):
        raise ConfigError(
            f"--llm is {redact_address(url)!r}; expected an address without user, password or "
            f"query: the key, if the server wants one, goes into {KEY}"
        )
    if not _ADDRESS.fullmatch(url):
        shown = repr(redact_address(url)) if "://" in url else "no address"  # perhaps the key
        raise ConfigError(
            f"--llm is {shown}; expected the address of an OpenAI-compatible server, such as "
            "http://localhost:8000/v1"
        )
