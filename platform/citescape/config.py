"""Defaults that every part shares, where a store lies, and commands as messages quote them."""

from __future__ import annotations

import shlex
from pathlib import Path

DEFAULT_STORE = "citescape.lbug"
"""In the working directory."""


def store_words(location: str) -> str:
    """What a command line needs to mean this store: nothing for the default one."""
    return "" if location == DEFAULT_STORE else f" --store {shlex.quote(location)}"


def quote_command(command: str, location: str) -> str:
    """A command to type, with the store it is to work on: "`platform score --store x.lbug`"."""
    return f"`platform {command}{store_words(location)}`"


def make_store_folder(location: str) -> None:
    """Creates the folder that a new store is to lie in; a server needs none."""
    if "://" not in location:
        Path(location).parent.mkdir(parents=True, exist_ok=True)
