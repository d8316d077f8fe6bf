"""TEI as GROBID writes it (0.5 to 0.9), also as OpenAlex offers it -> `Paper`.

https://grobid.readthedocs.io/en/latest/TEI-encoding-of-results/. OpenAlex's files may be compressed
whatever their name, and may be written as HTML, with element names in lower case. Elements are
renamed to those of JATS, whose reader then reads the text. Deviations of real files are listed in
docs/loaders.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from lxml import etree

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_orcid
from citescape.core.types import Author, Identifiers, Institution, Paper, Venue
from citescape.loaders.article_text import read_article_text
from citescape.loaders.countries import country_code, country_of_affiliation
from citescape.loaders.jats_front import unique
from citescape.loaders.jats_text import text_of
from citescape.loaders.tei_references import (
    find_title,
    read_date,
    read_identifiers,
    read_person,
    read_references,
)
from citescape.loaders.tei_text import build_article
from citescape.loaders.xml import parse_xml

VERSION = "tei-2"
"""Increase it when the same file is read differently, so that it is loaded again."""

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_OPENALEX = re.compile(r"(?:^|[/\\])(W[0-9]{3,12})(?:\.[\w-]+)*$")


def read_tei(data: bytes, path: str, *, contexts: bool = True) -> Paper:
    """Reads one article.

    Args:
        data: bytes of the XML file.
        path: path of the file, for messages and `Paper.path`; OpenAlex's file names are work ids.
        contexts: read the sentences of citations; if False they are empty.

    Raises:
        SourceError: not well-formed, hostile, not TEI, or several articles.
    """
    tei = _article(parse_xml(data, path), path)
    header = tei.find("teiheader")
    if header is None:
        header = etree.Element("teiheader")
    source = header.find("filedesc/sourcedesc/biblstruct")
    if source is None:
        source = etree.Element("biblstruct")
    abstract = header.find("profiledesc/abstract")
    parts = () if abstract is None else tuple(_abstract_parts(abstract))
    labels = tuple(label for label, _ in parts)
    date = _published(header, source)
    references = read_references(tei)
    texts = list(tei.iterchildren("text"))
    text = read_article_text(
        build_article(texts, abstract), references, notes={}, contexts=contexts
    )
    authors, institutions = _authors(source)
    return Paper(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        ids=_own_identifiers(source, path),
        title=text_of(header.find("filedesc/titlestmt/title")) or find_title(source, "analytic"),
        abstract=" ".join(part for _, part in parts),
        abstract_labels=labels if any(labels) else (),
        abstract_parts=tuple(part for _, part in parts) if any(labels) else (),
        year=int(date[:4]) if date else None,
        date=date,
        language=_language(tei, header),
        venue=_venue(source),
        authors=authors,
        keywords=unique(_keywords(header)),
        sections=text.sections,
        references=references.references,
        occurrences=text.occurrences,
        losses=text.losses,
        loader=VERSION,
        institutions=institutions,
    )


def _article(root: etree._Element, path: str) -> etree._Element:
    """The `tei` element; names of all elements become lower case, without namespace."""
    names: dict[str, str] = {}
    for element in root.iter(etree.Element):
        tag = str(element.tag)
        if tag not in names:
            names[tag] = etree.QName(element).localname.lower()
        element.tag = names[tag]
    articles = [root] if root.tag == "tei" else list(root.iter("tei"))
    if not articles:
        message = f"XML, but its root is <{root.tag}>; expected <TEI>"
        raise SourceError(path, "not-tei", message)
    if len(articles) > 1:
        message = f"{len(articles)} articles in one document; expected one: split it and rerun"
        raise SourceError(path, "several-articles", message)
    if articles[0].find("teiheader") is None and articles[0].find("text") is None:
        raise SourceError(path, "not-tei", "a <TEI> without <teiHeader> and <text>; expected TEI")
    return articles[0]


def _own_identifiers(source: etree._Element, path: str) -> Identifiers:
    """Ids in the header; of OpenAlex's files also the name."""
    ids = read_identifiers(source, whole=True)
    named = _OPENALEX.search(path)
    return ids._replace(openalex=named[1]) if named and not ids.openalex else ids


def _published(header: etree._Element, source: etree._Element) -> str:
    """Date of publication, as exact as known; empty if missing."""
    return read_date(source) or read_date(header.find("filedesc/publicationstmt"))


def _abstract_parts(abstract: etree._Element) -> Iterator[tuple[str, str]]:
    """Heading and text of each part."""
    loose: list[str] = []
    for child in abstract:
        if child.tag == "div":
            title = child.find("head")
            texts = (text_of(part) for part in child if part is not title)
            yield text_of(title).rstrip(" :."), " ".join(filter(None, texts))
        elif child.tag != "head":
            loose.append(text_of(child))
    text = " ".join(filter(None, loose)) if len(abstract) else text_of(abstract)
    if text:
        yield "", text


def _language(tei: etree._Element, header: etree._Element) -> str:
    """Language of the text; its header has that of the metadata."""
    for element in (tei.find("text"), header, tei):
        if element is not None and (found := element.get(XML_LANG) or element.get("xml:lang")):
            return found.lower()
    return ""


def _venue(source: etree._Element) -> Venue | None:
    monograph = source.find("monogr")
    title = find_title(source, "monogr")
    if not title or monograph is None:
        return None
    kinds = ("ISSN", "EISSN")
    issns = sorted(
        text_of(element)
        for element in monograph.iterchildren("idno")
        if (element.get("type") or "").upper().replace("-", "") in kinds
    )
    return Venue(title, issns[0] if issns else None)


def _authors(source: etree._Element) -> tuple[tuple[Author, ...], tuple[Institution, ...]]:
    """The by-line and its affiliations, each once.

    An author with nothing but an affiliation is left out. An empty affiliation is the one with the
    same key.
    """
    authors: list[Author] = []
    places: dict[Institution, int] = {}
    keyed: dict[str, Institution] = {}
    for affiliation in source.iterfind("analytic/author/affiliation"):
        if (place := _institution(affiliation)) and (key := affiliation.get("key")):
            keyed.setdefault(key, place)
    for element in source.iterfind("analytic/author"):
        author = _author(element)
        if author is not None:
            affiliations = list(element.iterchildren("affiliation"))
            named = (_institution(e) or keyed.get(e.get("key") or "") for e in affiliations)
            indices = [places.setdefault(place, len(places)) for place in named if place]
            authors.append(author._replace(institutions=tuple(dict.fromkeys(indices))))
    return tuple(authors), tuple(places)


def _author(element: etree._Element) -> Author | None:
    name = element.find("persname")
    if name is None:
        group = text_of(element.find("orgname"))
        return Author(group, role="group") if group else None
    orcids = (e for e in element.iter("idno") if (e.get("type") or "").upper() == "ORCID")
    orcid = next(orcids, None)
    person = read_person(name)
    if not person.surname:
        return None
    return person._replace(orcid=None if orcid is None else normalise_orcid(text_of(orcid)))


def _institution(affiliation: etree._Element) -> Institution | None:
    """The institution; without one the smallest unit that is named, or the whole as printed."""
    names: dict[str, str] = {}
    for element in affiliation.iterchildren("orgname"):
        if text := text_of(element).strip(" ,;."):
            names.setdefault((element.get("type") or "institution").lower(), text)
    printed = next((text_of(e) for e in affiliation.iterchildren("note")), "")
    kinds = ("institution", "laboratory", "department")
    name = next((names[kind] for kind in kinds if kind in names), printed)
    if not name:
        return None
    country = affiliation.find("address/country")
    code = ""
    if country is not None:
        code = country_code(country.get("key") or "") or country_code(text_of(country))
    return Institution(name, code or country_of_affiliation(printed))


def _keywords(header: etree._Element) -> Iterator[str]:
    for keywords in header.iterfind("profiledesc/textclass/keywords"):
        terms = list(keywords.iter("term"))
        if terms:
            yield from (text_of(term).strip(" ;,.") for term in terms)
        else:
            yield from (part.strip(" ;,.") for part in re.split(r"[;,]", text_of(keywords)))
