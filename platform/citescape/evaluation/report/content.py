"""What a report holds, whatever it is written as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from citescape.reports.canvas import Canvas


@dataclass(frozen=True)
class Cell:
    """A number, and beside it between which values it lies, or what it lacks."""

    text: str
    span: str = ""


@dataclass(frozen=True)
class Table:
    """Texts are names of rows or plain cells; `Cell` are numbers."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    closed: bool = False
    """Shown when it is asked for; a page of text leaves it to the file of figures."""

    @property
    def names(self) -> int:
        """Columns before the first number: those that name a row."""
        return min(self.numbers, default=1)

    @property
    def numbers(self) -> list[int]:
        """Columns of numbers."""
        first = self.rows[0] if self.rows else ()
        return [place for place, cell in enumerate(first) if isinstance(cell, Cell)]


@dataclass(frozen=True)
class Picture:
    """One chart, drawn for wide pages and for telephones."""

    name: str
    """Of its file, without the ending."""
    title: str
    caption: str
    wide: Canvas
    narrow: Canvas


@dataclass(frozen=True)
class Terms:
    """Names, and what each is."""

    rows: Sequence[tuple[str, str]]
    code: bool = False
    """The values are printed as they are typed."""


@dataclass(frozen=True)
class Lines:
    """A text to type."""

    text: str


Part: TypeAlias = str | Table | Picture | Terms | Lines
"""A string is a paragraph."""


@dataclass(frozen=True)
class Section:
    """A heading and what stands below."""

    name: str
    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Report:
    """The whole."""

    kicker: str
    title: str
    finding: str
    about: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    origin: str
