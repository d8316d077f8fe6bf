"""What a report holds, whether it is written as a page or as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from citescape.reports.canvas import Canvas


@dataclass(frozen=True)
class Cell:
    """A number, and beside it its interval or its coverage."""

    text: str
    span: str = ""


@dataclass(frozen=True)
class Verdict:
    """Whether something holds, in words."""

    text: str
    holds: bool


@dataclass(frozen=True)
class Table:
    """Texts are names of rows or plain cells; `Cell` are numbers."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | Cell | Verdict]]
    closed: bool = False
    """Shown on click; a page of text leaves it to the file of figures."""

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
    """Name of its file, without the ending."""
    title: str
    caption: str
    wide: Canvas
    narrow: Canvas | None = None
    """None where `wide` serves both."""


@dataclass(frozen=True)
class Image:
    """A picture that is a file, kept inside the page."""

    title: str
    source: str
    """A `data:` address."""
    description: str
    """For screen readers."""
    caption: str = ""
    link: str = ""
    """Path of a page to zoom and search; empty for none."""


@dataclass(frozen=True)
class Terms:
    """Names, and what each is."""

    rows: Sequence[tuple[str, str]]
    code: bool = False
    """The values are commands or ids."""


@dataclass(frozen=True)
class Lines:
    """A text to type."""

    text: str


@dataclass(frozen=True)
class Question:
    """A question to the graph: its Cypher and the command that runs it, shown on click."""

    title: str
    cypher: str
    command: str


@dataclass(frozen=True)
class Citation:
    """One citation as a reader would check it."""

    importance: float
    citing: str
    """Names and year."""
    citing_title: str
    citing_id: str
    cited: str
    cited_title: str
    cited_id: str
    counts: Sequence[tuple[str, str]]
    """Type of section -> mentions."""
    sentences: Sequence[tuple[str, str]]
    """Type of section, and the sentence that cites."""


@dataclass(frozen=True)
class Citations:
    """Single citations with their sentences."""

    rows: Sequence[Citation]
    contrast: str = ""
    """A sentence above citations on a panel of their own; empty for none."""


Part: TypeAlias = str | Table | Picture | Image | Terms | Lines | Question | Citations
"""A string is a paragraph."""


@dataclass(frozen=True)
class Section:
    """A heading and what stands below."""

    name: str
    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Report:
    """A whole report."""

    kicker: str
    title: str
    finding: str
    about: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    origin: str
    verdicts: Sequence[Verdict] = ()
    notes: Sequence[str] = ()
