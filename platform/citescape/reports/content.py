"""Content of a report, written as an HTML page or as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from citescape.reports.canvas import Canvas


@dataclass(frozen=True)
class Cell:
    """A number with its interval or its coverage."""

    text: str
    span: str = ""


@dataclass(frozen=True)
class Verdict:
    """A statement, and whether it holds."""

    text: str
    holds: bool


@dataclass(frozen=True)
class ReportTable:
    """A table: strings are names of rows or text, `Cell` are numbers."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | Cell | Verdict]]
    closed: bool = False
    """Shown on click; Markdown omits it."""

    @property
    def names(self) -> int:
        """Number of columns before the first number: those that name a row."""
        return min(self.numbers, default=1)

    @property
    def numbers(self) -> list[int]:
        """Positions of the columns of numbers."""
        first = self.rows[0] if self.rows else ()
        return [place for place, cell in enumerate(first) if isinstance(cell, Cell)]


@dataclass(frozen=True)
class Picture:
    """A chart, drawn for wide pages and for phones."""

    name: str
    """Name of its file, without the ending."""
    title: str
    caption: str
    wide: Canvas
    narrow: Canvas | None = None
    """None if `wide` is used for both."""


@dataclass(frozen=True)
class Image:
    """An image file, embedded in the page."""

    title: str
    source: str
    """A `data:` address."""
    description: str
    """For screen readers."""
    caption: str = ""
    link: str = ""
    """Path of a page to zoom and search, or empty."""


@dataclass(frozen=True)
class DefinitionList:
    """Names and their descriptions."""

    rows: Sequence[tuple[str, str]]
    code: bool = False
    """Whether the descriptions are commands or ids."""


@dataclass(frozen=True)
class Lines:
    """Preformatted text, such as commands."""

    text: str


@dataclass(frozen=True)
class Question:
    """A query of the graph: its Cypher and the command that runs it, shown on click."""

    title: str
    cypher: str
    command: str


@dataclass(frozen=True)
class QuotedCitation:
    """A citation with its sentences."""

    importance: float
    citing: str
    """Names and year."""
    citing_title: str
    citing_id: str
    cited: str
    cited_title: str
    cited_id: str
    counts: Sequence[tuple[str, str]]
    """Section type, number of mentions."""
    sentences: Sequence[tuple[str, str]]
    """Section type, citing sentence."""


@dataclass(frozen=True)
class CitationList:
    """Citations with their sentences."""

    rows: Sequence[QuotedCitation]
    contrast: str = ""
    """A sentence above the citations, which then have their own panel; or empty."""


ReportBlock: TypeAlias = (
    str | ReportTable | Picture | Image | DefinitionList | Lines | Question | CitationList
)
"""A string is a paragraph."""


@dataclass(frozen=True)
class ReportSection:
    """A heading and the blocks below it."""

    name: str
    title: str
    parts: Sequence[ReportBlock]


@dataclass(frozen=True)
class ReportContent:
    """A report."""

    kicker: str
    title: str
    finding: str
    about: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[ReportSection]
    origin: str
    verdicts: Sequence[Verdict] = ()
    notes: Sequence[str] = ()
