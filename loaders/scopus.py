"""Exports of Scopus as CSV -> `Paper`. A paper has no text; its references are as printed.

https://service.elsevier.com/app/answers/detail/a_id/11234/supporthub/scopus. The user chooses the
columns, so any of them may be missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_doi, normalise_pmid
from citescape.core.types import (
    Author,
    Identifiers,
    Institution,
    Losses,
    Notice,
    Paper,
    Reference,
    Venue,
)
from citescape.loaders.countries import country_of_affiliation
from citescape.loaders.csv_tables import header_of
from citescape.loaders.dates import date_of
from citescape.loaders.export_rows import BrokenRecord, split_quoted
from citescape.loaders.jats_front import unique
from citescape.loaders.languages import language_of
from citescape.loaders.markup import strip_markup
from citescape.loaders.printed import split_printed_name
from citescape.loaders.record_values import Record, name_keys, to_mapping, to_text
from citescape.loaders.scopus_references import read_references
from citescape.loaders.work_types import RESEARCH, article_type

VERSION = "scopus-2"
"""Increase it when the same record is read differently, so that it is loaded again."""

COLUMNS = (
    *("authors", "author full names", "title", "year", "source title", "doi", "affiliations"),
    *("authors with affiliations", "abstract", "author keywords", "index keywords", "references"),
    *("document type", "language of original document", "pubmed id", "issn", "eid"),
)
"""Columns that are read, in lower case."""
_NEEDED = {"title", "source title"}
_TYPICAL = {
    *("eid", "author(s) id", "authors with affiliations", "index keywords", "cited by"),
    *("author full names", "art. no.", "page start", "language of original document"),
}
"""Columns that tables of other programs do not have; one of them is enough."""
_RETRACTED = "retracted"
_ID = re.compile(r"\s*\([0-9]+\)\s*$")
_AFTER_INITIAL = re.compile(r"(?<=\.),\s+")
_NOTHING = re.compile(r"\[no .{1,40} available\]", re.IGNORECASE)
_ISSN = re.compile(r"(?<![0-9])([0-9]{4})-?([0-9]{3}[0-9Xx])(?![0-9])")


def is_export(text: str) -> bool:
    """Whether a file with this beginning is a CSV of Scopus."""
    names = set(header_of(text.partition("\n")[0].rstrip("\r")))
    return names >= _NEEDED and "id" not in names and not names.isdisjoint(_TYPICAL)


def split_rows(lines: Iterator[str]) -> Iterator[Record | BrokenRecord]:
    """The cells of each row that are read and not empty, by the name of the column."""
    first = next((line for line in lines if line.strip()), "")
    header = header_of(first.rstrip("\r\n"))
    delimiter = max(",;\t", key=first.count)
    places = [(name, header.index(name)) for name in COLUMNS if name in header]
    for cells in split_quoted(lines, len(header), delimiter):
        if isinstance(cells, BrokenRecord):
            yield cells
        else:
            texts = ((name, to_text(cells[place])) for name, place in places)
            yield {name: text for name, text in texts if text}


def is_record(record: Record) -> bool:
    """Whether a JSON object is a row of an export, as `exports` writes it."""
    return isinstance(record.get("scopus"), dict)


def read_scopus(record: Record, path: str, sha256: str) -> Paper:
    """Reads one row.

    Args:
        record: the row, see `split_rows`, under the key `scopus`.
        path: path of the row, for messages and `Paper.path`.
        sha256: hash of the record.

    Raises:
        SourceError: neither DOI, PMID nor title.
    """
    notes: Counter[str] = Counter()
    cells = to_mapping(record.get("scopus"))
    row = {name: _cell(cells.get(name)) for name in COLUMNS}
    own = Identifiers(normalise_doi(row["doi"], whole=True), normalise_pmid(row["pubmed id"]))
    title = strip_markup(row["title"])
    if not title and not any(own):
        message = f"a row with {name_keys(cells) or 'no cell'}; expected a title, DOI or PMID"
        raise SourceError(path, "not-a-paper", message)
    authors, institutions = _authors(row, notes)
    date, bad_year = date_of(row["year"], "")
    type_ = article_type(row["document type"])
    references = tuple(_references(row["references"], own, notes))
    notes["no-title"] += not title
    notes["bad-year"] += bad_year
    has_key = title and (date.year or authors)  # joins records of several sources
    keywords = (row[name].split(";") for name in ("author keywords", "index keywords"))
    return Paper(
        path=path,
        sha256=sha256,
        ids=own,
        title=title,
        abstract=strip_markup(row["abstract"]),
        year=date.year,
        date=date.text,
        article_type=RESEARCH if type_ == _RETRACTED else type_,
        language=language_of(row["language of original document"]),
        venue=Venue(row["source title"], find_issn(row["issn"])) if row["source title"] else None,
        authors=authors,
        keywords=unique(strip_markup(word) for words in keywords for word in words),
        references=references,
        losses=Losses(0, 0, {}, dict(+notes)),
        notices=(Notice("retraction", "work", own, Identifiers()),) if type_ == _RETRACTED else (),
        own_id=f"scopus:{row['eid']}" if row["eid"] and not has_key else "",
        loader=VERSION,
        institutions=institutions,
    )


def find_issn(text: str) -> str | None:
    """`19398433` -> `1939-8433`; of several the first in sorting order."""
    return min((f"{a}-{b.upper()}" for a, b in _ISSN.findall(text)), default=None)


def _cell(value: object) -> str:
    text = to_text(value)
    return "" if _NOTHING.fullmatch(text) else text


def _authors(
    row: Record, notes: Counter[str]
) -> tuple[tuple[Author, ...], tuple[Institution, ...]]:
    """The by-line with the affiliations that belong to an author, each once."""
    short = (
        _listed(row["authors"]) if ";" in row["authors"] else _AFTER_INITIAL.split(row["authors"])
    )
    short = [name for name in short if name.strip()]
    full = [_ID.sub("", name) for name in _listed(row["author full names"])]
    names = full if not short or len(full) == len(short) else short
    found = [author for name in names if (author := split_printed_name(name))]
    notes["author-without-name"] += len(names) - len(found)
    entries = _listed(row["authors with affiliations"])
    if len(entries) != len(found):
        entries = []
    listed = _listed(row["affiliations"])
    places: dict[Institution, int] = {}
    authors = []
    for i, author in enumerate(found):
        if entries:
            own = [text for text in listed if text in entries[i]]
            own = own or [part for part in (entries[i].partition("., ")[2].strip(),) if part]
        else:
            own = listed if len(listed) == 1 else []
        printed = [strip_markup(text) for text in own]
        found_places = [Institution(text, country_of_affiliation(text)) for text in printed]
        indices = (places.setdefault(place, len(places)) for place in found_places)
        authors.append(author._replace(institutions=tuple(dict.fromkeys(indices))))
    return tuple(authors), tuple(places)


def _references(text: str, own: Identifiers, notes: Counter[str]) -> Iterator[Reference]:
    for reference in read_references(strip_markup(text)):
        if own.doi is not None and reference.ids.doi == own.doi:
            notes["self-citation"] += 1
        else:
            yield reference


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]
