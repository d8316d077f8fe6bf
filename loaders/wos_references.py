"""Cited references of Web of Science: `Smith J, 2001, NATURE, V12, P45, DOI 10.1/x`.

They have the first author only, no title, and the abbreviated journal, or the title of a book, so
`ingest.identity.page_key` joins them. The whole entry is kept as text.
"""

from __future__ import annotations

import re

from citescape.core.identifiers import arxiv_in_text, doi_of_arxiv, normalise_doi
from citescape.core.types import Author, Identifiers, Reference
from citescape.loaders.dates import FIRST_YEAR, LAST_YEAR
from citescape.loaders.printed import split_printed_name

_DOI = re.compile(r",?\s?\b(?:DOI\s{1,3}){1,3}(?=\[|10\.|arxiv)(.*)\Z", re.IGNORECASE | re.DOTALL)
_VOLUME = re.compile(r"V(?:OL\.?\s?)?\s?([0-9]\S{0,11}|[A-Z]{1,3}[0-9]\S{0,9})")
_PAGE = re.compile(r"(?:P|PP|pp?\.?)\s?((?:[A-Za-z]{1,4})?[0-9][\w.]{0,14})(?:[-–].*)?")
_MOST_AUTHOR_PARTS = 3
"""Parts before the year: `GALTON, F, 1886`."""


def read_entry(text: str, rank: int) -> Reference:
    """One entry.

    Args:
        text: the entry as printed.
        rank: its place in the list, from 1.
    """
    found = _DOI.search(text)
    dois = found[1] if found else ""
    parts = [part.strip() for part in (text[: found.start()] if found else text).split(",")]
    author, year, rest = _split_year(parts)
    volume = page = ""
    names: list[str] = []
    for part in rest:
        if not volume and names and (match := _VOLUME.fullmatch(part)):
            volume = match[1]
        elif not page and names and (match := _PAGE.fullmatch(part)):
            page = match[1]
        elif part and not (volume or page):
            names.append(part)
    doi = next(filter(None, map(normalise_doi, re.split(r"[\[\],]\s*", dois))), None)
    doi = doi or doi_of_arxiv(arxiv_in_text(text))
    return Reference(
        f"ref-{rank}",
        "",
        Identifiers(doi),
        "",
        ", ".join(names),
        year,
        volume,
        page,
        (author,) if author else (),
        False,
        text,
    )


def _split_year(parts: list[str]) -> tuple[Author | None, int | None, list[str]]:
    """First author, year, and the parts after them; entries may lack either."""
    for place, part in enumerate(parts[: _MOST_AUTHOR_PARTS + 1]):
        if len(part) == 4 and part.isascii() and part.isdecimal():
            year = int(part)
            known = year if FIRST_YEAR <= year <= LAST_YEAR else None
            return split_printed_name(", ".join(parts[:place])), known, parts[place + 1 :]
    if len(parts) < 2:
        return None, None, parts
    rest = parts[1:]
    if rest[0].lower() in ("in press", "unpub", "unpublished", "n.d.", "no date"):
        rest = rest[1:]
    return split_printed_name(parts[0]), None, rest
