"""The citations in blocks of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citescape.loaders.jats_pointers import Pointers
from citescape.loaders.jats_sections import Block
from citescape.loaders.jats_text import POINTER, POINTER_END, strip_pointers
from citescape.loaders.markers import Anchor, Numbering, expand
from citescape.loaders.sentences import sentences_at

Citation = tuple[int, int, int, str, str]
"""Offset of a citation in its part, section, reference, sentence, marker."""


_Place = tuple[int, int, int, int, int]
"""Number of a pointer, span in the block, section, offset in the part."""


class CitationReader:
    """Turns blocks into citations."""

    def __init__(self, pointers: Pointers, numbering: Numbering, *, contexts: bool) -> None:
        self._pointers = pointers
        self._numbering = numbering
        self._contexts = contexts
        self.cut = 0
        """Number of sentences that are cut because of their length."""

    def read(self, block: Block, works: Sequence[tuple[int, ...]]) -> Iterator[Citation]:
        """The citations of a block; `works` are the references of each pointer of its part."""
        text = strip_pointers("".join([text for text, *_ in block])).replace("\n", " ")
        places = [place for place in _places(block) if works[place[0]]]
        anchors = [Anchor(start, end, works[pointer]) for pointer, start, end, *_ in places]
        meant = expand(text, anchors, self._numbering)
        if meant.implied or meant.unclear:
            self._pointers.imply(meant.implied, meant.unclear)
        contexts = self._sentences(text, anchors)
        for i, reference in meant.pointers:
            _, start, end, section, offset = places[i]
            yield offset, section, reference, contexts[i], text[start:end].strip()

    def _sentences(self, text: str, anchors: Sequence[Anchor]) -> Sequence[str]:
        if not self._contexts:
            return [""] * len(anchors)
        contexts = sentences_at(text, [(a.start, a.end) for a in anchors])
        self.cut += contexts.cut
        return contexts.texts


def _places(block: Block) -> list[_Place]:
    places: list[_Place] = []
    length = 0
    for text, section, start, pointer in block:
        shift = start - length
        first, *rest = text.split(POINTER)
        length += len(first) - first.count(POINTER_END)
        for number, chunk in enumerate(rest, start=pointer):
            marker, _, after = chunk.partition(POINTER_END)
            end = length + len(marker)
            places.append((number, length, end, section, shift + length))
            length = end + len(after) - after.count(POINTER_END)
    return places
