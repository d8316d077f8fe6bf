"""Defaults that every part shares, and commands as messages quote them."""

from __future__ import annotations

import shlex

DEFAULT_STORE = "citescape.lbug"
"""In the working directory."""


def store_words(location: str) -> str:
    """What a command line needs to mean this store: nothing for the default one."""
    return "" if location == DEFAULT_STORE else f" --store {shlex.quote(location)}"


def quote_command(command: str, location: str) -> str:
    """A command to type, with the store it is to work on: "`platform score --store x.lbug`"."""
    return f"`platform {command}{store_words(location)}`"
