"""Asks an OpenAI-compatible server, patiently: what may pass is tried again, what may not is told.

The key comes from CITESCAPE_LLM_KEY and is never printed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import combinations
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from citescape.core.errors import CitescapeError, ConfigError
from citescape.core.extras import require
from citescape.core.redaction import redact
from citescape.text.abstracts.secret import KEY, Secret, check_address

if TYPE_CHECKING:
    import httpx

_PASSING = frozenset((408, 409, 425, 429))
"""Answers of a server that may be well a little later; so may all from 500 on."""
_OF_THE_REQUEST = frozenset((400, 413, 422))
"""Answers to one request: it is too long, filtered, or has a field the server does not know."""
_OPTIONAL = ("response_format", "temperature")
"""Fields that some servers refuse; such a one is asked without."""
_LONGEST_ANSWER = 16 << 20
"""Bytes."""
Message = dict[str, str]
Fields = frozenset[str]


class ServerBusyError(CitescapeError):
    """The server did not answer, or not with an answer, as often as it was tried."""


class AbstractRefusedError(CitescapeError):
    """The server does not take this one request; it may well take others."""


@dataclass(frozen=True)
class ChatConfig:
    """Where the LLM is and how patiently it is asked."""

    url: str
    """The address before `/chat/completions`, such as `http://localhost:8000/v1`."""
    model: str
    timeout: float = 120.0
    """Seconds for one answer, from the request to its last byte."""
    parallel: int = 4
    """Requests at once."""
    tries: int = 5
    """Requests for one answer while the server fails or is busy."""
    backoff: float = 1.0
    """Seconds before the second try, twice as long before each further one."""
    longest_wait: float = 60.0
    """Seconds; also where the server asks for more by Retry-After."""

    def __post_init__(self) -> None:
        check_address(self.url)
        if not self.model:
            raise ConfigError("no model for --llm; expected its name: add --llm-model NAME")


class _Reply(NamedTuple):
    """What came of one request."""

    status: int
    """0 if nothing came."""
    body: bytes = b""
    wait: float = 0.0
    """Seconds that the server asks for before the next request."""
    problem: str = ""
    """Why nothing came."""


@dataclass
class Chat:
    """A client; several threads may ask at once."""

    config: ChatConfig
    sleep: Callable[[float], None] = time.sleep
    requests: int = 0
    """Sent so far, those that failed included."""
    dropped: Fields = frozenset()
    """Optional fields that the server does not take: without them it answered."""
    _secret: Secret = field(init=False, repr=False)
    _client: httpx.Client = field(init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        self._secret = Secret.of_environment()
        require("httpx")
        import httpx

        most = httpx.Limits(max_connections=self.config.parallel)
        headers = self._secret.headers()
        self._client = httpx.Client(timeout=self.config.timeout, headers=headers, limits=most)

    def close(self) -> None:
        """Ends the connections."""
        self._client.close()

    def ask(self, messages: Sequence[Message]) -> str:
        """The text of the answer; empty if the server gave none.

        Raises:
            ServerBusyError: no answer after all tries.
            AbstractRefusedError: the server does not take this request.
            ConfigError: it takes none: key, model or address are wrong.
        """
        without, tried, named = self.dropped, set[Fields](), set[str]()
        reply, failed = _Reply(0), 0
        while failed < self.config.tries:
            reply = self._post(messages, without)
            if (answer := _json_of(reply)) is not None:
                self._drop(without)
                return _text_of(answer)
            if reply.status in _OF_THE_REQUEST:
                tried.add(without)
                named |= {name for name in _OPTIONAL if name.encode() in reply.body}
                without = self._without(named, tried, reply)
                continue
            self._check(reply)
            failed += 1
            if failed < self.config.tries:
                self._pause(failed, reply.wait)
        raise ServerBusyError(
            self._shown(f"{self.config.url}: {_problem(reply)}, {self.config.tries} times")
        )

    def _without(self, named: set[str], tried: set[Fields], reply: _Reply) -> Fields:
        """What to leave out next, as little as may do; a refusal may merely quote the request.

        Raises:
            AbstractRefusedError: it is refused whatever is left out.
        """
        for size in range(1, len(named) + 1):
            for names in combinations(sorted(named), size):
                if (without := self.dropped.union(names)) not in tried:
                    return without
        raise AbstractRefusedError(self._refusal(reply))

    def _drop(self, names: Fields) -> None:
        with self._lock:
            self.dropped |= names

    def _pause(self, failed: int, asked: float) -> None:
        pause = self.config.backoff * 2 ** (failed - 1)
        self.sleep(min(max(pause, asked), self.config.longest_wait))

    def _post(self, messages: Sequence[Message], without: Fields) -> _Reply:
        """Sends one request and reads the answer until the time is up."""
        import httpx

        with self._lock:
            self.requests += 1
        deadline = time.monotonic() + self.config.timeout
        url, body = f"{self.config.url.rstrip('/')}/chat/completions", self._body(messages, without)
        try:
            with self._client.stream("POST", url, json=body) as response:
                found = bytearray()
                for piece in response.iter_bytes():
                    found += piece
                    if time.monotonic() > deadline:
                        seconds = f"{self.config.timeout:g} seconds"
                        return _Reply(0, problem=f"ReadTimeout: no whole answer in {seconds}")
                    if len(found) > _LONGEST_ANSWER:
                        return _Reply(0, problem=f"an answer of over {_LONGEST_ANSWER >> 20} MB")
                return _Reply(response.status_code, bytes(found), _retry_after(response))
        except httpx.InvalidURL as error:
            raise ConfigError(self._shown(f"--llm is {self.config.url!r}: {error}")) from error
        except httpx.HTTPError as error:
            return _Reply(0, problem=f"{type(error).__name__} {error}".strip())

    def _body(self, messages: Sequence[Message], without: Fields) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.config.model,
            "messages": list(messages),
            "response_format": {"type": "json_object"},
            "temperature": 0,
        }
        return {name: value for name, value in body.items() if name not in without}

    def _check(self, reply: _Reply) -> None:
        """Refuses to go on where no request will ever be answered."""
        status = reply.status
        if not status or 200 <= status < 300 or status in _PASSING or status >= 500:
            return
        help_ = f"see --llm {self.config.url} and --llm-model {self.config.model}"
        if status in (401, 403):
            help_ = f"set {KEY} to a key that the server takes"
        raise ConfigError(f"{self._refusal(reply)}; {self._shown(help_)}")

    def _refusal(self, reply: _Reply) -> str:
        said = self._shown(reply.body.decode("utf-8", "replace"), 200) or "no reason given"
        return f"{self._shown(self.config.url)} refused with status {reply.status}: {said}"

    def _shown(self, text: str, longest: int = 1_000) -> str:
        """A text as it may be printed: without the key, on one line, and only then cut."""
        return " ".join(redact(text).split())[:longest]


def _json_of(reply: _Reply) -> Any:
    """What the server answered; None if it is no answer."""
    if not 200 <= reply.status < 300:
        return None
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        return None


def _problem(reply: _Reply) -> str:
    if 200 <= reply.status < 300:
        return "an answer that is no JSON"
    return reply.problem or f"status {reply.status}"


def _text_of(answer: Any) -> str:
    """The text of an answer; halves of surrogate pairs, which no request can hold, become `?`."""
    try:
        text = str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError):
        return ""
    return text.encode("utf-8", "replace").decode()


def _retry_after(response: httpx.Response) -> float:
    """Seconds by the header Retry-After, a number or a date; 0 without."""
    value = response.headers.get("Retry-After", "")
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
