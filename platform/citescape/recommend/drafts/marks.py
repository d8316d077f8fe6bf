"""Markers: places that want a citation, each one character while a draft is read."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from citescape.core.errors import ConfigError

MARKERS = ("[?]", "[CITE]", "[citation needed]", "[@?]", "TARGETCIT")
"""What stands where a citation is wanted, in any text; case does not matter."""
_FIRST, _MOST = 0xF0000, 0xFFFD
MARK = re.compile("[\U000f0000-\U000ffffd]")
"""A place that wants a citation: a character of the Supplementary Private Use Area A."""
CITED = "\U00100000"
"""A place that has one; a character of Area B."""
ANY = re.compile("[\U000f0000-\U000ffffd\U00100000]")
"""Either."""
_OPEN = r"(?:@?\?+|cite|citation\s+needed)"
WANTED = re.compile(
    rf"\\?\[[\s\\\d,;–-]*{_OPEN}(?:[\s,;]+(?:{_OPEN}|\d+))*\s*\\?\]|\btargetcit\b", re.IGNORECASE
)
"""A marker as it is written, also one for several works or beside numbers of works that are cited:
`[?, ?]`, `[12, ?]`."""
_OPEN_KEYS = frozenset(("", "?", "??", "???", "todo", "fixme", "xxx", "citation needed", "cite"))


class Mark(NamedTuple):
    """A place that wants a citation."""

    file: str
    """Empty for the manuscript itself, else the file that it includes."""
    line: int
    """From 1."""
    text: str
    """The marker as it is written."""


@dataclass
class Marks:
    """Those found so far, each with its character; and what the author should know."""

    found: list[Mark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """Where there are no sentences -> how many are there."""

    def add(self, file: str, line: int, text: str) -> str:
        """What takes the marker's place: its character in brackets, which splitters understand."""
        if len(self.found) > _MOST:
            raise ConfigError(
                f"more than {_MOST + 1:,} places want a citation; expected fewer: split the draft"
            )
        self.found.append(Mark(file, line, " ".join(text.split())))
        return f"[{chr(_FIRST + len(self.found) - 1)}]"

    def leave_out(self, text: str, where: str) -> None:
        """Counts the places in a text that has no sentences, such as a table."""
        if count := len(MARK.findall(text)):
            self.left_out[where] += count

    @property
    def told(self) -> tuple[str, ...]:
        """All that the author should know."""
        apart = ", ".join(f"{where} ({count})" for where, count in self.left_out.items())
        return (*self.notes, *([f"left out: markers in {apart}"] if apart else ()))

    def of(self, character: str) -> Mark:
        """The place that a character stands for."""
        return self.found[ord(character) - _FIRST]


def is_open(keys: str) -> bool:
    """Whether a list of keys, as in `smith2010, ?`, has a place for one that is not known yet."""
    return any(key.strip().lower() in _OPEN_KEYS for key in keys.split(","))
