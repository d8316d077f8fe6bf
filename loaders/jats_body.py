"""Sections and in-text citations of a JATS article."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from citescape.loaders.jats_references import ReferenceList
from citescape.loaders.jats_text import Block, BlockReader
from citescape.loaders.markers import expand
from citescape.loaders.section_types import LEAD, UNTYPED, Typing, type_section
from citescape.loaders.sentences import sentences_at
from citescape.types import Losses, Occurrence, Section, SectionKind

_OPENING_WORDS = 40
_HEADINGS = frozenset(("title", "label", "sec-meta", "subtitle"))
_BACK_PARTS = {
    "ack": "Acknowledgements",
    "app": "Appendix",
    "notes": "Notes",
    "fn-group": "Footnotes",
    "glossary": "Glossary",
    "bio": "Biography",
}


@dataclass(slots=True)
class _Draft:
    """A section while its text is being read; `place` is the offset of its text in the body."""

    title: str
    kind: SectionKind
    depth: int
    parent: int | None
    sec_type: str
    typing: Typing
    words: int = 0
    opening: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Found:
    """A citation while the length of the whole body is not known yet."""

    section: int
    reference: int
    context: str
    marker: str
    offset: int | None


class BodyReader:
    """Reads the text of one article, part by part.

    Call `read_abstracts`, `read_body`, `read_back` in this order, then take `sections`,
    `occurrences` and `losses`.
    """

    def __init__(self, references: ReferenceList, *, contexts: bool = True) -> None:
        self._references = references
        self._contexts = contexts
        self._reader = BlockReader(references.targets)
        self._drafts: list[_Draft] = []
        self._found: list[_Found] = []
        self._body_length = 0

    def read_abstracts(self, article: etree._Element) -> None:
        """Citations inside abstracts, each abstract as a section of kind `abstract`."""
        for abstract in article.iterfind("front/article-meta/abstract"):
            if next(abstract.iter("xref"), None) is not None:
                index = self._add("Abstract", "abstract", None, UNTYPED)
                self._read_loose(abstract, index)

    def read_body(self, body: etree._Element) -> None:
        """The main text: paragraphs before the first heading, then every section in order."""
        loose = [child for child in body if child.tag != "sec"]
        if any(True for child in loose if child.tag not in _HEADINGS):
            has_headings = body.find("sec") is not None
            index = self._add("", "body", None, LEAD if has_headings else UNTYPED)
            self._read_content(loose, index, in_body=True)
        for sec in body.iterchildren("sec"):
            self._read_section(sec, None, "body")

    def read_back(self, article: etree._Element) -> None:
        """Back matter and floats outside the body; parts without text of their own are left out."""
        back = article.find("back")
        for part in back if back is not None else ():
            self._read_back_part(part)
        for floats in article.iterfind("floats-group"):
            index = self._add("Figures and tables", "float", None, UNTYPED)
            self._read_content(list(floats), index, in_body=False)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections read so far, in reading order."""
        return tuple(
            Section(
                title=d.title,
                kind=d.kind,
                depth=d.depth,
                parent=d.parent,
                sec_type=d.sec_type,
                words=d.words,
                opening=" ".join(d.opening),
                type=d.typing.type,
                type_source=d.typing.source,
                combined=d.typing.combined,
            )
            for d in self._drafts
        )

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """The citations read so far, in reading order."""
        length = max(self._body_length, 1)
        return tuple(
            Occurrence(
                section=f.section,
                reference=f.reference,
                context=f.context,
                marker=f.marker,
                position=None if f.offset is None else min(f.offset / length, 1.0),
            )
            for f in self._found
        )

    def losses(self, article: etree._Element) -> Losses:
        """The account of all pointers of the article, those outside its text included."""
        reader = self._reader
        nested = sum(
            reader.count(part) for part in article.iterchildren("sub-article", "response")
        )
        elsewhere = reader.count(article) - nested - reader.anchors
        lost = dict(reader.lost)
        for reason, count in (("sub-article", nested), ("outside-text", elsewhere)):
            if count:
                lost[reason] = count
        anchors = reader.anchors + reader.implied + nested + elsewhere
        return Losses(anchors=anchors, implied=reader.implied, lost=lost)

    def _add(self, title: str, kind: SectionKind, parent: int | None, typing: Typing) -> int:
        depth = 1 if parent is None else self._drafts[parent].depth + 1
        self._drafts.append(_Draft(title, kind, depth, parent, "", typing))
        return len(self._drafts) - 1

    def _read_section(self, sec: etree._Element, parent: int | None, kind: SectionKind) -> None:
        title_element = sec.find("title")
        title = "" if title_element is None else _heading(title_element)
        sec_type = sec.get("sec-type") or ""
        above = self._drafts[parent].typing if parent is not None else None
        typing = type_section(sec_type, title, above) if kind == "body" else UNTYPED
        index = self._add(title, kind, parent, typing)
        self._drafts[index].sec_type = sec_type
        content = [child for child in sec if child.tag != "sec"]
        self._read_content(content, index, in_body=kind == "body")
        for child in sec.iterchildren("sec"):
            self._read_section(child, index, kind)

    def _read_back_part(self, part: etree._Element) -> None:
        if part.tag in ("ref-list", "sub-article", "response"):
            return
        if part.tag == "app-group":
            for app in part:
                self._read_back_part(app)
        elif part.tag == "sec":
            self._read_section(part, None, "back")
        elif part.tag in ("title", "label"):
            return
        else:
            self._read_back_container(part)

    def _read_back_container(self, part: etree._Element) -> None:
        title = part.find("title")
        name = _heading(title) if title is not None else _BACK_PARTS.get(part.tag, "")
        index = self._add(name, "back", None, UNTYPED)
        self._read_loose(part, index)

    def _read_loose(self, part: etree._Element, index: int) -> None:
        """A container whose nested sections are read below it."""
        kind = self._drafts[index].kind
        self._read_content([c for c in part if c.tag != "sec"], index, in_body=False)
        for sec in part.iterchildren("sec"):
            self._read_section(sec, index, kind)

    def _read_content(
        self, elements: list[etree._Element], section: int, *, in_body: bool
    ) -> None:
        draft = self._drafts[section]
        for element in elements:
            heading = element.tag in _HEADINGS
            text = "" if heading else "".join(element.itertext())
            words = text.split()
            draft.words += len(words)
            if len(draft.opening) < _OPENING_WORDS:
                draft.opening += words[: _OPENING_WORDS - len(draft.opening)]
            if next(element.iter("xref"), None) is not None:
                self._read_citations(element, section, in_body=in_body)
            if in_body:
                self._body_length += len(text)
            for sec in _nested_sections(element):
                self._body_length -= len("".join(sec.itertext())) if in_body else 0
                self._read_section(sec, section, draft.kind)

    def _read_citations(self, element: etree._Element, section: int, *, in_body: bool) -> None:
        for block in self._reader.read(element):
            text = block.text
            meant = expand(text, block.anchors, self._references.numbering)
            self._reader.implied += meant.implied + meant.unclear
            if meant.unclear:
                self._reader.lose("range-unclear", meant.unclear)
            spans = [(p.start, p.end) for p in meant.pointers]
            contexts = self._contexts_of(text, block, spans)
            place = self._body_length + block.start
            for pointer, context in zip(meant.pointers, contexts, strict=True):
                marker = text[pointer.start : pointer.end].strip()
                offset = place + pointer.start if in_body else None
                self._found.append(_Found(section, pointer.reference, context, marker, offset))

    def _contexts_of(self, text: str, block: Block, spans: list[tuple[int, int]]) -> list[str]:
        if not self._contexts:
            return [""] * len(spans)
        by_span = dict.fromkeys((a.start, a.end) for a in block.anchors)
        sentences = sentences_at(text, list(by_span))
        known = dict(zip(by_span, sentences, strict=True))
        return [known[span] for span in spans]


def _heading(title: etree._Element) -> str:
    return " ".join("".join(title.itertext()).split())


def _nested_sections(element: etree._Element) -> Iterator[etree._Element]:
    """Sections inside boxes and the like (`boxed-text/sec`), outermost only."""
    if element.tag in ("p", "title", "label"):
        return
    for sec in element.iter("sec"):
        ancestors = sec.iterancestors()
        if next((a for a in ancestors if a is element or a.tag == "sec"), None) is element:
            yield sec
