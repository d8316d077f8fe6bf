"""References of Scopus: one cell of printed entries, without marks for their parts.

Entries have two forms, and parts of both may be missing:

    Smith J., Doe A., Title of the article, Journal, 12, 3, pp. 45-67, (2001)
    Smith, J., Doe, A., Title (2001) Journal, 12 (3), pp. 45-67

Initials and names contain commas, titles commas and semicolons. An entry whose title cannot be
separated from authors and journal keeps its text instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from citescape.core.identifiers import arxiv_in_text, doi_of_arxiv, normalise_doi, pmid_in_text
from citescape.core.types import Author, Identifiers, Reference

_INITIALS = r"((?:[^\W\d_]{1,2}\.[\s-]?){1,6})"
_SURNAME = r"([^\W\d_][^,;()\d]{0,60}?)"
_NAME_ENDS = r"(?:,?\s+(?:Jr|Sr|II|III|IV)\.?)?(?:,\s+|\s*\Z)"
_AUTHOR = re.compile(rf"{_SURNAME},?\s+{_INITIALS}{_NAME_ENDS}")
"""`Smith J.A., ` or `Smith, J.A., `."""
_ET_AL = re.compile(r"(?:et\s+al\.?|\.\.\.|…)(?:,\s*|\s+|\Z)", re.IGNORECASE)
_YEAR = re.compile(r"\((1[5-9][0-9]{2}|20[0-9]{2})[a-z]?\)")
_LINK = re.compile(
    r"(?:,\s*)?(?:(?:doi:?\s*)?10\.[0-9]{4,9}/\S+|(?:doi:?\s*)?https?://\S+)", re.IGNORECASE
)
_PAGES = re.compile(r"pp?\.\s*([^\s,–-]+)(?:\s*[-–].*)?", re.IGNORECASE)
_ARTICLE = re.compile(r"art(?:icle)?\.?\s*(?:no\.?|number)?\s*(\w*\d\w*)", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:vol\.?\s*)?([A-Z]{0,3}[0-9]{1,5}[A-Z]{0,2}(?:[-–/]\w{1,9})?)(?:\s*\([^()]*\))?"
    r"(?:\s*(?:SUPPL|PART|PT|ISSUE|SPEC).*)?|(?:SUPPL|PART|PT|SPEC)\b.{0,20}",
    re.IGNORECASE,
)
_VOLUME = re.compile(r",\s*\w{1,8}\s*\Z")
_VENUE = re.compile(
    r"(?:the )?(?:(?:international|european|american|british) )?(?:journal|proceedings|proc\.|"
    r"transactions|ieee|acm|annals|annual review|lecture notes|advances in|archives|bulletin)\b",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"(?:and|&|[a-z])")


def read_references(cell: str) -> Iterator[Reference]:
    """The entries of a cell, in their order."""
    for rank, entry in enumerate(split_entries(cell), start=1):
        yield read_entry(entry, rank)


def split_entries(cell: str) -> list[str]:
    """The entries of a cell, which `; ` separates; also in a title, which then has no year yet.

    A piece that begins with an author, but has no year, is joined with the next one, which has a
    year, but no author.
    """
    entries: list[str] = []
    for piece in re.split(r";\s+", cell):
        entry = piece.strip(" ;")
        if not entry:
            continue
        if (
            entries
            and _begins_with_author(entries[-1])
            and not _has_place(entries[-1])
            and _YEAR.search(entry)
            and not _begins_with_author(entry)
        ):
            entries[-1] += f"; {entry}"
        else:
            entries.append(entry)
    return entries


def _begins_with_author(text: str) -> bool:
    found = _AUTHOR.match(text)
    return found is not None and found[2][0].isupper()


def _has_place(text: str) -> bool:
    """Whether an entry has a year, pages, or a link, of which a title has none."""
    last = text.rpartition(", ")[2].strip(" .")
    return bool(_YEAR.search(text) or _PAGES.fullmatch(last) or _find_link(text))


def _find_link(text: str) -> re.Match[str] | None:
    """The first DOI or address of an entry; few have one, and the pattern is slow."""
    return _LINK.search(text) if "10." in text or "://" in text else None


def read_entry(text: str, rank: int) -> Reference:
    """One entry.

    Args:
        text: the entry as printed.
        rank: its place in the list, from 1.
    """
    without_links = _LINK.sub("", text) if _find_link(text) else text
    authors, rest, et_al = _split_authors(without_links.strip(" ,"))
    title = source = volume = page = ""
    rest = rest.rstrip(" .,")
    years = [y for y in _YEAR.finditer(rest) if not _is_issue(rest, y.start())]
    year = int(years[-1][1]) if years else None
    if not years or years[-1].end() == len(rest):
        before = rest[: years[-1].start()] if years else rest
        pieces, volume, page = _split_place(_pieces(before.rstrip(" ,")))
        title, source = _split_title(pieces, bool(authors), volume, page)
    elif len(years) == 1:
        title = rest[: years[0].start()].strip(" ,")
        pieces = _pieces(rest[years[0].end() :].strip())
        names, volume, page = _find_place(pieces)
        if title and not authors and "," in title:
            title = ""  # perhaps a group and a title
            source = ", ".join(filter(None, names)) if volume else ""
        elif title or (volume and page):
            source = ", ".join(filter(None, names))
        else:
            title = names[0] if names else ""
    else:
        year = None
    doi = normalise_doi(text) or doi_of_arxiv(arxiv_in_text(text))
    return Reference(
        f"ref-{rank}",
        "",
        Identifiers(doi, pmid_in_text(text)),
        title,
        source,
        year,
        volume,
        page,
        authors,
        et_al,
        "" if title else text,
    )


def _is_issue(text: str, place: int) -> bool:
    """Whether a number in brackets follows a volume, so that it is no year: `365 (1851)`."""
    return _VOLUME.search(text, max(0, place - 20), place) is not None


def _split_authors(text: str) -> tuple[tuple[Author, ...], str, bool]:
    """The authors at the beginning, what follows, and whether the list is cut."""
    authors = []
    place = 0
    while (found := _AUTHOR.match(text, place)) and found[2][0].isupper():
        authors.append(Author(found[1].strip(), found[2].strip()))
        place = found.end()
    cut = _ET_AL.match(text, place) if authors else None
    return tuple(authors), text[cut.end() if cut else place :], cut is not None


def _pieces(text: str) -> list[str]:
    return [piece.strip(" .") for piece in text.split(",")] if text.strip() else []


def _split_place(pieces: list[str]) -> tuple[list[str], str, str]:
    """Pieces before volume, issue and pages, which are at the end; volume; first page."""
    numbers: list[str] = []
    page, left = "", len(pieces)
    while left:
        last = pieces[left - 1]
        if found := _PAGES.fullmatch(last) or _ARTICLE.fullmatch(last):
            page = page or found[1]
        elif last and (len(numbers) == 3 or not (found := _NUMBER.fullmatch(last))):
            break
        elif last and found:
            numbers.append(found[1] or "")
        left -= 1
    numbers.reverse()
    if len(numbers) == 3 and not page:
        page = numbers[2]
    return pieces[:left], numbers[0] if numbers else "", page


def _find_place(pieces: list[str]) -> tuple[list[str], str, str]:
    """The same of pieces in which a publisher may follow the pages."""
    volume = page = ""
    first = None
    for i, piece in enumerate(pieces):
        if found := _PAGES.fullmatch(piece) or _ARTICLE.fullmatch(piece):
            page = page or found[1]
        elif i and not volume and (found := _NUMBER.fullmatch(piece)):
            volume = found[1] or ""
        elif piece:
            continue
        first = i if first is None else first
    return pieces[:first], volume, page


def _split_title(pieces: list[str], has_authors: bool, volume: str, page: str) -> tuple[str, str]:
    """Title and source of the pieces between authors and volume; an unclear title is empty."""
    pieces = [piece for piece in pieces if piece]
    if not pieces:
        return "", ""
    if len(pieces) == 1:
        if volume:
            return "", pieces[0]
        return ("" if page else pieces[0]), ""
    named = [i for i, piece in enumerate(pieces) if i and _VENUE.match(piece)]
    start = named[-1] if named else len(pieces) - 1
    title, source = ", ".join(pieces[:start]), ", ".join(pieces[start:])
    is_clear = (
        len(pieces) == 2 and (has_authors or volume)
        if not has_authors or not (volume or page)
        else bool(named) or not _CONTINUES.match(pieces[-1])
    )
    return (title, source) if is_clear else ("", source if volume else "")
