"""Real papers of the crops archive, as all source formats of `sources.py` hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from citescape.core.types import Author, Paper, Reference
from citescape.loaders.jats import read_jats

Record = dict[str, Any]
Counts = tuple[int, int]
"""Papers and references."""
TABLES = ("papers", "citations")
"""Names of the files of a data set."""


@dataclass(frozen=True)
class Article:
    """One paper. Its references have a title and a year, and each cites another work."""

    number: int
    """Number of its work; citing and cited works share the numbers."""
    jats: bytes
    paper: Paper
    cited: tuple[int, ...]
    """Number of the work of each reference."""
    contexts: tuple[tuple[str, ...], ...]
    """Sentences that cite each reference."""

    @property
    def authors(self) -> list[Author]:
        """The by-line, without the members of groups."""
        return [author for author in self.paper.authors if author.role != "member"]

    def affiliations(self, author: Author) -> list[str]:
        """Names of the institutions of an author."""
        return [self.paper.institutions[place].name for place in author.institutions]

    @property
    def venue(self) -> str:
        """Title of the journal."""
        return self.paper.venue.title if self.paper.venue else ""

    @property
    def issn(self) -> str:
        """ISSN of the journal."""
        return (self.paper.venue and self.paper.venue.issn) or "1234-5679"

    @property
    def date(self) -> list[int]:
        """Year, month and day of publication."""
        return [*map(int, self.paper.date.split("-")), 1, 1][:3]


def read_articles(files: Sequence[Path]) -> list[Article]:
    """The articles of JATS files, without second files of one paper."""
    papers: dict[str, tuple[bytes, Paper]] = {}
    for file in files:
        data = file.read_bytes()
        paper = read_jats(data, file.name)
        if paper.ids.doi and paper.title and paper.date:
            papers.setdefault(paper.ids.doi, (data, paper))
    numbers = {doi: number for number, doi in enumerate(papers)}
    return [_article(data, paper, numbers) for data, paper in papers.values()]


def _article(data: bytes, paper: Paper, numbers: dict[str, int]) -> Article:
    sentences: dict[int, list[str]] = {}
    for occurrence in paper.occurrences:
        sentences.setdefault(occurrence.reference, []).append(occurrence.context)
    own = numbers[paper.ids.doi or ""]
    kept: dict[int, int] = {}
    for place, reference in enumerate(paper.references):
        if reference.title and reference.year:
            number = numbers.setdefault(_key(reference), len(numbers))
            if number != own and not _same_pmid(reference, paper):
                kept.setdefault(number, place)
    places = kept.values()
    references = tuple(paper.references[place] for place in places)
    contexts = tuple(tuple(sentences.get(place, ())) for place in places)
    paper = replace(paper, references=references, occurrences=(), sections=())
    return Article(own, data, paper, tuple(kept), contexts)


def _key(reference: Reference) -> str:
    """What all references to a work share."""
    return reference.ids.doi or f"{reference.title.casefold()} {reference.year}"


def _same_pmid(reference: Reference, paper: Paper) -> bool:
    return reference.ids.pmid is not None and reference.ids.pmid == paper.ids.pmid


def count(articles: Sequence[Article]) -> Counts:
    """What a file of the articles holds."""
    return len(articles), sum(len(article.cited) for article in articles)


def short_name(author: Author) -> str:
    """`Smith JA`."""
    return f"{author.surname} {''.join(part[0] for part in author.given.split())}".strip()


def number_of(text: str) -> int:
    """A number of nine digits that is the same in each run."""
    return crc32(text.encode()) % 10**9 + 1_000


def list_part(text: str) -> str:
    """A part of a list that `;` separates."""
    return text.replace(";", ",")
