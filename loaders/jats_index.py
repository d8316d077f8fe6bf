"""One walk over an article for the elements that several readers look for."""

from __future__ import annotations

from typing import NamedTuple

from lxml import etree

_SUB_ARTICLES = frozenset(("sub-article", "response"))
_LISTED_IN = frozenset(("body", "back", "floats-group"))
_FORMULA_SOURCES = ("{*}tex-math", "{*}annotation")


class Index(NamedTuple):
    """Elements of an article, in document order."""

    xrefs: list[etree._Element]
    """Pointers, without those of sub-articles and responses."""
    nested_xrefs: list[etree._Element]
    """Pointers of sub-articles and responses, which are other texts."""
    refs: list[etree._Element]
    """Entries of reference lists, without those of sub-articles."""


def index_article(article: etree._Element) -> Index:
    """Finds pointers and entries, and prepares the text.

    The LaTeX beside the MathML of a formula is removed, because it would be read as words; a line
    break becomes a space, because it would join words.
    """
    index = Index([], [], [])
    sources: list[etree._Element] = []
    for part in article:
        xrefs = index.nested_xrefs if part.tag in _SUB_ARTICLES else index.xrefs
        refs = index.refs if part.tag in _LISTED_IN else []
        for element in part.iter("xref", "ref", "break", *_FORMULA_SOURCES):
            tag = element.tag
            if tag == "xref":
                xrefs.append(element)
            elif tag == "ref":
                refs.append(element)
            elif tag == "break":
                element.text = " "
            else:
                sources.append(element)
    for source in sources:
        source.clear(keep_tail=True)  # type: ignore[call-arg]  # lxml-stubs are behind
    return index
