"""Builds the tree that `article_text` reads from paragraphs with spans of citations.

Formats of JSON keep the text of a paragraph apart from its citations, which are pairs of offsets.
Offsets of real files may be texts, lie outside of the text, overlap, or contradict the text that is
printed beside them: nothing raises, and what is changed is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from lxml import etree

from citescape.loaders.json_values import readable
from citescape.loaders.section_numbers import SectionTree


class Pointer(NamedTuple):
    """A citation in a passage: its span, and the ids of the references that it names.

    Without ids it is counted as lost. A span that is unknown is None.
    """

    start: int | None
    end: int | None
    ids: tuple[str, ...] = ()
    printed: str = ""
    """Text of the span as the source repeats it; empty if it does not."""


class Passage(NamedTuple):
    """A text with its citations, such as a paragraph or a heading."""

    text: str
    pointers: tuple[Pointer, ...] = ()


class TextSection(NamedTuple):
    """A section and its own paragraphs, subsections not included."""

    title: Passage
    number: str
    """`2.1`; empty without one."""
    paragraphs: tuple[Passage, ...]
    depth: int = 1
    """Level, 1 at the top, where the number does not show it."""


@dataclass(frozen=True, slots=True)
class ArticleParts:
    """The text of an article; every part may be empty."""

    abstract: tuple[Passage, ...] = ()
    body: tuple[TextSection, ...] = ()
    back: tuple[TextSection, ...] = ()
    captions: tuple[Passage, ...] = ()
    footnotes: tuple[Passage, ...] = ()
    outside: tuple[Pointer, ...] = ()
    """Citations that are in none of these parts; they are counted as lost (`outside-text`)."""


class BuiltArticle(NamedTuple):
    """A tree for `read_article_text`, and its oddities by name."""

    article: etree._Element
    notes: dict[str, int]


def group_paragraphs(
    paragraphs: Iterable[tuple[str, str, Passage]],
) -> tuple[TextSection, ...]:
    """Consecutive paragraphs of one title and one number are a section.

    Args:
        paragraphs: title and number of the section of each paragraph, and the paragraph.
    """
    return tuple(
        TextSection(Passage(title), number, tuple(passage for *_, passage in section))
        for (title, number), section in groupby(paragraphs, key=lambda item: item[:2])
    )


def reference_key(id_: str) -> str:
    """An id of a reference as the tree holds it: letters and digits are kept."""
    return "".join(c if c.isalnum() else "_" for c in id_)


def build_article(parts: ArticleParts) -> BuiltArticle:
    """Builds the tree; sections become nested as their numbers or depths say.

    Paragraphs before the first heading are put before all sections. Keys of references are those
    of `reference_key`. These are counted as notes: `moved-pointers`, whose text is found at another
    place than the offsets say, `misplaced-pointers`, whose offsets are useless,
    `repeated-pointers`, which name a reference twice at the same text, and `overlapping-pointers`,
    of which the second one is cut.
    """
    notes: Counter[str] = Counter()
    article = etree.Element("article")
    meta = etree.SubElement(etree.SubElement(article, "front"), "article-meta")
    for pointer in parts.outside:
        _add_pointer(meta, pointer.ids)
    if parts.abstract:
        _add_passages(etree.SubElement(meta, "abstract"), parts.abstract, notes)
    _add_body(etree.SubElement(article, "body"), parts.body, notes)
    back = etree.SubElement(article, "back")
    for section in parts.back:
        back.append(_build_section(section, notes))
    if parts.footnotes:
        _add_passages(etree.SubElement(back, "fn-group"), parts.footnotes, notes, tag="fn")
    if parts.captions:
        floats = etree.SubElement(article, "floats-group")
        _add_passages(floats, parts.captions, notes, tag="fig")
    return BuiltArticle(article, dict(notes))


def _add_body(body: etree._Element, sections: Sequence[TextSection], notes: Counter[str]) -> None:
    first, rest = sections[:1], sections[1:]
    if first and not _is_shown(first[0].title) and not first[0].number:
        _add_passages(body, first[0].paragraphs, notes)
    else:
        rest = sections
    tree = SectionTree(body)
    for section in rest:
        tree.add(_build_section(section, notes), section.number, depth=section.depth)


def _build_section(section: TextSection, notes: Counter[str]) -> etree._Element:
    element = etree.Element("sec")
    if _is_shown(section.title):
        _fill(etree.SubElement(element, "title"), section.title, notes)
    _add_passages(element, section.paragraphs, notes)
    return element


def _is_shown(title: Passage) -> bool:
    return bool(title.text.strip() or title.pointers)


def _add_passages(
    parent: etree._Element, passages: Iterable[Passage], notes: Counter[str], tag: str = "p"
) -> None:
    for passage in passages:
        _fill(etree.SubElement(parent, tag), passage, notes)


def _fill(element: etree._Element, passage: Passage, notes: Counter[str]) -> None:
    """Writes a passage into an element without content."""
    done, before = 0, element
    for start, end, ids in _place_all(passage, notes):
        _add_text(element, before, passage.text[done:start])
        before = _add_pointer(element, ids, passage.text[start:end])
        done = end
    _add_text(element, before, passage.text[done:])


def _add_text(element: etree._Element, before: etree._Element, text: str) -> None:
    """Adds text at the end of an element, whose last child is `before`, or which has none."""
    if before is element:
        element.text = readable(text)
    else:
        before.tail = readable(text)


def _add_pointer(parent: etree._Element, ids: Iterable[str], text: str = "") -> etree._Element:
    xref = etree.SubElement(parent, "xref")
    xref.set("ref-type", "bibr")
    if rid := " ".join(filter(None, map(reference_key, ids))):
        xref.set("rid", rid)
    xref.text = readable(text)
    return xref


def _place_all(passage: Passage, notes: Counter[str]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Spans and ids in reading order; spans do not overlap, and one span has all of its ids."""
    merged: dict[tuple[int, int], tuple[str, ...]] = {}
    placed: list[tuple[int, int, tuple[str, ...]]] = []
    for pointer in passage.pointers:
        start, end = _place(passage.text, pointer, notes)
        if start == end:
            placed.append((start, end, tuple(dict.fromkeys(pointer.ids))))
        else:
            merged[start, end] = tuple(dict.fromkeys((*merged.get((start, end), ()), *pointer.ids)))
    placed += [(start, end, ids) for (start, end), ids in merged.items()]
    written = sum(max(len(pointer.ids), 1) for pointer in passage.pointers)
    notes["repeated-pointers"] += written - sum(max(len(ids), 1) for *_, ids in placed)
    placed.sort(key=lambda item: item[:2])
    done = 0
    for i, (start, end, ids) in enumerate(placed):
        notes["overlapping-pointers"] += start < done
        placed[i] = (max(start, done), max(end, done), ids)
        done = max(end, done)
    return placed


def _place(text: str, pointer: Pointer, notes: Counter[str]) -> tuple[int, int]:
    """The span of a pointer, within the text.

    The printed text counts if it is not at the offsets, but at another place. An empty span at the
    start that the source states, else at the end of the text, is all that is left of a span outside
    of the text.
    """
    start, end, _, printed = pointer
    if start is None or end is None or not 0 <= start <= end <= len(text):
        place = len(text) if start is None else min(max(start, 0), len(text))
        span = place, place
    elif printed in ("", text[start:end]):
        return start, end
    else:
        span = start, end
    found = _find_nearest(text, printed, span[0])
    notes["misplaced-pointers" if found is None else "moved-pointers"] += 1
    return span if found is None else (found, found + len(printed))


def _find_nearest(text: str, printed: str, place: int) -> int | None:
    """The start of the occurrence of a printed text that is nearest to a place."""
    if not printed.strip():
        return None
    found = (text.rfind(printed, 0, place + len(printed)), text.find(printed, place))
    return min((at for at in found if at >= 0), key=lambda at: abs(at - place), default=None)
