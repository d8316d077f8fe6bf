"""The reference list of a TEI document: `biblStruct` elements, their names in lower case."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from citescape.core.identifiers import (
    arxiv_in_text,
    doi_of_arxiv,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    normalise_year,
    pmcid_in_link,
    pmid_in_link,
)
from citescape.core.types import Author, Identifiers, Reference
from citescape.loaders.jats_references import ReferenceList
from citescape.loaders.jats_text import text_of
from citescape.loaders.markers import Numbering
from citescape.loaders.tei_text import XML_ID

_DATE = re.compile(
    r"(1[0-9]{3}|20[0-9]{2})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?(?![0-9])"
)
_ET_AL = re.compile(r"\bet\s+al\b", re.IGNORECASE)


def read_references(tei: etree._Element) -> ReferenceList:
    """Every entry of the lists of a document; `b0`, `b1`, ... count as numbers 1, 2, ..."""
    references: list[Reference] = []
    targets: dict[str, tuple[int, ...]] = {}
    entries = (
        entry for listed in tei.iter("listbibl") for entry in listed.iter("biblstruct", "bibl")
    )
    for rank, entry in enumerate(entries, start=1):
        own = entry.get(XML_ID) or entry.get("xml:id") or f"ref-{rank}"
        targets.setdefault(own, (len(references),))
        references.append(_reference(entry, own))
    numbers = tuple(range(1, len(references) + 1))
    return ReferenceList(tuple(references), targets, Numbering(numbers))


def _reference(entry: etree._Element, own: str) -> Reference:
    """One work: its title is that of the article, else that of the book."""
    raw = text_of(next((n for n in entry.iter("note") if n.get("type") == "raw_reference"), None))
    article, book = find_title(entry, "analytic"), find_title(entry, "monogr")
    names = entry.findall("analytic/author") or entry.findall("monogr/author")
    volume, page = _scope(entry, "volume"), _scope(entry, "page")
    date = read_date(entry)
    ids = read_identifiers(entry)
    title = article or ("" if volume and page else book)
    return Reference(
        own,
        text_of(entry.find("label")),
        ids
        if ids.doi
        else ids._replace(doi=normalise_doi(raw) or doi_of_arxiv(arxiv_in_text(raw))),
        title,
        book if article or volume else "",
        int(date[:4]) if date else normalise_year(raw),
        volume,
        page,
        tuple(author for name in names if (author := _author(name)).surname),
        bool(_ET_AL.search(raw)),
        "" if title else raw or text_of(entry),
    )


def find_title(entry: etree._Element, part: str) -> str:
    """The main title of a part: `analytic` is the article, `monogr` the journal or book."""
    titles = entry.findall(f"{part}/title")
    main = [title for title in titles if title.get("type") == "main"] or titles
    return next(filter(None, map(text_of, main)), "")


def _author(element: etree._Element) -> Author:
    name = element.find("persname")
    if name is not None:
        return read_person(name)
    return Author(text_of(element.find("orgname")) or text_of(element), role="group")


def read_person(name: etree._Element) -> Author:
    """Given names as printed: first, then middle ones; `D` and `E` are written `D E`."""
    given = " ".join(filter(None, (text_of(part) for part in name.iterchildren("forename"))))
    surname = " ".join(filter(None, (text_of(part) for part in name.iterchildren("surname"))))
    return Author(surname, given) if surname else Author(given or text_of(name))


def _scope(entry: etree._Element, unit: str) -> str:
    """Volume or first page."""
    for scope in entry.iterfind("monogr/imprint/biblscope"):
        if scope.get("unit") == unit or scope.get("type") in (
            unit,
            "pp" if unit == "page" else unit,
        ):
            return scope.get("from") or re.split(r"[-–—]", text_of(scope))[0].strip()
    return ""


def read_date(element: etree._Element | None) -> str:
    """Date of publication, ISO 8601 as exact as known; empty if missing."""
    if element is None:
        return ""
    dates = [date for date in element.iter("date") if date.get("type") in (None, "published")]
    for date in dates:
        if found := _DATE.match(date.get("when") or ""):
            return found[0]
    years = (normalise_year(text_of(date)) for date in dates)
    return str(next((year for year in years if year), ""))


def read_identifiers(entry: etree._Element, *, whole: bool = False) -> Identifiers:
    """Ids in `idno` elements, in any order, and in links; hashes such as MD5 are no ids.

    Args:
        entry: the `biblStruct`.
        whole: the DOI is known not to be cut off, such as a paper's own.
    """
    doi = preprint = pmid = pmcid = None
    for kind, text in _printed(entry):
        if kind == "doi" or "doi.org/" in text:
            doi = doi or normalise_doi(text, whole=whole)
        elif kind == "pmid":
            pmid = pmid or normalise_pmid(text)
        elif kind in ("pmcid", "pmc"):
            pmcid = pmcid or normalise_pmcid(text)
        elif kind == "arxiv" or "arxiv" in text.lower():
            preprint = preprint or doi_of_arxiv(text)
        elif "nih.gov" in text:
            pmid, pmcid = pmid or pmid_in_link(text), pmcid or pmcid_in_link(text)
    return Identifiers(doi or preprint, pmid, pmcid)


def _printed(entry: etree._Element) -> Iterator[tuple[str, str]]:
    """Kind and text of each id, then each link."""
    for element in entry.iter("idno"):
        yield (element.get("type") or "").lower(), text_of(element)
    for element in entry.iter("ptr", "ref"):
        if target := element.get("target"):
            yield "", target
