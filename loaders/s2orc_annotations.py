"""Full texts of the datasets API of Semantic Scholar: a text, and annotations that are spans of it.

`s2orc` (2023) has one text with everything, `s2orc_v2` one of the body and one of the bibliography.
Names of annotations are written `bibref` or `bib_ref`; a value is a list of spans or its JSON.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import orjson

from citescape.loaders.article_builder import ArticleParts, Passage, Pointer, TextSection
from citescape.loaders.json_values import JsonRecord, as_object, as_offset, as_text
from citescape.loaders.section_numbers import section_number

_MAIN = ("paragraph", "sectionheader", "bibref")
_BLOCKS = ("abstract", "sectionheader", "paragraph", "figure", "figurecaption", "table")
_BEFORE_BODY = ("title", "author", "authoraffiliation", "venue", "publisher", "abstract")


class Annotation(NamedTuple):
    """A span of a text."""

    start: int
    end: int
    attributes: JsonRecord


class AnnotatedText:
    """A text and its annotations, by name without `_`.

    `notes` counts what cannot be used: `broken-annotations` that are no list of objects,
    `bad-offsets`, and `missing-annotations`, for which the text is read without paragraphs,
    headings or citations.
    """

    def __init__(self, source: JsonRecord, notes: Counter[str]) -> None:
        text = source.get("text")
        self.text = text if isinstance(text, str) else ""
        self.unplaced: list[JsonRecord] = []
        """Attributes of citations without usable offsets."""
        self._notes = notes
        self._spans: dict[str, list[Annotation]] = {}
        for name, value in as_object(source.get("annotations")).items():
            known = str(name).lower().replace("_", "")
            if value is not None and known not in self._spans:
                self._spans[known] = self._read(known, value)

    def spans(self, name: str) -> list[Annotation]:
        """The annotations of a name, in the order of the text."""
        return self._spans.get(name, [])

    def text_of(self, span: Annotation) -> str:
        """The text of an annotation, white space collapsed."""
        return as_text(self.text[span.start : span.end])

    def inside(self, name: str, outer: Annotation) -> list[Annotation]:
        """The annotations of a name within another one."""
        spans = self.spans(name)
        first = bisect_left(spans, outer.start, key=lambda span: span.start)
        last = bisect_right(spans, outer.end, key=lambda span: span.start)
        return [span for span in spans[first:last] if span.end <= outer.end]

    def people(self, name: str, spans: Iterable[Annotation]) -> Iterator[JsonRecord]:
        """First and last name in each span, if they are annotated; otherwise its first line.

        Args:
            name: `author` or `bibauthor`; the parts are `authorfirstname`, `authorlastname`.
            spans: spans of people, perhaps with their affiliation.
        """
        for span in spans:
            parts = [
                [self.text_of(part) for part in self.inside(f"{name}{part_name}", span)]
                for part_name in ("firstname", "lastname")
            ]
            affiliations = self.inside(f"{name}affiliation", span)
            end = affiliations[0].start if affiliations else span.end
            lines = self.text[span.start : end].strip().splitlines()
            if any(parts):
                yield {"first": parts[0], "last": " ".join(parts[1])}
            elif lines:
                yield {"name": lines[0]}

    def _read(self, name: str, value: object) -> list[Annotation]:
        if isinstance(value, str):
            try:
                value = orjson.loads(value)
            except ValueError:
                value = False
        if value is None:
            return []
        if not isinstance(value, list):
            self._notes["broken-annotations"] += 1
            return []
        spans: list[Annotation] = []
        for item in value:
            parts = as_object(item)
            start, end = as_offset(parts.get("start")), as_offset(parts.get("end"))
            attributes = as_object(parts.get("attributes"))
            if start is None or end is None or not 0 <= start <= end <= len(self.text):
                self._notes["bad-offsets"] += 1
                if name == "bibref":
                    self.unplaced.append(attributes)
            else:
                spans.append(Annotation(start, end, attributes))
        return sorted(spans, key=lambda span: span[:2])


class _Block(NamedTuple):
    """A part of the text that is read; `kind` is the name of its annotation."""

    kind: str
    span: Annotation


def build_parts(source: AnnotatedText, notes: Counter[str]) -> ArticleParts:
    """The abstract, the sections, and figures and tables.

    A section is a heading with the paragraphs up to the next one. A heading without paragraphs is
    kept if sections are below it; the rest belong to figures.
    """
    blocks = _blocks(source, notes)
    starts = [block.span.start for block in blocks]
    citations: list[list[Pointer]] = [[] for _ in blocks]
    outside = [Pointer(None, None, cited_ids(a)) for a in source.unplaced]
    for start, end, attributes in source.spans("bibref"):
        at = bisect_right(starts, start) - 1
        if at >= 0 and start < blocks[at].span.end:
            first, last, _ = blocks[at].span
            span = start - first, min(end, last) - first
            citations[at].append(Pointer(*span, cited_ids(attributes)))
        else:
            outside.append(Pointer(None, None, cited_ids(attributes)))
    read = [
        (block, Passage(source.text[block.span.start : block.span.end], tuple(cited)))
        for block, cited in zip(blocks, citations, strict=True)
    ]
    sections, left_out = _sections(read)
    floats = ("figure", "figurecaption", "table")
    return ArticleParts(
        abstract=tuple(passage for block, passage in read if block.kind == "abstract"),
        body=sections,
        captions=tuple(passage for block, passage in read if block.kind in floats),
        outside=(*outside, *left_out),
    )


def cited_ids(attributes: JsonRecord) -> tuple[str, ...]:
    """The id of the cited entry; if there is none, one made of the matched paper."""
    id_, matched = as_text(attributes.get("ref_id")), as_text(attributes.get("matched_paper_id"))
    if not id_ and matched:
        id_ = f"S2:{matched}"
    return (id_,) if id_ else ()


def _blocks(source: AnnotatedText, notes: Counter[str]) -> list[_Block]:
    """Parts that are read, in order; one that begins inside another one is a part of it."""
    found = [_Block(kind, span) for kind in _BLOCKS for span in source.spans(kind)]
    for name in _MAIN if source.text.strip() else ():
        notes["missing-annotations"] += not source.spans(name)
    if not source.spans("paragraph"):
        found += _gaps(source)
    found.sort(key=lambda block: (block.span.start, -block.span.end))
    blocks: list[_Block] = []
    done = 0
    for block in found:
        if block.span.start >= done and block.span.start < block.span.end:
            blocks.append(block)
            done = block.span.end
    return blocks


def _gaps(source: AnnotatedText) -> Iterator[_Block]:
    """The text between headings, behind the front matter and before the bibliography."""
    start = max((s.end for name in _BEFORE_BODY for s in source.spans(name)), default=0)
    entries = (span.start for span in source.spans("bibentry") if span.start >= start)
    end = min(entries, default=len(source.text))
    for header in source.spans("sectionheader"):
        if start <= header.start < end:
            yield from _lines(source.text, start, header.start)
            start = header.end
    yield from _lines(source.text, start, end)


def _lines(text: str, start: int, end: int) -> Iterator[_Block]:
    for line in text[start:end].splitlines(keepends=True):
        if not line.isspace():
            yield _Block("paragraph", Annotation(start, start + len(line), {}))
        start += len(line)


def _sections(
    read: list[tuple[_Block, Passage]],
) -> tuple[tuple[TextSection, ...], list[Pointer]]:
    """The sections of the body, and the citations in headings that are left out."""
    sections: list[TextSection] = []
    for block, passage in read:
        if block.kind == "sectionheader":
            number = section_number(as_text(block.span.attributes.get("n")))
            sections.append(TextSection(passage, number, ()))
        elif block.kind == "paragraph":
            last = sections.pop() if sections else TextSection(Passage(""), "", ())
            sections.append(last._replace(paragraphs=(*last.paragraphs, passage)))
    kept: list[TextSection] = []
    left_out: list[Pointer] = []
    below: set[str] = set()
    for section in reversed(sections):
        number = section.number
        if section.paragraphs or number in below:
            kept.append(section)
            parts = number.split(".")
            below.update(".".join(parts[:i]) for i in range(1, len(parts)))
        else:
            left_out += section.title.pointers
    return tuple(reversed(kept)), left_out
