"""JATS and NLM articles (PMC, Europe PMC, most publishers) -> `Paper`.

Standard: ANSI/NISO Z39.96. What real files hold beyond it is listed in docs/loaders.md; nothing of
it raises, and no citation pointer is lost without being counted (`Paper.losses`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from lxml import etree

from citescape.errors import SourceError
from citescape.identifiers import normalise_doi, normalise_orcid, normalise_pmcid, normalise_pmid
from citescape.loaders.jats_body import BodyReader
from citescape.loaders.jats_references import group_author, read_references
from citescape.loaders.xml import parse_xml
from citescape.types import Abstract, Author, AuthorRole, Identifiers, MeshTerm, Paper, Venue

VERSION = "jats-1"
"""Changes whenever the same file would be read differently, so that it is loaded again."""

_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_NOT_PUBLICATION = frozenset(("pmc-release", "received", "accepted", "retracted", "corrected"))
_ID_TYPES = {"pmc": "pmcid", "pmcid": "pmcid", "pmcaid": "", "pmid": "pmid", "doi": "doi"}


def read_jats(data: bytes, path: str, *, contexts: bool = True) -> Paper:
    """Reads one article.

    Args:
        data: the XML file's bytes.
        path: where they come from, for messages and `Paper.path`.
        contexts: False leaves the citation sentences empty (and skips sentence splitting).

    Raises:
        SourceError: not well-formed, hostile, or not JATS.
    """
    article = _article(parse_xml(data, path), path)
    meta = article.find("front/article-meta")
    if meta is None:
        meta = etree.Element("article-meta")
    references = read_references(article)
    body = BodyReader(references, contexts=contexts)
    body.read_abstracts(article)
    main = article.find("body")
    if main is not None:
        body.read_body(main)
    body.read_back(article)
    label_parts, others = _abstracts(meta)
    date, conflict = _publication_date(meta)
    losses = body.losses(article)
    if conflict:
        losses.notes["conflicting-years"] = 1
    return Paper(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        ids=_identifiers(meta),
        title=_text(meta.find("title-group/article-title")),
        abstract=" ".join(part for _, part in label_parts),
        abstract_labels=tuple(label for label, _ in label_parts) if _structured(label_parts) else (),
        abstract_parts=tuple(part for _, part in label_parts) if _structured(label_parts) else (),
        other_abstracts=others,
        year=int(date[:4]) if date else None,
        date=date,
        article_type=article.get("article-type") or "",
        language=(article.get(_XML_LANG) or "").lower(),
        venue=_venue(article),
        authors=tuple(_authors(meta)),
        keywords=_unique(_keywords(meta)),
        subjects=_unique(_text(s) for s in meta.iterfind("article-categories//subject")),
        mesh=tuple(_mesh(meta)),
        sections=body.sections,
        references=references.references,
        occurrences=body.occurrences,
        losses=losses,
    )


def _article(root: etree._Element, path: str) -> etree._Element:
    """The article element, without its namespace; also inside the wrapper some servers add."""
    if isinstance(root.tag, str) and root.tag.startswith("{"):
        for element in root.iter(etree.Element):
            element.tag = etree.QName(element).localname if _jats_space(element) else element.tag
    article = root if root.tag == "article" else root.find(".//article")
    if article is None:
        raise SourceError(
            path,
            "not-jats",
            f"XML, but its root is <{root.tag}>; expected a JATS <article>",
        )
    if article.find("front") is None and article.find("body") is None:
        raise SourceError(path, "not-jats", "an <article> without <front> and <body>; expected JATS")
    return article


def _jats_space(element: etree._Element) -> bool:
    space = etree.QName(element).namespace or ""
    return "MathML" not in space


def _identifiers(meta: etree._Element) -> Identifiers:
    found: dict[str, str] = {}
    for element in meta.iterchildren("article-id"):
        kind = _ID_TYPES.get(element.get("pub-id-type") or "", "")
        found.setdefault(kind, _text(element))
    return Identifiers(
        doi=normalise_doi(found.get("doi")),
        pmid=normalise_pmid(found.get("pmid")),
        pmcid=normalise_pmcid(found.get("pmcid")),
    )


def _abstracts(
    meta: etree._Element,
) -> tuple[list[tuple[str, str]], tuple[Abstract, ...]]:
    """The main abstract as (heading, text) parts, and every other one with its kind."""
    main: list[tuple[str, str]] = []
    others: list[Abstract] = []
    for element in meta.iterchildren("abstract", "trans-abstract"):
        parts = [(label, text) for label, text in _abstract_parts(element) if text]
        kind = element.get("abstract-type") or ""
        if element.tag == "abstract" and not main and kind in ("", "summary", "abstract"):
            main = parts
        elif parts:
            language = element.get(_XML_LANG)
            name = f"translation ({language or '?'})" if element.tag == "trans-abstract" else kind
            others.append(Abstract(name or "abstract", " ".join(text for _, text in parts)))
    return main, tuple(others)


def _abstract_parts(element: etree._Element) -> Iterator[tuple[str, str]]:
    for child in element:
        if child.tag == "sec":
            title = child.find("title")
            pieces = [_text(c) for c in child if c is not title and c.tag != "label"]
            yield _text(title).rstrip(" :."), " ".join(piece for piece in pieces if piece)
        elif child.tag not in ("title", "label", "object-id"):
            yield "", _text(child)


def _structured(parts: list[tuple[str, str]]) -> bool:
    return any(label for label, _ in parts)


def _publication_date(meta: etree._Element) -> tuple[str, bool]:
    """Earliest publication date, ISO, as exact as known; and whether the years disagree.

    Of several dates in the earliest year the most exact one, then the earliest, is taken.
    """
    dates: list[str] = []
    for element in meta.iterchildren("pub-date"):
        kind = element.get("pub-type") or element.get("date-type") or ""
        if kind not in _NOT_PUBLICATION:
            dates.append(_iso_date(element))
    known = [date for date in dates if date]
    if not known:
        return "", False
    years = {date[:4] for date in known}
    first = min(years)
    return min((d for d in known if d[:4] == first), key=lambda d: (-len(d), d)), len(years) > 1


def _iso_date(element: etree._Element) -> str:
    year, month, day = (_text(element.find(name)) for name in ("year", "month", "day"))
    if not (year.isdigit() and len(year) == 4):
        return ""
    if not (month.isdigit() and 1 <= int(month) <= 12):
        return year
    if not (day.isdigit() and 1 <= int(day) <= 31):
        return f"{year}-{int(month):02}"
    return f"{year}-{int(month):02}-{int(day):02}"


def _venue(article: etree._Element) -> Venue | None:
    journal = article.find("front/journal-meta")
    if journal is None:
        return None
    title = _text(journal.find(".//journal-title")) or _text(journal.find("journal-id"))
    issns = sorted(_text(issn) for issn in journal.iterchildren("issn"))
    return Venue(title, issns[0] if issns else None) if title else None


def _authors(meta: etree._Element) -> Iterator[Author]:
    """Authors in order; editors and reviewers left out, members of groups marked."""
    for group in meta.iterchildren("contrib-group"):
        for contrib in group.iterchildren("contrib"):
            if contrib.get("contrib-type", "author") == "author":
                yield from _contributor(contrib, "author")


def _contributor(contrib: etree._Element, role: AuthorRole) -> Iterator[Author]:
    collab = contrib.find(".//collab")
    name = contrib.find("name")
    if name is None:
        name = contrib.find("name-alternatives/name")
    if name is not None:
        yield Author(
            surname=_text(name.find("surname")) or _text(name),
            given=_text(name.find("given-names")),
            orcid=_orcid(contrib),
            role=role,
        )
    elif contrib.find("string-name") is not None:
        yield Author(_text(contrib.find("string-name")), "", _orcid(contrib), role)
    elif collab is not None:
        group = group_author(collab)
        if group.surname:
            yield group
        for member in collab.iterfind("contrib-group/contrib"):
            yield from _contributor(member, "member")


def _orcid(contrib: etree._Element) -> str | None:
    for element in contrib.iterchildren("contrib-id"):
        if element.get("contrib-id-type") == "orcid":
            return normalise_orcid(_text(element))
    for link in contrib.iterchildren("uri", "ext-link"):
        text = link.get("{http://www.w3.org/1999/xlink}href") or _text(link)
        if "orcid.org" in text:
            return normalise_orcid(text)
    return None


def _keywords(meta: etree._Element) -> Iterator[str]:
    for group in meta.iterchildren("kwd-group"):
        kind = (group.get("kwd-group-type") or "").lower()
        if "abbrev" not in kind and "mesh" not in kind:
            for element in group.iter("kwd"):
                yield _text(element).strip(" ;,.")


def _mesh(meta: etree._Element) -> Iterator[MeshTerm]:
    """MeSH headings, written as keywords of a group of that type: `Oryza/genetics*`."""
    for group in meta.iterchildren("kwd-group"):
        if "mesh" in (group.get("kwd-group-type") or "").lower():
            for element in group.iter("kwd"):
                text = _text(element)
                descriptor, *qualifiers = (part.strip(" *") for part in text.split("/"))
                if descriptor:
                    yield MeshTerm(descriptor, tuple(qualifiers), "*" in text)


def _unique(texts: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))


def _text(element: etree._Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())
