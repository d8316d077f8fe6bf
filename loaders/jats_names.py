"""People and groups, as JATS writes them on by-lines and in reference lists."""

from __future__ import annotations

from lxml import etree

from citescape.core.types import Author
from citescape.loaders.jats_text import text_of

_NOT_THE_NAME = frozenset(("contrib-group", "xref", "fn", "aff"))


def person(name: etree._Element) -> Author:
    """A `name` or `string-name`; one without parts is read as a surname."""
    if len(name) == 2:  # nearly all names; takes half the time of the loop below
        first, second = name[0], name[1]
        if first.tag == "surname" and second.tag == "given-names":
            return Author(text_of(first), text_of(second))
    surname = given = ""
    for child in name:
        if child.tag == "surname":
            surname = text_of(child)
        elif child.tag == "given-names":
            given = text_of(child)
    return Author(surname, given) if surname else Author(text_of(name))


def group_author(collab: etree._Element) -> Author:
    """A group author: its own text, without the members some publishers nest inside."""
    pieces = [collab.text or ""]
    for child in collab:
        if child.tag not in _NOT_THE_NAME:
            pieces.append("".join(map(str, child.itertext())))
        pieces.append(child.tail or "")
    return Author(" ".join("".join(pieces).split()).strip(" ,;"), role="group")
