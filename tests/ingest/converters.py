"""The same paper in other formats, made from JATS, for tests of papers with several sources."""

from __future__ import annotations

import json
from collections.abc import Sequence

from lxml import etree

from citescape.core.types import Author, Paper, Reference
from citescape.loaders.jats import read_jats
from citescape.loaders.xml import parse_xml

_TEI = "http://www.tei-c.org/ns/1.0"
_INLINE = {"xref", "italic", "bold", "sup", "sub", "ext-link", "named-content"}


def as_tei(jats: bytes) -> bytes:
    """A paper as TEI: header, sections with paragraphs and pointers, reference list.

    Text outside paragraphs is left out, as GROBID loses some.
    """
    paper = read_jats(jats, "paper.xml")
    tei = etree.Element(f"{{{_TEI}}}TEI", nsmap={None: _TEI})
    _add_header(etree.SubElement(tei, "teiHeader"), paper)
    text = etree.SubElement(tei, "text")
    body, back = etree.SubElement(text, "body"), etree.SubElement(text, "back")
    source = parse_xml(jats, "paper.xml")
    for section in source.iterfind("body/sec"):
        _add_section(body, section)
    entries = etree.SubElement(etree.SubElement(back, "div", type="references"), "listBibl")
    for reference in paper.references:
        _add_entry(entries, reference)
    return etree.tostring(tei, encoding="UTF-8", xml_declaration=True)


def _add(
    parent: etree._Element, name: str, text: str | None = None, **attributes: str
) -> etree._Element:
    element = etree.SubElement(parent, name, attributes)
    element.text = text
    return element


def _add_header(header: etree._Element, paper: Paper) -> None:
    description = _add(header, "fileDesc")
    _add(_add(description, "titleStmt"), "title", paper.title, type="main")
    structure = _add(_add(description, "sourceDesc"), "biblStruct")
    analytic = _add(structure, "analytic")
    for author in paper.authors:
        _add_author(analytic, author)
    monograph = _add(structure, "monogr")
    if paper.venue:
        _add(monograph, "title", paper.venue.title)
    if paper.date:
        _add(_add(monograph, "imprint"), "date", type="published", when=paper.date)
    for kind, id_ in (("DOI", paper.ids.doi), ("PMID", paper.ids.pmid)):
        if id_:
            _add(structure, "idno", id_, type=kind)
    _add(_add(_add(header, "profileDesc"), "abstract"), "p", paper.abstract)


def _add_author(parent: etree._Element, author: Author) -> None:
    element = _add(parent, "author")
    if author.role == "group":
        _add(element, "orgName", author.surname)
        return
    name = _add(element, "persName")
    if author.given:
        _add(name, "forename", author.given)
    _add(name, "surname", author.surname)


def _add_section(parent: etree._Element, section: etree._Element) -> None:
    division = _add(parent, "div")
    for child in section:
        if child.tag == "title":
            _add(division, "head", "".join(map(str, child.itertext())))
        elif child.tag == "p":
            _copy_text(_add(division, "p"), child)
        elif child.tag == "sec":
            _add_section(division, child)


def _copy_text(paragraph: etree._Element, source: etree._Element) -> None:
    """Text and pointers to references; other elements become their text."""
    _append(paragraph, source.text)
    for child in source:
        if child.tag == "xref" and child.get("ref-type") == "bibr":
            targets = " ".join(f"#{rid}" for rid in (child.get("rid") or "").split())
            pointer = _add(paragraph, "ref", "".join(map(str, child.itertext())), type="bibr")
            if targets:
                pointer.set("target", targets)
        elif child.tag in _INLINE:
            _copy_text(paragraph, child)
        _append(paragraph, child.tail)


def _append(element: etree._Element, text: str | None) -> None:
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def _add_entry(parent: etree._Element, reference: Reference) -> None:
    own = {"{http://www.w3.org/XML/1998/namespace}id": reference.source_id}
    structure = etree.SubElement(parent, "biblStruct", own)
    monograph = _add(structure, "monogr")
    analytic = _add(structure, "analytic")
    if reference.title:
        _add(analytic, "title", reference.title, type="main")
    for author in reference.authors:
        _add_author(analytic, author)
    for kind, id_ in (("DOI", reference.ids.doi), ("PMID", reference.ids.pmid)):
        if id_:
            _add(analytic, "idno", id_, type=kind)
    if reference.source:
        _add(monograph, "title", reference.source)
    imprint = _add(monograph, "imprint")
    if reference.year:
        _add(imprint, "date", type="published", when=str(reference.year))
    for unit, value in (("volume", reference.volume), ("page", reference.page)):
        if value:
            _add(imprint, "biblScope", value, unit=unit)


def as_s2orc(jats: bytes) -> bytes:
    """A paper as S2ORC of 2019: paragraphs with spans, bibliography."""
    paper = read_jats(jats, "paper.xml")
    entries = {}
    for i, reference in enumerate(paper.references):
        entries[f"BIBREF{i}"] = {
            "title": reference.title,
            "authors": [_s2orc_name(author) for author in reference.authors],
            "year": reference.year,
            "venue": reference.source,
            "volume": reference.volume,
            "pages": reference.page,
            "other_ids": {"DOI": [reference.ids.doi]} if reference.ids.doi else {},
        }
    names = {reference.source_id: f"BIBREF{i}" for i, reference in enumerate(paper.references)}
    source = parse_xml(jats, "paper.xml")
    parse = {
        "abstract": [],
        "body_text": [
            paragraph
            for section in source.iterfind("body/sec")
            for paragraph in _s2orc_paragraphs(section, names)
        ],
        "ref_entries": {},
        "bib_entries": entries,
    }
    metadata = {
        "title": paper.title,
        "authors": [_s2orc_name(author) for author in paper.authors],
        "abstract": paper.abstract,
        "year": paper.year,
        "doi": paper.ids.doi,
        "pubmed_id": paper.ids.pmid,
        "venue": paper.venue.title if paper.venue else None,
    }
    record = {"paper_id": paper.sha256[:40], "metadata": metadata, "grobid_parse": parse}
    return json.dumps(record).encode()


def _s2orc_name(author: Author) -> dict[str, object]:
    return {"first": author.given, "middle": [], "last": author.surname, "suffix": ""}


def _s2orc_paragraphs(section: etree._Element, names: dict[str, str]) -> list[dict[str, object]]:
    """The paragraphs of a section and of those in it; titles of nested ones are their own."""
    heading = section.find("title")
    title = "" if heading is None else "".join(map(str, heading.itertext()))
    paragraphs: list[dict[str, object]] = []
    for child in section:
        if child.tag == "sec":
            paragraphs += _s2orc_paragraphs(child, names)
        elif child.tag == "p":
            copy = etree.Element("p")
            _copy_text(copy, child)
            text, spans = copy.text or "", []
            for pointer in copy:
                start = len(text)
                text += pointer.text or ""
                targets = (pointer.get("target") or "").replace("#", "").split()
                span = {"start": start, "end": len(text), "text": pointer.text or ""}
                known = [names[target] for target in targets if target in names]
                spans += [{**span, "ref_id": name} for name in known]
                text += pointer.tail or ""
            paragraphs.append({"text": text, "cite_spans": spans, "section": title})
    return paragraphs


def as_openalex(jats: bytes, number: int, cited: Sequence[int] = ()) -> bytes:
    """A paper as a record of OpenAlex that cites works of some numbers."""
    paper = read_jats(jats, "paper.xml")
    address = "https://openalex.org/W{}".format
    record = {
        "id": address(number),
        "doi": f"https://doi.org/{paper.ids.doi}" if paper.ids.doi else None,
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{paper.ids.pmid}"},
        "title": paper.title,
        "publication_year": paper.year,
        "publication_date": paper.date if len(paper.date) == 10 else None,
        "type": "article",
        "authorships": [
            {"author": {"id": f"https://openalex.org/A{number}{i:03}", "display_name": author.name}}
            for i, author in enumerate(paper.authors)
        ],
        "referenced_works": [address(other) for other in cited],
    }
    return json.dumps(record).encode()
