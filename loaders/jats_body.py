"""Reading order of a JATS article's text: abstracts, body, back matter, floats."""

from __future__ import annotations

from operator import itemgetter

from lxml import etree

from citescape.core.types import Occurrence, Section, SectionKind
from citescape.loaders.jats_citations import CitationReader
from citescape.loaders.jats_pointers import Pointers
from citescape.loaders.jats_sections import PartCutter, SectionDraft
from citescape.loaders.jats_text import HEADINGS, heading, mark_text, text_of
from citescape.loaders.markers import Numbering
from citescape.loaders.section_types import LEAD, UNTYPED

_BACK_PARTS = {
    "ack": "Acknowledgements",
    "app": "Appendix",
    "notes": "Notes",
    "fn-group": "Footnotes",
    "glossary": "Glossary",
    "bio": "Biography",
}


class BodyReader:
    """Reads the text of one article into sections and occurrences, in reading order.

    `pointers` counts losses. The tree of the article cannot be used afterwards.
    """

    def __init__(self, pointers: Pointers, numbering: Numbering, *, contexts: bool = True) -> None:
        self.occurrences: list[Occurrence] = []
        self._pointers = pointers
        self._citations = CitationReader(pointers, numbering, contexts=contexts)
        self._drafts: list[SectionDraft] = []

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections of what has been read."""
        return tuple([draft.finish() for draft in self._drafts])

    @property
    def cut_contexts(self) -> int:
        """Number of citations whose sentence is cut because of its length."""
        return self._citations.cut

    def read(self, article: etree._Element) -> BodyReader:
        """Reads abstracts, the main text, back matter, then floats outside the body."""
        # Abstracts that cite are sections of kind `abstract`.
        for abstract in article.iterfind("front/article-meta/abstract"):
            if any(xref in self._pointers.found for xref in abstract.iter("xref")):
                self._read_container(abstract, "Abstract", "abstract")
        # Text before the first heading is a section, then every section follows in order.
        for body in article.iterchildren("body"):
            first = next((child for child in body if child.tag not in HEADINGS), None)
            lead = None
            if first is not None and first.tag != "sec":
                typing = UNTYPED if body.find("sec") is None else LEAD
                self._drafts.append(SectionDraft("", "body", typing=typing))
                lead = len(self._drafts) - 1
            self._read_part(body, "body", loose=lead)
        for back in article.iterchildren("back"):
            for part in back:
                self._read_back_part(part)
        for floats in article.iterchildren("floats-group"):
            self._read_container(floats, "Figures and tables", "float")
        return self

    def _read_back_part(self, part: etree._Element) -> None:
        if part.tag in ("ref-list", "title", "label"):
            return
        if part.tag == "app-group":
            for app in part:
                self._read_back_part(app)
        elif part.tag == "sec":
            self._read_part(part, "back")
        else:
            title = heading(part) or _BACK_PARTS.get(str(part.tag), "")
            self._read_container(part, title, "back")

    def _read_container(self, part: etree._Element, title: str, kind: SectionKind) -> None:
        """Reads a part as a section; sections inside it are its children."""
        draft = SectionDraft(title, kind)
        self._drafts.append(draft)
        index = len(self._drafts) - 1
        if any(e.tag == "sec" or e in self._pointers.found for e in part.iter("sec", "xref")):
            self._read_part(part, kind, loose=index, parent=index)
        else:
            draft.text += [text_of(child) for child in part if child.tag not in HEADINGS]

    def _read_part(
        self,
        part: etree._Element,
        kind: SectionKind,
        *,
        loose: int | None = None,
        parent: int | None = None,
    ) -> None:
        """Reads one part. `loose` is the section of text outside the part's own sections."""
        marked = mark_text(part, self._pointers.found)
        cutter = PartCutter(self._drafts, kind, loose=loose, parent=parent)
        blocks = cutter.cut(marked)
        works = self._pointers.read(marked.pointers)
        citations = [c for block in blocks for c in self._citations.read(block, works)]
        citations.sort(key=itemgetter(0))
        length = max(cutter.length, 1)
        for start, section, reference, context, marker in citations:
            position = start / length if kind == "body" else None
            self.occurrences.append(Occurrence(section, reference, context, marker, position))
