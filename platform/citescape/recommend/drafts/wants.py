"""An author's manuscript: the places where citations are wanted, and the sentences around them."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from citescape.core.errors import ConfigError, SourceError
from citescape.loaders.sentences import sentences_at
from citescape.recommend.drafts.citations import mark_citations, take_out
from citescape.recommend.drafts.latex import read_latex
from citescape.recommend.drafts.manuscript import Manuscript
from citescape.recommend.drafts.markdown import read_markdown
from citescape.recommend.drafts.marks import ANY, CITED, MARKERS, Marks

_LATEX = re.compile(
    r"\\(?:documentclass|(?:begin|title|input|include)\{|(?:sub)*section\b|[A-Za-z]*cite[a-z]*\b)"
)
_HTML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_KNOWN = {
    b"%PDF": ("a PDF file", "pdftotext"),
    b"PK\x03\x04": ("a compressed file, as of a word processor", "pandoc -t markdown"),
    b"\xd0\xcf\x11\xe0": ("a file of a word processor", "pandoc -t markdown"),
    b"{\\rtf": ("a file of a word processor", "pandoc -t markdown"),
}
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\ufeff]")
_LINE_END = re.compile(r"\r\n?|\x0c|\u2028|\u2029")
_LARGEST = 20_000_000
"""Bytes of a draft; a long thesis has one or two million."""


@dataclass(frozen=True)
class Want:
    """A sentence that wants a citation."""

    line: int
    """From 1, in `file`; of the first marker."""
    sentence: str
    """Around it; plain text without markers and other citations."""
    marker: str
    """As it is written; of several in one sentence each: `[?], [CITE]`."""
    section: str
    """The nearest heading above; empty if there is none."""
    file: str = ""
    """A file that the draft includes, below its folder; empty for the draft itself."""


@dataclass(frozen=True)
class Draft:
    """What a manuscript says and wants. There is at least one want."""

    title: str
    abstract: str
    wants: tuple[Want, ...]
    """In the order of the text."""
    notes: tuple[str, ...] = ()
    """What the author should know: files that were not read, markers that are left out."""


def read_draft(source: Path | str) -> Draft:
    r"""A manuscript in LaTeX, Markdown or plain text, from a file or as a text.

    Markers are those of `MARKERS`; in LaTeX also commands that cite nothing yet: `\cite{}`,
    `\cite{?}`, `\cite{TODO}`, of any name with `cite` in it, and `\todo{cite}`.

    Args:
        source: a file, or the text itself. Files that LaTeX includes are read if they are below
            the folder of the file.

    Raises:
        SourceError: the file is no text.
        ConfigError: there is no such file, the text is empty, or wants no citations.
    """
    name = str(source) if isinstance(source, Path) else "the draft"
    text = _read(source) if isinstance(source, Path) else source
    text = _normalise(text)
    if not text.strip():
        raise ConfigError(
            f"{name} is empty; expected a manuscript in LaTeX, Markdown or plain text"
        )
    if _HTML.match(text):
        raise ConfigError(
            f"{name} is a web page; expected LaTeX, Markdown or plain text: convert it, as by "
            "pandoc -f html -t markdown"
        )
    marks = Marks()
    manuscript = _parse(source, text, marks)
    wants = tuple(want for _, want in sorted(_wants(manuscript, marks)))
    if not wants:
        raise _nothing_wanted(name, marks)
    return Draft(manuscript.title, manuscript.abstract, wants, marks.told)


def _parse(source: Path | str, text: str, marks: Marks) -> Manuscript:
    path = source if isinstance(source, Path) else None
    kind = path.suffix.lower() if path else ""
    if kind in (".tex", ".ltx") or (kind not in (".md", ".markdown") and _LATEX.search(text)):
        folder = path.parent if path else None
        return read_latex(text, marks, folder=folder, read=lambda path: _normalise(_read(path)))
    return read_markdown(text, marks)


def _wants(manuscript: Manuscript, marks: Marks) -> Iterator[tuple[str, Want]]:
    """Each with its first character, which orders them: footnotes stand after their paragraph."""
    for section, passage in manuscript.passages:
        for sentence, characters in _sentences(passage).items():
            found = sorted(characters)
            first, written = marks.of(found[0]), ", ".join(marks.of(one).text for one in found)
            if any(map(str.isalpha, sentence)):
                yield found[0], Want(first.line, sentence, written, section, first.file)
            else:
                where = f"{first.file}, line {first.line}" if first.file else f"line {first.line}"
                marks.notes.append(f"{where}: no sentence around {written}; it is left out")


def _sentences(passage: str) -> dict[str, list[str]]:
    """The words of each sentence with markers -> the characters of these."""
    text = mark_citations(passage)
    places = list(ANY.finditer(text))
    around = sentences_at(text, [place.span() for place in places]).texts
    found: dict[str, list[str]] = {}
    for place, sentence in zip(places, around, strict=True):
        if place.group() != CITED:
            found.setdefault(take_out(sentence), []).append(place.group())
    return found


def _nothing_wanted(name: str, marks: Marks) -> ConfigError:
    notes = "".join(f"; {note}" for note in marks.told)
    return ConfigError(
        f"{name} wants no citation{notes}; expected a marker in a sentence where one is wanted: "
        f"{', '.join(MARKERS)}, in LaTeX also \\cite{{}}, \\cite{{?}}, \\cite{{TODO}} or "
        "\\todo{cite}"
    )


def _read(path: Path) -> str:
    """The text of a file: UTF-8, or UTF-16 with its mark."""
    try:
        if path.stat().st_size > _LARGEST:
            found = f"found {path.stat().st_size:,} bytes"
            raise SourceError(str(path), "too-long", f"{found}; expected at most {_LARGEST:,}")
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}; expected a file of text or LaTeX"
        ) from error
    for start, (what, tool) in _KNOWN.items():
        if data.startswith(start):
            raise SourceError(
                str(path), "not-text", f"found {what}; expected text: convert it, as by {tool}"
            )
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide and b"\x00" in data:
        raise SourceError(str(path), "not-text", "found bytes that are no text; expected UTF-8")
    return _decode(path, data, "utf-16" if wide else "utf-8-sig")


def _decode(path: Path, data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(
            str(path),
            "not-utf-8",
            f"line {line} is not {encoding.removesuffix('-sig').upper()}; save it as UTF-8, as by "
            "iconv -f LATIN1 -t UTF-8",
        ) from error


def _normalise(text: str) -> str:
    """Composed characters (NFC), line feeds as line ends, nothing that cannot be seen."""
    text = _LINE_END.sub("\n", text).encode("utf-8", "ignore").decode()
    return unicodedata.normalize("NFC", ANY.sub("", _UNSEEN.sub("", text)))
