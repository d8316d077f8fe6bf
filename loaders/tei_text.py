"""The text of a TEI document with the names of JATS, as `article_text` reads it."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from citescape.loaders.section_numbers import SectionTree, section_number

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

_NAMES = {
    "div": "sec",
    "head": "title",
    "figure": "fig",
    "figdesc": "p",
    "row": "tr",
    "cell": "td",
    "item": "list-item",
    "note": "fn",
    "quote": "disp-quote",
    "cit": "disp-quote",
    "formula": "disp-formula",
    "lb": "break",
}
"""Element in TEI -> its name in JATS; others keep theirs."""
BACK_TITLES = {
    "acknowledgement": "Acknowledgements",
    "funding": "Funding",
    "availability": "Data availability",
    "annex": "Appendix",
    "contribution": "Author contributions",
    "conflict": "Conflict of interest",
}
"""Type of a part of the back matter -> its heading, if it has none."""


def build_article(
    texts: Sequence[etree._Element], abstract: etree._Element | None
) -> etree._Element:
    """Moves the abstract and the parts of `text` elements into an article, and renames all parts.

    Figures and notes beside the sections are floats and footnotes, because GROBID writes them
    behind all sections. Sections become nested as their numbers say (`2.1` below `2`).
    """
    article = etree.Element("article")
    meta = etree.SubElement(etree.SubElement(article, "front"), "article-meta")
    body, back = etree.SubElement(article, "body"), etree.SubElement(article, "back")
    floats, notes = etree.Element("floats-group"), etree.Element("fn-group")
    if abstract is not None:
        meta.append(abstract)
    for text in texts:
        for part in text.findall("body"):
            _move_body(part, body, floats, notes)
        for part in text.findall("back"):
            _move_back(part, back, floats, notes)
    for parent, part in ((back, notes), (article, floats)):
        if len(part):
            parent.append(part)
    for part in (meta, body, back, floats):
        _rename(part)
    return article


def _move_body(
    part: etree._Element, body: etree._Element, floats: etree._Element, notes: etree._Element
) -> None:
    _add_text(body, part.text)
    sections = SectionTree(body)
    for child in list(part):
        if child.tag == "figure":
            floats.append(child)
        elif child.tag == "note":
            notes.append(child)
        elif child.tag == "div":
            sections.add(child, _number_of(child))
        else:
            body.append(child)


def _number_of(section: etree._Element) -> str:
    """The number of a heading, `2.1`; empty without one."""
    head = section.find("head")
    return "" if head is None else section_number(head.get("n") or "")


def _move_back(
    part: etree._Element, back: etree._Element, floats: etree._Element, notes: etree._Element
) -> None:
    """Parts behind the main text; a part that only holds sections is replaced by them."""
    for child in list(part):
        if child.tag in ("listbibl", "figure", "note"):
            {"figure": floats, "note": notes}.get(child.tag, etree.Element("none")).append(child)
            continue
        for listed in list(child.iter("listbibl")):
            listed.clear()
            listed.tag = "ref-list"  # its entries are read elsewhere
        kind = child.get("type") or ""
        inner = [section for section in child if section.tag == "div"]
        only = child.tag == "div" and inner and len(inner) == len(child)
        for section in inner if only else [child]:
            if section.tag == "div" and section.find("head") is None and kind in BACK_TITLES:
                head = etree.Element("head")
                head.text = BACK_TITLES[kind]
                section.insert(0, head)
            if any(inside.tag not in ("head", "ref-list") for inside in section):
                back.append(section)


def _add_text(parent: etree._Element, text: str | None) -> None:
    if text and not text.isspace():
        etree.SubElement(parent, "p").text = text


def _rename(part: etree._Element) -> None:
    for element in list(part.iterdescendants(etree.Element)):
        tag = element.tag
        if tag == "ref":
            _rename_pointer(element)
        elif tag in _NAMES:
            element.tag = _NAMES[tag]
            if tag == "formula":  # it follows a paragraph without a blank
                element.text = f" {element.text or ''}"
                element.tail = f" {element.tail or ''}"
        if tag == "figure":
            for label in element.iterchildren("label"):
                label.text = ""  # repeats a part of the heading


def _rename_pointer(element: etree._Element) -> None:
    """A pointer to references; other pointers become plain text."""
    if element.get("type") != "bibr":
        element.tag = "named-content"
        return
    element.tag = "xref"
    element.set("ref-type", "bibr")
    target = str(element.attrib.pop("target", ""))
    if target:
        element.set("rid", " ".join(name.lstrip("#") for name in target.split()))
