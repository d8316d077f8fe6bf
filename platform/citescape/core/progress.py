"""How long work tells where it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]
"""Told a line as work goes on; the last one is the one to show."""


def silent(_: str) -> None:
    """Tells nobody."""


def prefix(progress: Progress, name: str) -> Progress:
    """Tells of the part of a work that is done for one of several things."""
    return lambda text: progress(f"{name}: {text}")
