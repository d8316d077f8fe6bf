"""The key of a server, and addresses that hold none: what must never be printed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from citescape.errors import ConfigError

KEY = "CITESCAPE_LLM_KEY"
_HIDDEN = "***"


@dataclass(frozen=True, repr=False)
class Secret:
    """A key of printable ASCII; empty for none."""

    key: str = ""

    @classmethod
    def of_environment(cls) -> Secret:
        """What $CITESCAPE_LLM_KEY holds, white space around it taken off.

        Raises:
            ConfigError: it cannot be a key; only the variable is named.
        """
        key = os.environ.get(KEY, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise ConfigError(
                f"{KEY} holds a character that no key has; expected printable ASCII on one line: "
                "set it again"
            )
        return cls(key)

    def headers(self) -> Mapping[str, str]:
        """What tells the server the key."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def hide(self, text: str) -> str:
        """The text without the key, also as JSON and addresses would spell it."""
        if not self.key:
            return text
        for form in (self.key, json.dumps(self.key)[1:-1], quote(self.key, safe="")):
            text = text.replace(form, _HIDDEN)
        return text


def check_address(url: str) -> None:
    """Refuses what is no address of a server, or may hold a secret.

    Raises:
        ConfigError: it says which part is wrong, and shows no secret.
    """
    if "@" in url or "?" in url or "#" in url:
        raise ConfigError(
            f"--llm is {_masked(url)!r}; expected an address without user, password or query: "
            f"the key, if the server wants one, goes into {KEY}"
        )
    if not url.startswith(("http://", "https://")):
        raise ConfigError(
            f"--llm is {url!r}; expected the address of an OpenAI-compatible server, "
            "such as http://localhost:8000/v1"
        )


def _masked(url: str) -> str:
    """An address without all that stands before its last @, or behind a ? or #."""
    before, at, rest = url.rpartition("@")
    if at:
        scheme = before.partition("://")[0] + "://" if "://" in before else ""
        url = f"{scheme}{_HIDDEN}@{rest}"
    for mark in "?#":
        shown, found, _ = url.partition(mark)
        url = f"{shown}{mark}{_HIDDEN}" if found else url
    return url
