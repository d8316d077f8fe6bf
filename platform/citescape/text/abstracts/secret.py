"""The key of a server, and addresses that hold none: what must never be printed."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from citescape.core.errors import ConfigError
from citescape.core.redaction import redact_address, remember_secret

KEY = "CITESCAPE_LLM_KEY"
_ADDRESS = re.compile(r"https?://(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:/[^\s@?#]*)?", re.IGNORECASE)


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
        if key.isascii() and key.isprintable():
            remember_secret(key)
            return cls(key)
        del key  # tracebacks may show variables
        raise ConfigError(
            f"{KEY} holds a character that no key has; expected printable ASCII on one line: "
            "set it again"
        )

    def headers(self) -> Mapping[str, str]:
        """What tells the server the key."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


def check_address(url: str) -> None:
    """Refuses what is no address of a server, or may hold a secret.

    Raises:
        ConfigError: it says which part is wrong, and shows no secret.
    """
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
