"""A manuscript as plain text, in which each marker of a missing citation is one character."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from citescape.core.errors import ConfigError
from citescape.papers.latex_text import KEPT

MARKERS = ("[?]", "[CITE]", "[citation needed]", "[@?]", "TARGETCIT")
"""Markers in any text; case does not matter."""
_FIRST, _MOST = 0xF0000, 0xFFFD
"""First character of a marker, and largest offset from it."""
MARK = KEPT
"""A place that needs a citation: a character of the Supplementary Private Use Area A."""
CITED = "\U00100000"
"""A citation; a character of Area B."""
ANY = re.compile("[\U000f0000-\U000ffffd\U00100000]")
"""Either of them."""
_OPEN = r"(?:@?\?+|cite|citation\s+needed)"
MARKER = re.compile(
    rf"\\?\[[\s\\\d,;–-]*{_OPEN}(?:[\s,;]+(?:{_OPEN}|\d+))*\s*\\?\]|\btargetcit\b", re.IGNORECASE
)
"""A marker as written, also for several works or with numbers of cited works: `[?, ?]`,
`[12, ?]`."""
_OPEN_KEYS = frozenset(("", "?", "??", "???", "todo", "fixme", "xxx", "citation needed", "cite"))

TABLES, REFERENCES = "tables", "the reference list"
"""Parts without sentences, whose markers are skipped."""
_LISTED = re.compile(
    r"\W*(?:(?:\d+|[ivx]+)[.\s]+)?(?:references?(?: list)?|list of references|bibliography"
    r"|(?:literature|works|references) cited|literature|cited literature)\W*",
    re.IGNORECASE,
)


class Mark(NamedTuple):
    """A place that needs a citation."""

    file: str
    """Included file; empty for the manuscript itself."""
    line: int
    """Line, from 1."""
    text: str
    """The marker as written."""


@dataclass
class Marks:
    """Markers read so far, each with its character, and notes for the author."""

    markers: list[Mark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    """Part of the draft without sentences -> number of its markers."""

    def add(self, file: str, line: int, text: str) -> str:
        """The character of a marker in brackets, which sentence splitters keep.

        Args:
            file: included file; empty for the manuscript itself.
            line: line of the marker, from 1.
            text: the marker as written.
        """
        if len(self.markers) > _MOST:
            raise ConfigError(
                f"found more than {_MOST + 1:,} markers; expected fewer: split the draft"
            )
        self.markers.append(Mark(file, line, " ".join(text.split())))
        return f"[{chr(_FIRST + len(self.markers) - 1)}]"

    def skip(self, text: str, where: str) -> None:
        """Counts the markers of a text without sentences, such as a table."""
        if count := len(MARK.findall(text)):
            self.skipped[where] += count

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Notes, and a note on skipped markers."""
        parts = ", ".join(f"{where} ({count})" for where, count in self.skipped.items())
        return (*self.notes, *([f"skipped: markers in {parts}"] if parts else ()))

    def find(self, character: str) -> Mark:
        """The marker of a character."""
        return self.markers[ord(character) - _FIRST]


def is_open(keys: str) -> bool:
    """Whether a list of keys, such as `smith2010, ?`, has a placeholder for a missing key."""
    return any(key.strip().lower() in _OPEN_KEYS for key in keys.split(","))


def heads_references(heading: str) -> bool:
    """Whether a heading is that of the reference list."""
    return bool(_LISTED.fullmatch(heading))


class Passage(NamedTuple):
    """A paragraph with markers."""

    section: str
    """The heading above it."""
    text: str
    """Plain text with the characters of its markers."""


@dataclass(frozen=True)
class MarkedManuscript:
    """Title, abstract and marked passages of a draft."""

    title: str
    abstract: str
    passages: tuple[Passage, ...]
