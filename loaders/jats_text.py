"""Blocks of running text in a JATS article, and the citation pointers that stand in them.

A block is what a reader takes as one piece of text: a paragraph, a heading, a row of a table.
Figures, lists and boxes hold blocks; the LaTeX source of formulas is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from citescape.loaders.markers import Anchor

_BLOCKS = frozenset(("p", "title", "attrib", "tr", "verse-line", "def", "term", "speech"))
_HOLDERS = frozenset(
    (
        "fig", "fig-group", "table-wrap", "table-wrap-group", "table-wrap-foot", "caption", "list",
        "list-item", "def-list", "def-item", "boxed-text", "disp-quote", "supplementary-material",
        "media", "table", "thead", "tbody", "tfoot", "fn", "fn-group", "alternatives", "statement",
        "disp-formula-group", "array", "chem-struct-wrap", "verse-group", "preformat",
    )
)  # fmt: skip
_LETTERED = re.compile(r"\W*\d+\s*([a-zA-Z])\W*")
_LEFT_OUT = frozenset(("tex-math", "annotation", "ref-list", "object-id", "permissions", "sec"))
_SPACED = frozenset(("td", "th", "p", "break", "title", "list-item"))


class Block:
    """One piece of text. `start` is its offset (characters) in the element it was read from."""

    __slots__ = ("anchors", "length", "pieces", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.pieces: list[str] = []
        self.length = 0
        self.anchors: list[Anchor] = []

    @property
    def text(self) -> str:
        """The block's text, line breaks as spaces; anchors' spans index it."""
        return "".join(self.pieces).replace("\n", " ")


class BlockReader:
    """Reads an element into blocks, noting pointers to references and what is lost.

    `targets` maps the ids of references to indices; a pointer is an `xref` whose `rid` is one of
    them, or whose `ref-type` is `bibr`.
    """

    def __init__(self, targets: Mapping[str, tuple[int, ...]]) -> None:
        self.blocks: list[Block] = []
        self.anchors = 0
        self.implied = 0
        self.lost: dict[str, int] = {}
        self._targets = targets
        self._offset = 0

    def read(self, element: etree._Element) -> list[Block]:
        """The blocks of one element that hold at least one pointer."""
        self.blocks, self._offset = [], 0
        block = self._open()
        self._walk(element, block, in_row=element.tag == "tr")
        return [b for b in self.blocks if b.anchors]

    def count(self, element: etree._Element) -> int:
        """Pointers anywhere below an element, one for each id they name."""
        rids = ((xref, (xref.get("rid") or "").split()) for xref in element.iter("xref"))
        return sum(max(len(ids), 1) for xref, ids in rids if self._cites(xref, ids))

    def lose(self, reason: str, count: int = 1) -> None:
        """Counts pointers that do not become occurrences."""
        self.lost[reason] = self.lost.get(reason, 0) + count

    def _open(self) -> Block:
        block = Block(self._offset)
        self.blocks.append(block)
        return block

    def _walk(self, element: etree._Element, block: Block, *, in_row: bool) -> None:
        self._add(block, element.text)
        for child in element:
            tag = child.tag
            if tag == "xref":
                self._pointer(child, block)
            elif tag in _LEFT_OUT:
                pass
            elif in_row:
                if tag in _SPACED:
                    self._add(block, " ")
                self._walk(child, block, in_row=True)
            elif tag in _BLOCKS or tag in _HOLDERS:
                self._walk(child, self._open(), in_row=tag == "tr")
            elif len(child):
                self._walk(child, block, in_row=False)
            else:
                self._add(block, " " if tag == "break" else child.text)
            self._add(block, child.tail)

    def _add(self, block: Block, text: str | None) -> None:
        if text:
            block.pieces.append(text)
            block.length += len(text)
            self._offset += len(text)

    def _pointer(self, xref: etree._Element, block: Block) -> None:
        rids = (xref.get("rid") or "").split()
        known = [rid for rid in rids if rid in self._targets]
        start = block.length
        if len(xref):
            self._walk(xref, block, in_row=True)
        else:
            self._add(block, xref.text)
        if not self._cites(xref, rids):
            return
        self.anchors += max(len(rids), 1)
        if not rids:
            self.lose("no-target")
        if len(known) < len(rids):
            self.lose("unknown-target", len(rids) - len(known))
        marker = "".join(block.pieces)[start:] if self._several(known) else ""
        works = [i for rid in known for i in self._works(rid, marker)]
        self.implied += len(works) - len(known)
        if works:
            block.anchors.append(Anchor(start, block.length, tuple(works)))

    def _cites(self, xref: etree._Element, rids: list[str]) -> bool:
        return xref.get("ref-type") == "bibr" or any(rid in self._targets for rid in rids)

    def _several(self, rids: list[str]) -> bool:
        return any(len(self._targets[rid]) > 1 for rid in rids)

    def _works(self, rid: str, marker: str) -> tuple[int, ...]:
        """The works behind an id; of an entry with several, the one whose letter is printed."""
        works = self._targets[rid]
        lettered = _LETTERED.fullmatch(marker) if len(works) > 1 else None
        if lettered is None:
            return works
        index = ord(lettered.group(1).lower()) - ord("a")
        return works[index : index + 1] or works
