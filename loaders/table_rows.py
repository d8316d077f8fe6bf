"""Rows of tables of all formats: papers as named fields, citations as pairs of ids.

Readers of formats yield rows; this module converts them to records. Minor problems of a row are
counted; a row that is not a paper is an error that names its line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from citescape.core.identifiers import normalise_doi, normalise_pmid
from citescape.core.types import FACETS, Author, Identifiers, Losses, MeshTerm, Paper, Venue
from citescape.loaders.work_types import article_type

COLUMNS = (
    *("id", "title", "abstract", "year", "date", "venue", "authors", "doi", "pmid", "keywords"),
    *("mesh", "type"),
)
"""Fields of a paper that are read; others are ignored."""

CITATIONS_A_CHUNK = 100_000

_YEAR = re.compile(r"(1[0-9]{3}|20[0-9]{2})(?:\.0)?")
_DATE = re.compile(
    r"(1[0-9]{3}|20[0-9]{2})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?(?![0-9])"
)


class PaperRow(NamedTuple):
    """One paper of a table, with its non-empty `COLUMNS`."""

    line: int
    """Number of its line in the file, from 1."""
    fields: dict[str, str]
    missing: int = 0
    """Number of cells with a word for a missing value: NaN, NULL."""

    @property
    def id(self) -> str:
        """Its id in the table; empty if missing."""
        return self.fields.get("id", "")


class Mention(NamedTuple):
    """Where and how a citing paper mentions a work; fields may be empty."""

    context: str
    """The sentence."""
    section: str
    """Heading, or `I`, `M`, `R`, `D`."""
    intents: str
    """`background; method`, as in the table."""


class CitationBatch(NamedTuple):
    """Some citations of a table, as ids of the table of papers."""

    citing: list[str]
    cited: list[str]
    broken: int = 0
    """Number of lines that are not a pair of ids."""
    mentions: list[Mention] = []  # noqa: RUF012
    """One for each pair, if the table has columns of `Mention`; or some, see `mentioned`."""
    mentioned: list[int] | None = None
    """Index of the pair of each mention, where a pair may have none or several."""
    influential: list[bool] = []  # noqa: RUF012
    """Whether the source calls the cited work influential, for each pair; empty if unknown."""
    unidentified: int = 0
    """Number of lines without an id of the cited work, which the source could not identify."""


class ValueBatch(NamedTuple):
    """Some lines of a file that adds one value to papers or authors of a data set."""

    ids: list[str]
    """Ids of papers in the table of papers, or of their authors."""
    values: list[str]
    """One for each id: abstract, or ORCID; empty if the line has none."""
    broken: int = 0
    """Number of lines without an id."""


def identifiers_of(row: PaperRow) -> Identifiers:
    """DOI and PMID; an id that is a DOI itself counts as one."""
    fields = row.fields
    doi = normalise_doi(fields.get("doi"), whole=True)
    return Identifiers(doi or doi_of(row.id), normalise_pmid(fields.get("pmid")))


def identify_cited(id_: str) -> Identifiers:
    """The identifiers of a work that is known by its id in a table of citations only."""
    return Identifiers(doi_of(id_))


def doi_of(id_: str) -> str | None:
    """The DOI that an id is: `10.1000/x`, `doi:10.1000/x`, `https://doi.org/10.1000/x`."""
    bare = re.sub(r"(?i)^(?:doi:\s*|https?://(?:dx\.)?doi\.org/)", "", id_)
    return normalise_doi(bare, whole=True) if bare.startswith("10.") else None


def record_of(row: PaperRow, *, path: str, sha256: str, own_id: str, loader: str) -> Paper:
    """The paper of a row; it has neither text nor, yet, references.

    Args:
        row: row of the table.
        path: path of the row.
        sha256: hash of all cells and citations of the paper.
        own_id: id of the node if the row has neither DOI nor PMID.
        loader: name and version of the loader.
    """
    fields = row.fields
    year, date, odd = _published(fields.get("year", ""), fields.get("date", ""))
    notes = {"bad-year": int(odd), "no-title": int("title" not in fields), "missing": row.missing}
    return Paper(
        path=path,
        sha256=sha256,
        ids=identifiers_of(row),
        title=fields.get("title", ""),
        abstract=fields.get("abstract", ""),
        year=year,
        date=date,
        article_type=article_type(fields.get("type", "")),
        venue=Venue(fields["venue"]) if "venue" in fields else None,
        authors=read_names(fields.get("authors", "")),
        keywords=tuple(dict.fromkeys(_listed(fields.get("keywords", "")))),
        mesh=read_mesh(fields.get("mesh", "")),
        losses=Losses(0, 0, {}, {name: n for name, n in notes.items() if n}),
        own_id=own_id,
        loader=loader,
    )


def read_intents(text: str) -> tuple[str, ...] | None:
    """`Background; methodology` -> `("background", "method")`; None for an empty text."""
    names = {part.strip().lower() for part in re.split("[;,|]", text)}
    names |= {"method"} if "methodology" in names else set()
    return tuple(facet for facet in FACETS if facet in names) if text.strip() else None


def read_mesh(text: str) -> tuple[MeshTerm, ...]:
    """`Oryza/genetics*; Plants` -> two headings; an asterisk marks a main topic of the paper."""
    terms = []
    for part in dict.fromkeys(_listed(text)):
        descriptor, *qualifiers = (name.strip() for name in part.replace("*", "").split("/"))
        if descriptor:
            terms.append(MeshTerm(descriptor, tuple(filter(None, qualifiers)), "*" in part))
    return tuple(terms)


def read_names(text: str) -> tuple[Author, ...]:
    """`Turing, Alan M.; Grace Hopper` -> two people; without comma the last word is the surname."""
    return tuple(split_name(name) for name in _listed(text))


def split_name(text: str) -> Author:
    """`Turing, Alan M.` or `Alan M. Turing`: without comma the last word is the surname."""
    surname, comma, given = text.partition(",")
    if not comma or not surname.strip():
        given, _, surname = text.strip(" ,").rpartition(" ")
    return Author(surname.strip() or text, given.strip())


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _published(year: str, date: str) -> tuple[int | None, str, bool]:
    """Year, date, and whether one is present but neither can be read."""
    years, dates = _YEAR.fullmatch(year), _DATE.match(date)
    number = int(years[1]) if years else int(dates[1]) if dates else None
    exact = dates[0] if dates and int(dates[1]) == number else str(number or "")
    return number, exact, bool((year and not years) or (date and not dates))
