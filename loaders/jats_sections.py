"""The sections of a JATS article, and the blocks of its text that contain citations."""

from __future__ import annotations

from dataclasses import dataclass, field

from citescape.core.types import Section, SectionKind
from citescape.loaders.jats_text import (
    BLOCK,
    HEADING,
    POINTER,
    SECTION,
    SECTION_END,
    Marked,
    strip_pointers,
)
from citescape.loaders.section_types import UNTYPED, Typing, type_section

_OPENING_WORDS = 40

Piece = tuple[str, int, int, int]
"""Text of a block between two marks, its section, its offset in the part, and the number of the
first pointer in it. Other blocks may interrupt a block."""

Block = list[Piece]


@dataclass(slots=True)
class SectionDraft:
    """A section while its text is being read."""

    title: str
    kind: SectionKind
    depth: int = 1
    parent: int | None = None
    sec_type: str = ""
    typing: Typing = UNTYPED
    text: list[str] = field(default_factory=list)

    def finish(self) -> Section:
        """The section with the number of its words."""
        text = " ".join(self.text)
        return Section(
            self.title,
            self.kind,
            self.depth,
            self.parent,
            self.sec_type,
            _count_words(text),
            " ".join(text.split(None, _OPENING_WORDS)[:_OPENING_WORDS]),
            self.typing.type,
            self.typing.source,
            self.typing.combined,
        )


class PartCutter:
    """Cuts the marked text of one part, and adds its sections to `drafts`.

    Args:
        drafts: sections of the article so far.
        kind: kind of the sections of the part.
        loose: index of the section for text outside the sections of the part.
        parent: index of the parent of the sections of the part.
    """

    def __init__(
        self,
        drafts: list[SectionDraft],
        kind: SectionKind,
        *,
        loose: int | None,
        parent: int | None,
    ) -> None:
        self.length = 0
        self._drafts = drafts
        self._kind = kind
        self._parent = parent
        self._inside = [loose]
        self._blocks: list[Block] = []
        self._block: Block = []
        self._citing: dict[int, Block] = {}
        self._pointers = 0

    def cut(self, marked: Marked) -> list[Block]:
        """The blocks that cite, by first pointer; sets `length` to the number of characters."""
        sections = iter(marked.sections)
        for mark, resumed, text in marked.pieces():
            if mark in (BLOCK, HEADING):
                self._block = []
                self._blocks.append(self._block)
            elif mark == SECTION:
                self._open(*next(sections))
            elif mark == SECTION_END:
                self._block = []
                self._inside.pop()
            elif mark:
                self._block = self._blocks[resumed]
            if text:
                self._take(text, mark == HEADING)
        return list(self._citing.values())

    def _open(self, title: str, sec_type: str) -> None:
        self._block = []
        parent = self._inside[-1] if len(self._inside) > 1 else self._parent
        if parent is None:
            self._inside[0] = None  # text after the first heading is not a lead
        above = None if parent is None else self._drafts[parent]
        draft = SectionDraft(title, self._kind, above.depth + 1 if above else 1, parent, sec_type)
        if self._kind == "body":
            draft.typing = type_section(sec_type, title, above.typing if above else None)
        self._inside.append(self._add(draft))

    def _take(self, text: str, heading: bool) -> None:
        blank = text.isspace()
        section = self._inside[-1]
        if section is None and not blank:
            section = self._inside[-1] = self._add(SectionDraft("", self._kind))
        if section is not None:
            self._block.append((text, section, self.length, self._pointers))
            if POINTER in text:
                self._citing[id(self._block)] = self._block
                self._pointers += text.count(POINTER)
                text = strip_pointers(text)
            if not heading and not blank:
                self._drafts[section].text.append(text)
        self.length += len(text)

    def _add(self, draft: SectionDraft) -> int:
        self._drafts.append(draft)
        return len(self._drafts) - 1


def _count_words(text: str) -> int:
    """Number of words between blanks; splits the text only if necessary, which is slow."""
    text = text.strip()
    if "\n" in text or "  " in text:
        return len(text.split())
    return text.count(" ") + 1 if text else 0
