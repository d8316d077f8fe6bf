"""Systems with a name: `NAME=SYSTEM`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from citescape.core.errors import ConfigError


def split_name(named: str) -> tuple[str, str]:
    """The name, empty if it is missing, and the system.

    The first `=` ends the name, except in an existing path.
    """
    name, equals, system = named.partition("=")
    return ("", named) if not equals or Path(named).exists() else (name, system)


def name_systems(named: Sequence[str]) -> dict[str, str]:
    """Name -> system, in the given order; the default name is the system itself.

    Raises:
        ConfigError: two systems have the same name.
    """
    systems: dict[str, str] = {}
    for name, system in map(split_name, named):
        title = name or system
        if title in systems:
            raise ConfigError(
                f"two systems are called {title!r}; expected a name for each: NAME=SYSTEM"
            )
        systems[title] = system
    return systems
