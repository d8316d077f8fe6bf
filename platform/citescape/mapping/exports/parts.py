"""What a format's files are made by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

from citescape.mapping.exports.attributed import AttributedNetwork

Part: TypeAlias = Callable[[AttributedNetwork, BinaryIO], None]
"""Writes one file."""


@dataclass(frozen=True)
class Format:
    """Files that other tools read."""

    suffix: str
    """How the name of the file ends, and of its first one if there are several."""
    opening: str
    """How to open it, with `{file}` in the place of the first file."""
    parts: Callable[[AttributedNetwork], Mapping[str, Part]]
    """What is written, by the ends of the files' names."""
    varying: tuple[str, ...] = ()
    """Suffixes of files that are written only where there is something for them."""
    limits: Callable[[AttributedNetwork], Sequence[str]] = lambda _: ()
    """What the tool would not take, or cannot show, in words."""


def only(end: str, part: Part) -> Callable[[AttributedNetwork], Mapping[str, Part]]:
    """The parts of a format of one file."""
    return lambda _: {end: part}
