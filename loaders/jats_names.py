"""People and groups, as JATS writes them on by-lines and in reference lists."""

from __future__ import annotations

from lxml import etree

from citescape.loaders.jats_text import text_of
from citescape.types import Author

_NOT_THE_NAME = frozenset(("contrib-group", "xref", "fn", "aff"))


def person(name: etree._Element) -> Author:
    """A `name` or `string-name`; one that is not split into parts is a surname as a whole."""
    if len(name) == 2 and name[0].tag == "surname" and name[1].tag == "given-names":
        return Author(text_of(name[0]), text_of(name[1]))  # nearly all, and twice as fast
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
