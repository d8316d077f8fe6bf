"""A draft: the places that need a citation, and the sentences around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from citescape.core.errors import ConfigError
from citescape.loaders.sentences import sentences_at
from citescape.papers.latex_source import find_in_folder, find_nothing
from citescape.papers.text_files import normalise_text, read_text_file
from citescape.recommend.drafts.citations import mark_citations, remove_citations
from citescape.recommend.drafts.latex import read_latex
from citescape.recommend.drafts.markdown import read_markdown
from citescape.recommend.drafts.marks import ANY, CITED, MARKERS, MarkedManuscript, Marks
from citescape.recommend.drafts.parts import split_places

_LATEX = re.compile(
    r"\\(?:documentclass|(?:begin|title|input|include)\{|(?:sub)*section\b|[A-Za-z]*cite[a-z]*\b)"
)
_HTML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_LARGEST = 20_000_000
"""Maximum number of bytes of a draft; a long thesis has one or two million."""


@dataclass(frozen=True)
class DraftPlace:
    """A place of a draft that needs a citation."""

    line: int
    """Line of the first marker in `file`, from 1."""
    sentence: str
    """The sentence around it, as plain text without markers and other citations."""
    marker: str
    """Marker as written; several markers side by side as `[?], [CITE]`."""
    section: str
    """The nearest heading above; empty without one."""
    file: str = ""
    """A file that the draft includes, below its folder; empty for the draft itself."""
    part: str = ""
    """The part of the sentence that this place belongs to, if other places of the sentence need a
    citation too; see `parts.SentencePart`."""


@dataclass(frozen=True)
class Draft:
    """Title, abstract and at least one marked place of a manuscript."""

    title: str
    abstract: str
    places: tuple[DraftPlace, ...]
    """Places in the order of the text."""
    notes: tuple[str, ...] = ()
    """Warnings for the author: files that were not read, markers that were skipped."""


def read_draft(source: Path | str) -> Draft:
    r"""A manuscript in LaTeX, Markdown or plain text, from a file or a string.

    Markers are those of `MARKERS`; in LaTeX also commands without a key: `\cite{}`, `\cite{?}`,
    `\cite{TODO}`, of any name with `cite` in it, and `\todo{cite}`.

    Args:
        source: a file, or the text itself. Files that LaTeX includes are read if they are below
            the folder of the file.

    Raises:
        SourceError: the file is not text.
        ConfigError: there is no such file, or the text is empty or has no marker.
    """
    name = str(source) if isinstance(source, Path) else "the draft"
    text = read_text_file(source, _LARGEST) if isinstance(source, Path) else source
    text = normalise_text(ANY.sub("", text))
    if not text.strip():
        raise ConfigError(
            f"{name} is empty; expected a manuscript in LaTeX, Markdown or plain text"
        )
    if _HTML.match(text):
        raise ConfigError(
            f"{name} is a web page; expected LaTeX, Markdown or plain text: convert it with "
            "pandoc -f html -t markdown"
        )
    path = source if isinstance(source, Path) else None
    kind = path.suffix.lower() if path else ""
    marks = Marks()
    if kind in (".tex", ".ltx") or (kind not in (".md", ".markdown") and _LATEX.search(text)):
        find = find_in_folder(path.parent, _read_included) if path else find_nothing
        manuscript = read_latex(text, marks, find=find)
    else:
        manuscript = read_markdown(text, marks)

    ordered = sorted(_find_places(manuscript, marks), key=itemgetter(0))
    places = tuple(place for _, place in ordered)
    if not places:
        notes = "".join(f"; {note}" for note in marks.all_notes)
        raise ConfigError(
            f"{name} has no marker{notes}; expected a marker in a sentence that needs a citation: "
            f"{', '.join(MARKERS)}, in LaTeX also \\cite{{}}, \\cite{{?}}, \\cite{{TODO}} or "
            "\\todo{cite}"
        )
    return Draft(manuscript.title, manuscript.abstract, places, marks.all_notes)


def _find_places(manuscript: MarkedManuscript, marks: Marks) -> Iterator[tuple[str, DraftPlace]]:
    """Places with their first character, which orders them: footnotes follow their paragraph."""
    for section, passage in manuscript.passages:
        for (sentence, part), characters in _find_sentences(passage).items():
            ordered = sorted(characters)
            first, written = marks.find(ordered[0]), ", ".join(marks.find(c).text for c in ordered)
            if any(map(str.isalpha, sentence)):
                place = DraftPlace(first.line, sentence, written, section, first.file, part)
                yield ordered[0], place
            else:
                where = f"{first.file}, line {first.line}" if first.file else f"line {first.line}"
                marks.notes.append(f"{where}: {written} is not in a sentence; skipped")


def _find_sentences(passage: str) -> dict[tuple[str, str], list[str]]:
    """Sentence and part of each marked place -> the characters of its markers."""
    text = mark_citations(passage)
    places = list(ANY.finditer(text))
    around = sentences_at(text, [place.span() for place in places]).texts
    marked = [text for place, text in zip(places, around, strict=True) if place.group() != CITED]
    sentences: dict[tuple[str, str], list[str]] = {}
    for sentence in dict.fromkeys(marked):
        plain = remove_citations(sentence)
        for part in split_places(sentence):
            sentences.setdefault((plain, part.text), []).extend(part.markers)
    return sentences


def _read_included(path: Path) -> str:
    return normalise_text(ANY.sub("", read_text_file(path, _LARGEST)))
