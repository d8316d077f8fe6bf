"""Optional libraries: a missing one is named together with the extra that installs it."""

from __future__ import annotations

from importlib.util import find_spec

from citescape.core.errors import ConfigError


def require(*libraries: str) -> None:
    """Checks that what learning needs is installed.

    Raises:
        ConfigError: one is missing; the message says how to install it.
    """
    missing = [library for library in libraries if find_spec(library) is None]
    if missing:
        raise ConfigError(
            f"{', '.join(missing)} not installed; expected for learned models: "
            "`pip install 'citescape[learn]'`; the rules work without"
        )
