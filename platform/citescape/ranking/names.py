"""Systems by names of one's own: `NAME=WHAT`."""

from __future__ import annotations

from pathlib import Path


def split_name(named: str) -> tuple[str, str]:
    """The name, empty if none is given, and what it names.

    A path that is there is no name, though it may hold `=`; else the first `=` ends the name.
    """
    name, equals, told = named.partition("=")
    return ("", named) if not equals or Path(named).exists() else (name, told)
