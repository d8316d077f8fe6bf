"""The same paper in other formats, made from JATS, for tests of papers with several sources."""

from __future__ import annotations

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
