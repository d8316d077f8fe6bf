"""Hides passwords and keys: every message, log, traceback and run record passes through `redact`.

It hides the values of known secrets (from the environment, or remembered when they are read from a
file), and everything at the position of a password in an address.
"""

from __future__ import annotations

import html
import json
import os
import re
import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus, unquote

HIDDEN = "***"
_SECRET_NAME = re.compile(r"(?:PASSWORD|PASSWD|SECRET|TOKEN|(?:^|_)KEY)$", re.IGNORECASE)
"""Environment variables that hold a secret, by their names."""
_SHORTEST = 6
"""Characters of a secret that is searched for. Neo4j takes no password under 8 by default."""
_LONGEST = 500
"""Characters of a user name, and of a password, in running text; without a limit, the time that
hostile text takes is quadratic in its length."""
_AT, _COLON, _SLASH = r"(?:@|%40|\uff20)", r"[:\uff1a]", r"[/\uff0f]"
"""The last ones are what a Chinese or Japanese keyboard may give."""
_STORE = rf"\b(?:bolt|neo4j)(?:\+ssc|\+s)?{_COLON}"
_SCHEME = rf"(?:{_STORE}{_SLASH}*|\b[a-z][a-z0-9+.-]{{0,20}}{_COLON}{_SLASH}+)"
_USER = re.compile(
    rf"({_STORE}{_SLASH}*)\S{{0,{_LONGEST}}}{_AT}|"
    rf"({_SCHEME})(?:[^\s/@:]{{0,{_LONGEST}}}:\S{{0,{_LONGEST}}}|[^\s/?#]{{1,{_LONGEST}}}){_AT}",
    re.IGNORECASE,
)
"""User and password in running text: from the scheme to the last @."""
_PARAMETER = re.compile(
    r"([?&;#][\w-]{0,40}(?:password|passwd|pwd|secret|token|key|credentials?)=)[^\s&#;\"']+",
    re.IGNORECASE,
)
_WHOLE_USER = re.compile(rf"({_SCHEME})?.*{_AT}", re.IGNORECASE | re.DOTALL)
_NO_HOST = re.compile(rf"(\s*{_STORE})(?!//|/*\*\*\*@).+", re.IGNORECASE | re.DOTALL)
_NO_PORT = re.compile(r"(://(?:\[[^\]]*\]|[^/?#:\[]*):)(?!\d{1,5}(?:[/?#]|$))[^/?#]*")
_QUERY = re.compile(r"([?#]).*", re.DOTALL)
_PASSWORD = re.compile(rf"{_SCHEME}[^:@/]*{_COLON}(.*){_AT}", re.IGNORECASE | re.DOTALL)
_REMEMBERED: set[str] = set()


def redact(text: str) -> str:
    """The text with `***` in place of each secret.

    A secret that is a plain word or number is hidden where it stands alone, not inside a path.
    """
    values = [value for name, value in os.environ.items() if _SECRET_NAME.search(name)]
    secrets = _secret_pattern(frozenset((*values, *_REMEMBERED)))
    text = secrets.sub(HIDDEN, text) if secrets else text
    text = _USER.sub(lambda match: f"{match[1] or match[2]}{HIDDEN}@", text)
    return _PARAMETER.sub(rf"\1{HIDDEN}", text)


def redact_values(value: Any) -> Any:
    """A JSON value with all its strings redacted; keys stay."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: redact_values(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_values(item) for item in value]
    return value


def redact_address(address: str) -> str:
    """One malformed address without any part that may be a password.

    These parts are everything before the last @, a port that is not a number, the query and the
    fragment, and all of a Neo4j address without a host.
    """
    match = _WHOLE_USER.match(address)
    if match:
        address = f"{match[1] or ''}{HIDDEN}@{address[match.end() :]}"
    address = _NO_HOST.sub(rf"\1{HIDDEN}", address)
    return _QUERY.sub(rf"\1{HIDDEN}", _NO_PORT.sub(rf"\1{HIDDEN}", address))


def remember_secret(secret: str) -> None:
    """Hides a secret from now on, for as long as the process lives."""
    _REMEMBERED.add(secret)


def remember_passwords(argument: str) -> None:
    """Hides the password in an address from now on, also one with white space in it."""
    for password in _PASSWORD.findall(argument):
        remember_secret(password)
        remember_secret(unquote(password))


@lru_cache(maxsize=8)
def _secret_pattern(secrets: frozenset[str]) -> re.Pattern[str] | None:
    """Pattern of each secret in every spelling; None without secrets."""
    patterns = {
        rf"(?<![\w/.-]){re.escape(text)}(?![\w/-]|\.\w)"
        if text.isalpha() or text.isdigit()
        else re.escape(text)
        for secret in secrets
        for text in _spellings(secret.strip())
        if len(text) >= _SHORTEST
    }
    longest_first = sorted(patterns, key=len, reverse=True)
    return re.compile("|".join(longest_first)) if patterns else None


def _spellings(secret: str) -> set[str]:
    """A secret as Python, JSON, addresses, shells and pages write it, and on one line."""
    return {
        *(secret, " ".join(secret.split()), repr(secret)[1:-1], shlex.quote(secret)),
        *(json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]),
        *(quote(secret, errors="replace"), quote(secret, safe="", errors="replace")),
        *(quote_plus(secret, errors="replace"), html.escape(secret)),
    }
