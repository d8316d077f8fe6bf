"""Defaults that every part shares, where a store lies, and commands as messages quote them."""

from __future__ import annotations

import shlex
from pathlib import Path

from citescape.errors import StoreError

DEFAULT_STORE = "citescape.lbug"
"""In the working directory."""


def store_words(location: str) -> str:
    """What a command line needs to mean this store: nothing for the default one."""
    return "" if location == DEFAULT_STORE else f" --store {shlex.quote(location)}"


def quote_command(command: str, location: str) -> str:
    """A command to type, with the store it is to work on: "`platform score --store x.lbug`"."""
    return f"`platform {command}{store_words(location)}`"


def make_store_folder(location: str) -> None:
    """Creates the folder that a new store is to lie in; a server needs none.

    Raises:
        StoreError: it cannot be made, for one because a file of this name is there.
    """
    if "://" in location:
        return
    folder = Path(location).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder {folder} for the store cannot be made: {error.strerror}; "
            "name another path with --store"
        ) from error
