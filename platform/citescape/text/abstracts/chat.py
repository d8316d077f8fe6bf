"""Asks an OpenAI-compatible server, patiently: what may pass is tried again, what may not is told.

The key comes from CITESCAPE_LLM_KEY and is never printed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from citescape.encoders.pretrained import require
from citescape.errors import CitescapeError, ConfigError

if TYPE_CHECKING:
    import httpx

KEY = "CITESCAPE_LLM_KEY"
_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
"""Answers of a server that may be well a little later."""
_OPTIONAL = ("response_format", "temperature")
"""Fields that some servers refuse; such a one is asked without."""
Message = dict[str, str]


class ServerBusyError(CitescapeError):
    """The server did not answer, or not with an answer, as often as it was tried."""


@dataclass(frozen=True)
class ChatConfig:
    """Where the LLM is and how patiently it is asked."""

    url: str
    """The address before `/chat/completions`, such as `http://localhost:8000/v1`."""
    model: str
    timeout: float = 120.0
    """Seconds for one answer."""
    tries: int = 5
    """Requests for one answer while the server fails or is busy."""
    backoff: float = 1.0
    """Seconds before the second try, twice as long before each further one."""
    longest_wait: float = 60.0
    """Seconds; also where the server asks for more by Retry-After."""

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ConfigError(
                f"--llm is {self.url!r}; expected the address of an OpenAI-compatible server, "
                "such as http://localhost:8000/v1"
            )
        if not self.model:
            raise ConfigError("no model for --llm; expected its name: add --llm-model NAME")


@dataclass
class Chat:
    """A client; several threads may ask at once."""

    config: ChatConfig
    sleep: Callable[[float], None] = time.sleep
    _client: httpx.Client = field(init=False)
    _refused: set[str] = field(default_factory=set)
    """Optional fields this server does not take."""

    def __post_init__(self) -> None:
        require("httpx")
        import httpx

        key = os.environ.get(KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(timeout=self.config.timeout, headers=headers)

    def close(self) -> None:
        """Ends the connections."""
        self._client.close()

    def ask(self, messages: Sequence[Message]) -> str:
        """The text of the answer; empty if the server gave none.

        Raises:
            ServerBusyError: no answer after all tries.
            ConfigError: the server refused: key, model or address are wrong.
        """
        tries, problem = 0, ""
        while tries < self.config.tries:
            refused = len(self._refused)
            response, problem, wait = self._post(messages)
            if response is not None:
                return _text_of(response)
            if len(self._refused) > refused:
                continue
            tries += 1
            if tries < self.config.tries:
                pause = self.config.backoff * 2 ** (tries - 1)
                self.sleep(min(max(pause, wait), self.config.longest_wait))
        raise ServerBusyError(f"{self.config.url}: {problem}, {self.config.tries} times")

    def _post(self, messages: Sequence[Message]) -> tuple[Any, str, float]:
        """The JSON of an answer, or None, what is wrong, and the seconds the server asks for."""
        import httpx

        refused = set(self._refused)
        try:
            response = self._client.post(
                f"{self.config.url.rstrip('/')}/chat/completions", json=self._body(messages)
            )
        except httpx.InvalidURL as error:
            raise ConfigError(f"--llm is {self.config.url!r}: {error}") from error
        except httpx.HTTPError as error:
            return None, f"{type(error).__name__} {error}".strip(), 0.0
        if response.is_success:
            try:
                return response.json(), "", 0.0
            except ValueError:
                return None, "an answer that is no JSON", 0.0
        if response.status_code in _PASSING:
            return None, f"status {response.status_code}", _retry_after(response)
        named = {name for name in _OPTIONAL if name in response.text} - refused
        if response.status_code in (400, 422) and named:
            self._refused |= named
            return None, f"no {', '.join(named)}", 0.0
        raise self._refusal(response)

    def _body(self, messages: Sequence[Message]) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.config.model,
            "messages": list(messages),
            "response_format": {"type": "json_object"},
            "temperature": 0,
        }
        return {name: value for name, value in body.items() if name not in self._refused}

    def _refusal(self, response: httpx.Response) -> ConfigError:
        status, key = response.status_code, os.environ.get(KEY)
        said = " ".join(response.text.split())[:200]
        help_ = f"see --llm {self.config.url} and --llm-model {self.config.model}"
        if status in (401, 403):
            help_ = f"set {KEY} to a key that the server takes"
        text = f"{self.config.url} refused with status {status}: {said or 'no reason given'}"
        return ConfigError(f"{text.replace(key, '***') if key else text}; {help_}")


def _text_of(answer: Any) -> str:
    try:
        return str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError):
        return ""


def _retry_after(response: httpx.Response) -> float:
    """Seconds by the header Retry-After, a number or a date; 0 without."""
    value = response.headers.get("Retry-After", "")
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    return max((moment.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
