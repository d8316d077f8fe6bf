"""The text of unarXive: paragraphs with markers of citations, formulas, figures and tables.

unarXive keeps LaTeX without its macros, so labels of citations are lost. A citation becomes the
number of its entry in the reference list, in brackets: "as shown in {{cite:1a2b}}" becomes
"as shown in [3]". The list is in the order of the printed one, so this is the number that a
numbered style prints, and ranges (`[3]-[7]`) can be expanded.

A formula becomes the word `FORMULA`, with the punctuation that closes it, so that a sentence ends
where it should and an encoder reads one known word instead of LaTeX. Numbers and prose are kept:
in some files formulas and text are interchanged. An index or exponent behind a word is a part of
it ("WSe2"). Figures and tables are left out: their captions are elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from citescape.loaders.article_builder import Passage, Pointer, TextSection
from citescape.loaders.json_values import JsonRecord, as_object, as_objects, as_text
from citescape.loaders.section_numbers import section_number

FORMULA = "FORMULA"

_MARKER = re.compile(r"\{\{([a-z_]{1,20}):([^{}]{1,200})\}\}")
_IN_BRACKETS = re.compile(r"\[((?:\{\{cite:[^{}]{1,200}\}\}[\s,;–—-]*)+)\]")
"""Citations in brackets, which are replaced by those of the numbers."""
_LATEX = re.compile(r"[\\_^{}$&~]")
_NUMBER = re.compile(r"\s*[+-]?\s*[0-9][0-9.,\s]*%?\s*")
_PROSE = re.compile(r"[^\W\d_]{3}")
_SCRIPT = re.compile(r"[_^]\s*\{?\s*([0-9A-Za-z+-]{1,4})\s*\}?\s*")
_CLOSED = re.compile(
    r"(?<!\\)([.,;:!?])(?:\s|\\[,;:! ]|\\q?quad|\\\\|\\nonumber|\\end\{[^{}]{0,30}\}|[}&~])*\Z"
)
_END = 200
"""Characters at the end of a formula in which its punctuation is looked for."""
_NO_BLANK = " \t\n\u00a0([{-–—/~"
"""Characters that no blank goes behind."""
_EXTRA_BLANK = re.compile(r" (?=[\s.,;:!?)\]])")
"""unarXive writes a blank behind each formula."""
_BLANK_LINE = re.compile(r"\n\s*\n")
_DEPTHS = {"section": 1, "subsection": 2, "subsubsection": 3}

_Heading = tuple[str, str, int]
"""Title with markers, number as in the file, depth."""


class TextReader:
    """Replaces the markers of one paper.

    Args:
        numbers: number of each reference by id.
        entries: `ref_entries`, objects by id: formulas, figures and tables.
    """

    def __init__(self, numbers: Mapping[str, int], entries: JsonRecord) -> None:
        self._numbers = numbers
        self._entries = entries

    def read(self, text: object) -> Passage:
        """A text with its citations; one that names an unknown reference is `[?]`."""
        text = _IN_BRACKETS.sub(r"\1", text) if isinstance(text, str) else ""
        pieces: list[str] = []
        pointers: list[Pointer] = []
        length = done = 0
        last = ""
        for marker in _MARKER.finditer(text):
            kind, id_ = marker.groups()
            before = text[done : marker.start()]
            last = before[-1:] or last
            done = marker.end()
            if kind == "formula" and _EXTRA_BLANK.match(text, done):
                done += 1
            shown = self._show(kind, id_, attached=last not in _NO_BLANK)
            if shown.endswith((FORMULA, "]")) and text[done : done + 1].isalnum():
                shown += " "
            length += len(before)
            if kind == "cite":
                start, end = length + shown.index("["), length + shown.index("]") + 1
                pointers.append(Pointer(start, end, (id_,)))
            pieces += (before, shown)
            length += len(shown)
            last = shown[-1:] or last
        pieces.append(text[done:])
        return Passage("".join(pieces), tuple(pointers))

    def sections(self, paragraphs: object) -> tuple[TextSection, ...]:
        """The sections of the body, with their depths and completed numbers."""
        grouped = [
            (heading, [self.read(text) for item in items for text in _texts(item)])
            for heading, items in groupby(as_objects(paragraphs), key=_heading)
        ]
        numbers = complete_numbers([heading for heading, _ in grouped])
        return tuple(
            TextSection(self.read(title), number, tuple(passages), depth)
            for ((title, _, depth), passages), number in zip(grouped, numbers, strict=True)
        )

    def captions(self) -> Iterator[Passage]:
        """Captions of figures and tables."""
        for value in self._entries.values():
            entry = as_object(value)
            caption = as_text(entry.get("caption"))
            if entry.get("type") in ("figure", "table") and caption not in ("", "NO_CAPTION"):
                yield self.read(caption)

    def _show(self, kind: str, id_: str, *, attached: bool) -> str:
        """The text of a marker; `attached` if a word or punctuation is right before it."""
        if kind == "cite":
            return f"{' ' * attached}[{self._numbers.get(id_, '?')}]"
        if kind != "formula":
            return ""
        entry = self._entries.get(id_)
        latex = as_object(entry).get("latex")
        if not isinstance(latex, str):
            return f"{' ' * attached}{FORMULA}"
        script = _SCRIPT.fullmatch(latex) if attached else None
        if script:
            return script[1]
        shown = show_formula(latex)
        return f" {shown}" if attached and shown[:1].isalnum() else shown


def show_formula(latex: str) -> str:
    """`x^2 + 1 .` -> `FORMULA.`; a number and prose are kept."""
    if not _LATEX.search(latex):
        prose = _PROSE.search(latex) and " " in latex
        if prose or _NUMBER.fullmatch(latex):
            return latex
    closed = _CLOSED.search(latex[-_END:])
    return f"{FORMULA}{closed[1] if closed else ''}" if latex.strip() else ""


def complete_numbers(headings: Sequence[_Heading]) -> list[str]:
    """Numbers of sections, those of subsections with the number of their section (`5.1`).

    Some styles number subsections without it (`1`, or `A` in print). A section without text of its
    own is not in the file: a gap in the numbers of sections shows it, and the last subsections that
    begin again at `1` are those of the missing section.
    """
    numbers = [section_number(number) for _, number, _ in headings]
    tops = [i for i, (_, _, depth) in enumerate(headings) if depth == 1]
    for at, following in zip([-1, *tops], [*tops, len(headings)], strict=True):
        own = numbers[at] if at >= 0 else "0"
        upcoming = numbers[following] if following < len(headings) else ""
        below = [i for i in range(at + 1, following) if headings[i][2] == 2]
        first = max((i for i in below if numbers[i] == "1"), default=following)
        gap = own.isdecimal() and upcoming.isdecimal() and int(upcoming) > int(own) + 1
        for i in below:
            above = str(int(upcoming) - 1) if gap and i >= first else own
            if numbers[i].isdecimal():
                numbers[i] = f"{above}.{numbers[i]}" if above else ""
    return [
        "" if depth > 2 and "." not in number else number
        for number, (_, _, depth) in zip(numbers, headings, strict=True)
    ]


def _heading(paragraph: JsonRecord) -> _Heading:
    title = paragraph.get("section")
    title = title if isinstance(title, str) else ""
    kind = as_text(paragraph.get("sec_type"))
    depth = _DEPTHS.get(kind, 4 if title.strip() else 1)
    return title, as_text(paragraph.get("sec_number")), depth


def _texts(paragraph: JsonRecord) -> list[str]:
    """The text of a paragraph; the items of a list, which blank lines separate."""
    text = paragraph.get("text")
    if not isinstance(text, str):
        return []
    texts = _BLANK_LINE.split(text) if paragraph.get("content_type") == "list" else [text]
    return [part for part in texts if part.strip()]
