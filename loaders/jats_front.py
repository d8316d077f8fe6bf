"""The front matter of a JATS article: ids, abstracts, dates, journal, authors, keywords."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from citescape.core.identifiers import (
    normalise_doi,
    normalise_orcid,
    normalise_pmcid,
    normalise_pmid,
)
from citescape.core.types import Abstract, Author, AuthorRole, Identifiers, MeshTerm, Venue
from citescape.loaders.dates import FIRST_YEAR, LAST_YEAR, PublicationDate, earliest_date
from citescape.loaders.jats_affiliations import Affiliations
from citescape.loaders.jats_names import group_author, person
from citescape.loaders.jats_text import text_of

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
HREF = "{http://www.w3.org/1999/xlink}href"

_ID_TYPES = {"pmc": "pmcid", "pmcid": "pmcid", "pmid": "pmid", "doi": "doi"}
_MAIN_ABSTRACTS = ("", "normal", "abstract", "summary", "longsummary", "executive-summary", "short")
"""Values of `abstract-type` that may be a paper's main abstract, the best first."""
_OUTSIDE_ABSTRACT = frozenset(("title", "label", "object-id"))
_NOT_PUBLICATION = ("release", "received", "accepted", "submitted", "retract", "correct")
_NOT_BYLINE = ("edit", "review", "translat", "illustrat")
_NAMES = ("name", "string-name", "name-alternatives")


def read_identifiers(meta: etree._Element) -> Identifiers:
    """DOI, PMID and PMCID; PubMed Central writes the last one without its `PMC`."""
    found: dict[str, str] = {}
    for element in meta.iterchildren("article-id"):
        kind = _ID_TYPES.get(element.get("pub-id-type") or "")
        if kind:
            found.setdefault(kind, text_of(element))
    return Identifiers(
        doi=normalise_doi(found.get("doi"), whole=True),
        pmid=normalise_pmid(found.get("pmid")),
        pmcid=normalise_pmcid(found.get("pmcid")),
    )


class Abstracts(NamedTuple):
    """The main abstract as (heading, text) parts, and all others."""

    parts: tuple[tuple[str, str], ...]
    others: tuple[Abstract, ...]

    @property
    def text(self) -> str:
        """The main abstract."""
        return " ".join(text for _, text in self.parts)

    @property
    def labels(self) -> tuple[str, ...]:
        """Headings of its parts, if any has one."""
        labels = tuple(label for label, _ in self.parts)
        return labels if any(labels) else ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts of its parts, if any has a heading."""
        return tuple(text for _, text in self.parts) if self.labels else ()


def read_abstracts(meta: etree._Element) -> Abstracts:
    """Separates the main abstract from graphical, plain-language, translated and other ones."""
    elements = list(meta.iterchildren("abstract", "trans-abstract"))
    main, best = None, len(_MAIN_ABSTRACTS)
    for element in elements:
        kind = (element.get("abstract-type") or "").lower()
        if element.tag == "abstract" and kind in _MAIN_ABSTRACTS[:best]:
            main, best = element, _MAIN_ABSTRACTS.index(kind)
    parts = () if main is None else _abstract_parts(main)
    others = []
    for element in elements:
        text = "" if element is main else " ".join(part for _, part in _abstract_parts(element))
        if not text:
            continue
        kind = element.get("abstract-type") or "abstract"
        if element.tag == "trans-abstract":
            kind = f"translation ({element.get(XML_LANG) or '?'})"
        others.append(Abstract(kind, text))
    return Abstracts(parts, tuple(others))


def _abstract_parts(element: etree._Element) -> tuple[tuple[str, str], ...]:
    parts: list[tuple[str, str]] = []
    for child in element:
        if child.tag == "sec":
            title = child.find("title")
            pieces = [text_of(c) for c in child if c is not title and c.tag != "label"]
            parts.append((text_of(title).rstrip(" :."), " ".join(filter(None, pieces))))
        elif child.tag not in _OUTSIDE_ABSTRACT:
            parts.append(("", text_of(child)))
    if not len(element):
        parts.append(("", text_of(element)))
    return tuple(part for part in parts if part[1])


def read_date(meta: etree._Element) -> PublicationDate:
    """Earliest publication date: the most exact date of the earliest year, then the earliest."""
    dates: list[str] = []
    for element in meta.iterchildren("pub-date"):
        kind = element.get("pub-type") or element.get("date-type") or ""
        if not any(word in kind for word in _NOT_PUBLICATION):
            dates.append(_iso_date(element))
    return earliest_date(dates)


def _iso_date(element: etree._Element) -> str:
    parts = {child.tag: text_of(child) for child in element}
    year, month, day = (_number(parts.get(name, "")) for name in ("year", "month", "day"))
    if year is None or not FIRST_YEAR <= year <= LAST_YEAR:
        return ""
    if month is None or not 1 <= month <= 12:
        return f"{year}"
    if day is None or not 1 <= day <= 31:
        return f"{year}-{month:02}"
    return f"{year}-{month:02}-{day:02}"


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= 4 else None


def read_venue(article: etree._Element) -> Venue | None:
    """The journal, with the first of its ISSNs in sorting order."""
    journal = article.find("front/journal-meta")
    if journal is None:
        return None
    title = text_of(journal.find(".//journal-title")) or text_of(journal.find("journal-id"))
    issns = sorted(filter(None, (text_of(issn) for issn in journal.iterchildren("issn"))))
    return Venue(title, issns[0] if issns else None) if title else None


def read_authors(meta: etree._Element, affiliations: Affiliations) -> Iterator[Author]:
    """Authors in order, without editors and reviewers; members of groups are marked."""
    for group in meta.iterchildren("contrib-group"):
        for contrib in group.iterchildren("contrib"):
            kind = (contrib.get("contrib-type") or "").lower()
            if not any(word in kind for word in _NOT_BYLINE):
                yield from _contributor(contrib, "author", affiliations)


def _contributor(
    contrib: etree._Element, role: AuthorRole, affiliations: Affiliations
) -> Iterator[Author]:
    places = affiliations.of_contributor
    name = next(contrib.iterchildren(*_NAMES), None)
    if name is not None and name.tag == "name-alternatives":
        name = next(name.iterchildren("name", "string-name"), None)
    if name is not None:
        yield person(name)._replace(orcid=_orcid(contrib), role=role, institutions=places(contrib))
        return
    collab = next(contrib.iter("collab"), None)
    if collab is None:
        return
    group = group_author(collab)
    if group.surname:
        yield group._replace(institutions=places(contrib))
    for member in collab.iterfind("contrib-group/contrib"):
        yield from _contributor(member, "member", affiliations)


def _orcid(contrib: etree._Element) -> str | None:
    for element in contrib.iterchildren("contrib-id"):
        if element.get("contrib-id-type") == "orcid":
            return normalise_orcid(text_of(element))
    for link in contrib.iterchildren("uri", "ext-link"):
        text = link.get(HREF) or text_of(link)
        if "orcid.org" in text:
            return normalise_orcid(text)
    return None


def read_keywords(meta: etree._Element) -> Iterator[str]:
    """Keywords of all groups but abbreviations and MeSH terms."""
    for group in meta.iterchildren("kwd-group"):
        kind = (group.get("kwd-group-type") or "").lower()
        if "abbrev" not in kind and "mesh" not in kind:
            for element in group.iter("kwd"):
                yield text_of(element).strip(" ;,.")


def read_subjects(meta: etree._Element) -> Iterator[str]:
    """The journal's own categories."""
    for categories in meta.iterchildren("article-categories"):
        for subject in categories.iter("subject"):
            yield text_of(subject)


def read_mesh(meta: etree._Element) -> Iterator[MeshTerm]:
    """MeSH headings, written as keywords of a group of that type: `Oryza/genetics*`."""
    for group in meta.iterchildren("kwd-group"):
        if "mesh" in (group.get("kwd-group-type") or "").lower():
            for element in group.iter("kwd"):
                text = text_of(element)
                descriptor, *qualifiers = (part.strip(" *") for part in text.split("/"))
                if descriptor:
                    yield MeshTerm(descriptor, tuple(qualifiers), "*" in text)


def unique(texts: Iterable[str]) -> tuple[str, ...]:
    """The distinct non-empty texts, in their order."""
    return tuple(dict.fromkeys(text for text in texts if text))
