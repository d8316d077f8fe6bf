"""Systems by names of one's own: `NAME=WHAT`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from citescape.core.errors import ConfigError


def split_name(named: str) -> tuple[str, str]:
    """The name, empty if none is given, and what it names.

    A path that is there is no name, though it may hold `=`; else the first `=` ends the name.
    """
    name, equals, told = named.partition("=")
    return ("", named) if not equals or Path(named).exists() else (name, told)


def name_systems(named: Sequence[str]) -> dict[str, str]:
    """What to call each -> what it names, in their order; what has no name is called as it is.

    Raises:
        ConfigError: two have one name.
    """
    found: dict[str, str] = {}
    for name, told in map(split_name, named):
        title = name or told
        if title in found:
            raise ConfigError(
                f"two systems are called {title!r}; expected a name for each: NAME=SYSTEM"
            )
        found[title] = told
    return found
