"""The reference list of a JATS article."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from citescape.identifiers import (
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    normalise_year,
    pmcid_in_link,
    pmid_in_link,
)
from citescape.loaders.markers import Numbering
from citescape.types import Author, AuthorRole, Identifiers, Reference

_CITATIONS = frozenset(("element-citation", "mixed-citation", "nlm-citation", "citation"))
_NOT_AUTHORS = frozenset(("editor", "translator", "compiler", "director", "inventor", "guest-editor"))
_NAME_TAGS = frozenset(("name", "string-name"))
_LINK_TAGS = frozenset(("ext-link", "uri", "comment"))
_HREF = "{http://www.w3.org/1999/xlink}href"
_SPACE = re.compile(r"\s+")
_LEADING_NUMBER = re.compile(r"[\[(\s]*(\d{1,4})[\]).\s]*")


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """The works an article lists, and which of them an id in the file names."""

    references: tuple[Reference, ...]
    targets: dict[str, tuple[int, ...]]
    """`rid` -> indices into `references`; several where one entry holds several works."""
    numbering: Numbering
    """5b and 5c of an entry have no number of their own."""


def read_references(article: etree._Element) -> ReferenceList:
    """Every work in the `ref-list`s of an article, sub-articles left out."""
    references: list[Reference] = []
    targets: dict[str, tuple[int, ...]] = {}
    numbers: list[int | None] = []
    entries = [ref for part in ("body", "back", "floats-group") for ref in _refs(article, part)]
    for rank, ref in enumerate(entries, start=1):
        works = _works(ref)
        first = len(references)
        source_id = ref.get("id") or f"ref-{rank}"
        label = _text(ref.find("label")) or next((_text(w.find("label")) for w in works), "")
        for i, work in enumerate(works):
            suffix = chr(ord("a") + i) if len(works) > 1 and i < 26 else ""
            references.append(_reference(work, source_id + suffix, label))
            numbers.append(_number(label, rank) if i == 0 else None)
            _add_target(targets, work.get("id"), (first + i,))
        _add_target(targets, ref.get("id"), tuple(range(first, len(references))))
    return ReferenceList(tuple(references), targets, Numbering(tuple(numbers)))


def _refs(article: etree._Element, part: str) -> list[etree._Element]:
    found = article.find(part)
    return [] if found is None else list(found.iter("ref"))


def _add_target(targets: dict[str, tuple[int, ...]], key: str | None, works: tuple[int, ...]) -> None:
    if key and key not in targets:
        targets[key] = works


def _works(ref: etree._Element) -> list[etree._Element]:
    """The works of one entry; of `citation-alternatives` the first rendering only."""
    works: list[etree._Element] = []
    for child in ref:
        if child.tag in _CITATIONS:
            works.append(child)
        elif child.tag == "citation-alternatives":
            works += [c for c in child if c.tag in _CITATIONS][:1]
    return works or [ref]


def _number(label: str, rank: int) -> int:
    found = _LEADING_NUMBER.fullmatch(label)
    return int(found.group(1)) if found else rank


@dataclass(slots=True)
class _Fields:
    """What is gathered while walking one citation element."""

    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    title: str = ""
    part_title: str = ""
    source: str = ""
    year: int | None = None
    volume: str = ""
    page: str = ""
    et_al: bool = False


def _reference(work: etree._Element, source_id: str, label: str) -> Reference:
    fields = _Fields()
    authors: list[Author] = []
    _gather(work, fields, authors, True)
    if fields.doi is None and work.tag != "element-citation":
        fields.doi = _doi_in_text(_text(work))
    title = fields.title or fields.part_title
    return Reference(
        source_id=source_id,
        label=label,
        ids=Identifiers(fields.doi, fields.pmid, fields.pmcid),
        title=title,
        source=fields.source,
        year=fields.year,
        volume=fields.volume,
        page=fields.page,
        authors=tuple(authors),
        et_al=fields.et_al,
        text="" if title else _text(work),
    )


def _doi_in_text(text: str) -> str | None:
    """A DOI printed in an untagged citation."""
    return normalise_doi(text) if "10." in text else None


def _gather(element: etree._Element, fields: _Fields, authors: list[Author], listed: bool) -> None:
    """Walks a citation; `listed` says whether names met here are authors."""
    for child in element:
        tag = child.tag
        if tag in _NAME_TAGS:
            if listed:
                authors.append(_person(child))
        elif tag == "collab":
            if listed:
                authors.append(group_author(child))
        elif tag == "etal":
            fields.et_al = fields.et_al or listed
        elif tag == "person-group":
            kind = child.get("person-group-type")
            _gather(child, fields, authors, kind not in _NOT_AUTHORS)
        elif tag == "pub-id":
            _take_id(fields, child.get("pub-id-type") or "", _text(child))
        elif tag in _LINK_TAGS:
            _take_link(fields, child)
            _gather(child, fields, authors, False)
        elif not _take_field(fields, child) and len(child):
            _gather(child, fields, authors, listed)


def _take_field(fields: _Fields, element: etree._Element) -> bool:
    """Keeps title, source, year, volume or page; says whether the element was one of them."""
    tag = element.tag
    if tag == "article-title":
        fields.title = fields.title or _text(element)
    elif tag in ("chapter-title", "part-title", "data-title"):
        fields.part_title = fields.part_title or _text(element)
    elif tag == "source":
        fields.source = fields.source or _text(element)
    elif tag == "year":
        fields.year = fields.year or normalise_year(element.get("iso-8601-date") or _text(element))
    elif tag == "volume":
        fields.volume = _text(element)
    elif tag in ("fpage", "elocation-id"):
        fields.page = fields.page or _text(element)
    else:
        return False
    _links_inside(fields, element)
    return True


def _links_inside(fields: _Fields, element: etree._Element) -> None:
    for link in element.iter("ext-link", "uri") if len(element) else ():
        _take_link(fields, link)


def _take_id(fields: _Fields, kind: str, text: str) -> None:
    if kind == "doi":
        fields.doi = fields.doi or normalise_doi(text)
    elif kind == "pmid":
        fields.pmid = fields.pmid or normalise_pmid(text)
    elif kind in ("pmcid", "pmc"):
        fields.pmcid = fields.pmcid or normalise_pmcid(text)
    elif "10." in text:
        fields.doi = fields.doi or normalise_doi(text)


def _take_link(fields: _Fields, element: etree._Element) -> None:
    """An id hidden in a link: its address first, then its text."""
    for text in (element.get(_HREF), _text(element)):
        if not text:
            continue
        if fields.doi is None and "10." in text:
            fields.doi = normalise_doi(text)
        if "ncbi.nlm.nih.gov" in text:
            fields.pmid = fields.pmid or pmid_in_link(text)
            fields.pmcid = fields.pmcid or pmcid_in_link(text)


def _person(name: etree._Element) -> Author:
    surname = given = ""
    for child in name:
        if child.tag == "surname":
            surname = _text(child)
        elif child.tag == "given-names":
            given = _text(child)
    return Author(surname, given) if surname else Author(_text(name))


def group_author(collab: etree._Element) -> Author:
    """A group author: its own text, without the members some publishers nest inside."""
    pieces = [collab.text or ""]
    for child in collab:
        if child.tag not in ("contrib-group", "xref", "fn", "aff"):
            pieces.append("".join(child.itertext()))
        pieces.append(child.tail or "")
    role: AuthorRole = "group"
    return Author(_SPACE.sub(" ", "".join(pieces)).strip(" ,;"), role=role)


def _text(element: etree._Element | None) -> str:
    if element is None:
        return ""
    text = "".join(element.itertext()) if len(element) else element.text or ""
    return " ".join(text.split()) if " " in text or "\n" in text else text
