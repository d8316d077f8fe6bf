"""The reference list of a JATS article."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from citescape.core.identifiers import (
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    normalise_year,
    pmcid_in_link,
    pmcid_in_text,
    pmid_in_link,
    pmid_in_text,
)
from citescape.core.types import Author, Identifiers, Reference
from citescape.loaders.jats_front import HREF
from citescape.loaders.jats_names import group_author, person
from citescape.loaders.jats_text import raw_text_of, text_of
from citescape.loaders.markers import Numbering

_CITATIONS = frozenset(("element-citation", "mixed-citation", "nlm-citation", "citation"))
_NOT_AUTHORS = frozenset(("editor", "translator", "compiler", "director", "guest-editor"))
_OTHER_TITLES = ("chapter-title", "part-title", "data-title", "trans-title")
_PLAIN = ("article-title", *_OTHER_TITLES, "source", "volume", "fpage", "elocation-id")
_STYLE = frozenset(("italic", "bold", "sub", "sup", "sc", "underline", "overline", "monospace"))
_LEADING_NUMBER = re.compile(r"[\[(\s]*(\d{1,4})[\]).\s]*")


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """The works that an article lists, and the works of each id in the file."""

    references: tuple[Reference, ...]
    targets: dict[str, tuple[int, ...]]
    """`rid` -> indices into `references`; several where one entry holds several works."""
    numbering: Numbering
    """Printed numbers; the works 5b and 5c of an entry have no number."""


def read_references(refs: Sequence[etree._Element], *, printed_ids: bool) -> ReferenceList:
    """Every work of an article's reference lists.

    Args:
        refs: entries of the lists.
        printed_ids: search entries for a PMID or PMCID in plain text, which is slow.
    """
    references: list[Reference] = []
    targets: dict[str, tuple[int, ...]] = {}
    numbers: list[int | None] = []
    for rank, ref in enumerate(refs, start=1):
        works = _works(ref)
        first = len(references)
        source_id = ref.get("id") or f"ref-{rank}"
        label = _label(ref, works)
        for i, work in enumerate(works):
            suffix = chr(ord("a") + i) if 1 < len(works) <= 26 else ""
            references.append(_reference(work, source_id + suffix, label, pm_ids=printed_ids))
            numbers.append(_number(label, rank) if i == 0 else None)
            if work is not ref and (key := work.get("id")):
                targets.setdefault(key, (first + i,))
        targets.setdefault(source_id, tuple(range(first, first + len(works))))
    return ReferenceList(tuple(references), targets, Numbering(tuple(numbers)))


def _works(ref: etree._Element) -> list[etree._Element]:
    """The works of one entry; only the first rendering of `citation-alternatives`."""
    works: list[etree._Element] = []
    for child in ref:
        if child.tag in _CITATIONS:
            works.append(child)
        elif child.tag == "citation-alternatives":
            works += [c for c in child if c.tag in _CITATIONS][:1]
    return works or [ref]


def _label(ref: etree._Element, works: list[etree._Element]) -> str:
    if len(ref) and ref[0].tag == "label":  # the usual position
        return text_of(ref[0])
    for element in (ref, *works):
        for label in element.iterchildren("label"):
            return text_of(label)
    return ""


def _number(label: str, rank: int) -> int:
    if not label:
        return rank
    found = _LEADING_NUMBER.fullmatch(label)
    return int(found.group(1)) if found else rank


@dataclass(slots=True)
class _CitationEntry:
    """Fields of one entry, filled while its elements are read."""

    plain: dict[str, str] = field(default_factory=dict)
    authors: list[Author] = field(default_factory=list)
    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    year: int | None = None
    et_al: bool = False


def _reference(work: etree._Element, source_id: str, label: str, *, pm_ids: bool) -> Reference:
    """One work; `pm_ids` is true if entries may have PMIDs or PMCIDs in plain text."""
    entry = _CitationEntry()
    _gather(work, entry, True)
    if work.tag != "element-citation" and (entry.doi is None or pm_ids):
        _take_printed_ids(entry, raw_text_of(work))
    plain = entry.plain
    title = plain.get("article-title") or _other_title(work, plain)
    return Reference(
        source_id,
        label,
        Identifiers(entry.doi, entry.pmid, entry.pmcid),
        title,
        plain.get("source", ""),
        entry.year,
        plain.get("volume", ""),
        plain.get("fpage") or plain.get("elocation-id", ""),
        tuple(entry.authors),
        entry.et_al,
        "" if title else _entry_text(work),
    )


def _other_title(work: etree._Element, plain: dict[str, str]) -> str:
    """A chapter's title; else that of a book, report or page, which is tagged as its `source`.

    A `source` with volume or page is a journal, unless the entry has another publication type.
    """
    for tag in _OTHER_TITLES:
        if plain.get(tag):
            return plain[tag]
    kind = work.get("publication-type") or work.get("citation-type") or "journal"
    if kind == "journal" and (plain.get("volume") or plain.get("fpage")):
        return ""
    return plain.get("source", "")


def _entry_text(work: etree._Element) -> str:
    """The whole entry, with spaces between adjacent elements (`CuiY.` -> `Cui Y.`)."""
    return " ".join("".join(_spaced(work)).split()) if len(work) else text_of(work)


def _spaced(parent: etree._Element) -> Iterator[str]:
    """All text, with spaces between adjacent elements, except those of style such as italics."""
    before = parent.text
    yield before or ""
    for child in parent:
        if not before and child.tag not in _STYLE:
            yield " "
        yield from _spaced(child)
        before = child.tail
        yield before or ""


def _gather(parent: etree._Element, entry: _CitationEntry, listed: bool) -> None:
    """Reads the elements of a citation; `listed` is true if names here are authors."""
    for element in parent:
        take = _TAKERS.get(element.tag)
        if take is not None:
            take(entry, element, listed)
        elif len(element):
            _gather(element, entry, listed)


def _take_plain(entry: _CitationEntry, element: etree._Element, _: bool) -> None:
    if not entry.plain.get(element.tag):
        entry.plain[element.tag] = text_of(element)
    if len(element):
        for link in element.iterdescendants("ext-link", "uri"):
            _take_link(entry, link, False)


def _take_people(entry: _CitationEntry, group: etree._Element, _: bool) -> None:
    _gather(group, entry, group.get("person-group-type") not in _NOT_AUTHORS)


def _take_person(entry: _CitationEntry, name: etree._Element, listed: bool) -> None:
    if listed:
        entry.authors.append(person(name))


def _take_collab(entry: _CitationEntry, collab: etree._Element, listed: bool) -> None:
    if listed:
        entry.authors.append(group_author(collab))


def _take_etal(entry: _CitationEntry, _: etree._Element, listed: bool) -> None:
    entry.et_al = entry.et_al or listed


def _take_year(entry: _CitationEntry, year: etree._Element, _: bool) -> None:
    if entry.year is None:
        entry.year = normalise_year(text_of(year)) or normalise_year(year.get("iso-8601-date"))


def _take_id(entry: _CitationEntry, element: etree._Element, _: bool) -> None:
    kind, text = element.get("pub-id-type"), text_of(element)
    if kind == "pmid":
        entry.pmid = entry.pmid or normalise_pmid(text)
    elif kind in ("pmcid", "pmc"):
        entry.pmcid = entry.pmcid or normalise_pmcid(text)
    elif kind == "doi" or "10." in text:
        entry.doi = entry.doi or normalise_doi(text)


def _take_printed_ids(entry: _CitationEntry, text: str) -> None:
    """Reads ids in the untagged text of a citation."""
    if entry.doi is None and "10." in text:
        entry.doi = normalise_doi(text)
    if "PMID" in text:
        entry.pmid = entry.pmid or pmid_in_text(text)
    if "PMCID" in text:
        entry.pmcid = entry.pmcid or pmcid_in_text(text)


def _take_link(entry: _CitationEntry, element: etree._Element, _: bool) -> None:
    """Reads an id from a link: from its address, or from its text."""
    for text in (element.get(HREF), text_of(element)):
        if not text:
            continue
        if entry.doi is None and "10." in text:
            entry.doi = normalise_doi(text)
        if "ncbi.nlm.nih.gov" in text:
            entry.pmid = entry.pmid or pmid_in_link(text)
            entry.pmcid = entry.pmcid or pmcid_in_link(text)
    if len(element):
        _gather(element, entry, False)


_TAKERS: dict[str, Callable[[_CitationEntry, etree._Element, bool], None]] = {
    **dict.fromkeys(_PLAIN, _take_plain),
    "person-group": _take_people,
    "name": _take_person,
    "string-name": _take_person,
    "collab": _take_collab,
    "etal": _take_etal,
    "year": _take_year,
    "pub-id": _take_id,
    "ext-link": _take_link,
    "uri": _take_link,
    "comment": _take_link,
}
