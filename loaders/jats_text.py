"""Running text of a part of a JATS article, extracted at once and cut at marks.

Walking the tree in Python costs more than parsing it. Instead, marks are written into the tree
where sections, blocks and citation pointers begin and end, libxml2 joins all text, and the result
is split at the marks. A mark is a Unicode noncharacter, which `citescape.loaders.xml` removes from
the source; a letter after it is the kind of the mark. The tree cannot be used afterwards: read
everything else from it first.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from lxml import etree

MARK, POINTER, POINTER_END = "\ufdd0", "\ufdd1", "\ufdd2"
"""First character of every mark of a section or block; the marks around a pointer."""

SECTION, SECTION_END, BLOCK, HEADING, RESUME = "SEBHR"

# A block is a coherent piece of text, such as a paragraph. Holders contain blocks and perhaps text.
_BLOCKS = frozenset(
    (
        "p", "attrib", "tr", "verse-line", "def", "term", "speech", "fig", "table-wrap",
        "table-wrap-foot", "list-item", "boxed-text", "disp-quote", "supplementary-material",
        "media", "fn", "statement", "disp-formula-group", "array", "chem-struct-wrap", "preformat",
        "def-item", "caption",
    )
)  # fmt: skip
_HOLDERS = frozenset(
    (
        "fig-group", "table-wrap-group", "list", "def-list", "table", "thead", "tbody", "tfoot",
        "fn-group", "alternatives", "verse-group",
    )
)  # fmt: skip
HEADINGS = frozenset(("title", "label", "sec-meta", "subtitle"))
"""Parts of a section, or of the body, that are not its text."""
_LEFT_OUT = frozenset(("ref-list", "object-id", "permissions"))
_MARKED = (*_BLOCKS, *_HOLDERS, *HEADINGS, "sec", "xref")
_WORD = re.compile(r"[^\W\d_]{2}")
_INSIDE_ROWS = ("td", "th", "title", *_BLOCKS, *_HOLDERS)


class Marked(NamedTuple):
    """The text of a part with marks, and the elements of the marks, in their order."""

    text: str
    sections: list[tuple[str, str]]
    """Title and `sec-type`."""
    pointers: list[etree._Element]

    def pieces(self) -> Iterator[tuple[str, int, str]]:
        """Each mark with the text up to the next one; the first piece has no mark.

        The number is that of the block that continues after a `RESUME` mark; blocks are numbered
        from 0 in the order of their `BLOCK` and `HEADING` marks.
        """
        first, *rest = self.text.split(MARK)
        yield "", 0, first
        for piece in rest:
            if piece[0] != RESUME:
                yield piece[0], 0, piece[1:]
            else:
                number, _, text = piece[1:].partition(";")
                yield RESUME, int(number), text


def strip_pointers(text: str) -> str:
    """Text without the marks of pointers."""
    return text.replace(POINTER, "").replace(POINTER_END, "")


def raw_text_of(element: etree._Element) -> str:
    """All text of an element, with its white space."""
    return etree.tostring(element, encoding="unicode", method="text", with_tail=False)


def text_of(element: etree._Element | None) -> str:
    """All text of an element, white space collapsed."""
    if element is None:
        return ""
    text = raw_text_of(element) if len(element) else element.text or ""
    return text if text.isalnum() else " ".join(text.split())


def title_of(element: etree._Element | None) -> str:
    """The title of an article, without footnotes and their marks."""
    if element is None or not len(element):
        return text_of(element)
    return " ".join("".join(_title_pieces(element)).split())


def _title_pieces(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if not _is_note(child):
            yield from _title_pieces(child)
        yield child.tail or ""


def _is_note(element: etree._Element) -> bool:
    """Whether an element is a footnote, or a pointer that shows a mark (`*`, `1`, `a`) only."""
    if element.tag == "xref":
        return _WORD.search(raw_text_of(element)) is None
    return bool(element.tag == "fn")


def heading(part: etree._Element) -> str:
    """The title of a section or figure, white space collapsed; call it before `mark_text`."""
    for child in part:
        if child.tag == "title":
            return text_of(child)
    return ""


def mark_text(part: etree._Element, citing: Container[etree._Element]) -> Marked:
    """Marks sections, blocks and the `citing` `xref`s of a part; returns its text.

    Reference lists, permissions and object ids are left out. A row of a table is one block.
    """
    elements = list(part.iter(*_MARKED, *_LEFT_OUT))
    left_out = [element for element in elements if element.tag in _LEFT_OUT]
    if left_out:
        for element in left_out:
            element.clear(keep_tail=True)  # type: ignore[call-arg]  # lxml-stubs are behind
        elements = list(part.iter(*_MARKED))
    pointers = [e for e in elements if e in citing]
    inside_rows = _space_cells(pointers)
    sections: list[tuple[str, str]] = []
    blocks: dict[etree._Element, int] = {}
    for element in elements:
        tag = element.tag
        if tag == "xref":
            if element in citing:
                _enclose(element, POINTER, POINTER_END)
        elif tag == "sec":
            sections.append((heading(element), element.get("sec-type") or ""))
            _enclose(element, MARK + SECTION, MARK + SECTION_END)
        elif element not in inside_rows:
            _mark_block(element, part, blocks)
    return Marked(raw_text_of(part), sections, pointers)


def _space_cells(pointers: list[etree._Element]) -> set[etree._Element]:
    """Adds spaces between the cells of rows that cite; elements inside such rows are not blocks."""
    inside: set[etree._Element] = set()
    rows = dict.fromkeys(row for p in pointers for row in p.iterancestors("tr"))
    for row in rows:
        for element in row.iterdescendants(*_INSIDE_ROWS):
            if element not in inside:
                element.text = " " + (element.text or "")
                inside.add(element)
    return inside


def _enclose(element: etree._Element, start: str, end: str) -> None:
    text = element.text or ""
    if len(element):
        element.text = start + text
        element.tail = end + (element.tail or "")
    else:
        element.text = start + text + end


def _mark_block(
    element: etree._Element, part: etree._Element, blocks: dict[etree._Element, int]
) -> None:
    text, tag = element.text, element.tag
    if tag in _BLOCKS:
        mark = BLOCK
    elif tag in HEADINGS:
        mark = _heading_mark(element, part)
    else:
        mark = BLOCK if text and not text.isspace() else ""
    if mark:
        element.text = f"{MARK}{mark}{text or ''}"
        blocks[element] = len(blocks)
    tail = element.tail
    if tail and not tail.isspace() and (mark or tag not in HEADINGS):
        above = next((a for a in element.iterancestors() if a in blocks), None)
        if above is not None:
            element.tail = f"{MARK}{RESUME}{blocks[above]};{tail}"


def _heading_mark(element: etree._Element, part: etree._Element) -> str:
    """The mark of a title or label; the title of a caption is text, its label is not."""
    parent = element.getparent()
    if parent is part or (parent is not None and parent.tag == "sec"):
        return HEADING
    return BLOCK if element.tag == "title" else ""
