"""Shared defaults, locations of stores, and commands as messages quote them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from unicodedata import normalize
from urllib.parse import unquote

from citescape.core.errors import StoreError
from citescape.core.redaction import redact

DEFAULT_STORE = "citescape.lbug"
"""Path of the default store, in the working directory."""
QUERY_SECONDS = 60.0
"""Default time limit of a Cypher query."""
_ADDRESS = re.compile(r"\s*(?:bolt|neo4j)(?:\+\w*)?\s*:|(?![./~])[^@]*:.*@", re.I | re.DOTALL)


def is_address(location: str) -> bool:
    """Whether a store's location is, or was meant as, the address of a server; else it is a path.

    `bolt:user:password@host` counts as an address, and is refused as such: as a path it would
    create a file that is named after the password. A path with such characters may begin with `./`.
    """
    text = normalize("NFKC", unquote(location))
    return "://" in text or _ADDRESS.match(text) is not None


class ShardsLocation(str):
    """Folder of a graph of shards, which commands take with `--shards` in place of a store."""


def store_words(location: str) -> str:
    """Option of a command line that names this store; empty for the default store."""
    if isinstance(location, ShardsLocation):
        return f" --shards {shlex.quote(location)}"
    return "" if location == DEFAULT_STORE else f" --store {shlex.quote(redact(location))}"


def quote_command(command: str, location: str) -> str:
    """A command to type, with the store it is to work on: `platform score --store x.lbug`."""
    return f"`platform {command}{store_words(location)}`"


def make_store_folder(location: str) -> None:
    """Creates the folder of a new store; a server needs none.

    Raises:
        StoreError: the folder cannot be created, for example because a file has its name.
    """
    if is_address(location):
        return
    folder = Path(location).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder {folder} for the store cannot be created: {error.strerror}; "
            "name another path with --store"
        ) from error
