"""Markup in texts of metadata records: JATS, HTML and MathML -> plain text.

Crossref and OpenAlex deliver titles as `Yield of <i>Oryza</i>` or `&lt;i&gt;Oryza&lt;/i&gt;`, and
Crossref abstracts as JATS, well-formed or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from lxml import etree

from citescape.core.errors import SourceError
from citescape.loaders.jats_front import Abstracts
from citescape.loaders.jats_text import raw_text_of, text_of
from citescape.loaders.xml import parse_xml

_BLOCKS = "p|br|break|div|sec|section|title|list|list-item|li|ul|ol|tr|td|h[1-6]"
_INLINE = (
    "i|b|u|em|strong|sub|sup|inf|sc|scp|small|tt|font|span|italic|bold|underline|overline|ovl|"
    "monospace|roman|sans-serif|styled-content|emphasis|inline-formula|ext-link|xref|math|m[a-z]+|a"
)
_ATTRIBUTES = r"(?:\s[^<>=]*=[^<>]*)?\s*/?"
_BLOCK = re.compile(rf"</?(?:[A-Za-z]+:)?(?:{_BLOCKS}){_ATTRIBUTES}>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:[A-Za-z]+:[\w-]+|{_INLINE}){_ATTRIBUTES}>", re.IGNORECASE)
_LATEX = re.compile(r"<((?:jats:)?tex-math)\b[^<>]*>[^<]*</\1>", re.IGNORECASE)
_LEFT_OUT = frozenset(("permissions", "supplementary-material", "object-id", "tex-math", "label"))
"""Elements of abstracts without text of the abstract; LaTeX repeats MathML."""
_PARAGRAPHS = ("p", "list", "list-item", "disp-quote", "def-list", "def-item", "break", "title")


def strip_markup(text: str) -> str:
    """Plain text of a title or abstract: tags left out, named characters resolved, also twice."""
    if "&" in text:
        text = unescape(unescape(text))
    if "<" in text:
        text = _TAG.sub("", _BLOCK.sub(" ", _LATEX.sub(" ", text)))
    return " ".join(text.split())


def read_jats_abstract(text: str) -> Abstracts:
    """An abstract with the headings of its parts; plain text if it is not well-formed.

    A heading of the whole abstract (`Abstract`) is left out.
    """
    if "<" not in text:
        plain = strip_markup(text)
        return Abstracts((("", plain),) if plain else (), ())
    wrapped = f'<abstract xmlns:jats="j" xmlns:mml="m" xmlns:xlink="x">{text}</abstract>'
    try:
        root = parse_xml(wrapped.encode(errors="replace"), "")
    except SourceError:
        plain = strip_markup(text)
        return Abstracts((("", plain),) if plain else (), ())
    for element in list(root.iter(etree.Element)):
        element.tag = etree.QName(element).localname
        if element.tag in _LEFT_OUT:
            element.clear(keep_tail=True)  # type: ignore[call-arg]  # lxml-stubs are behind
        elif element.tag in _PARAGRAPHS:
            element.text, element.tail = f" {element.text or ''}", f" {element.tail or ''}"
    parts = [(label, strip_markup(part)) for label, part in _parts(root, "")]
    parts = [(label, part) for label, part in parts if part]
    return Abstracts(tuple(parts if len(parts) > 1 else (("", part) for _, part in parts)), ())


def _parts(parent: etree._Element, label: str) -> Iterator[tuple[str, str]]:
    """The text of an element outside its sections, then each section with its heading."""
    pieces = [parent.text or ""]
    for child in parent:
        if child.tag not in ("sec", "title"):
            pieces.append(raw_text_of(child))
        pieces.append(child.tail or "")
    yield label, "".join(pieces)
    for section in parent.iterchildren("sec"):
        yield from _parts(section, text_of(section.find("title")).rstrip(" :."))
