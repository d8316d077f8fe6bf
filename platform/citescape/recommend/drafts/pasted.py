"""Cleans pasted contexts and titles before they are encoded."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import NamedTuple

from citescape.core.errors import ConfigError
from citescape.loaders.sentences import sentences_at
from citescape.recommend.drafts.citations import mark_citations, remove_citations, remove_marks
from citescape.recommend.drafts.latex import resolve_commands
from citescape.recommend.drafts.markdown import replace_markers
from citescape.recommend.drafts.marks import ANY, MARK, Marks
from citescape.recommend.drafts.parts import split_places

LONGEST = 2000
"""Maximum characters of a context, as in the graph."""
AROUND = 600
"""Maximum characters around a marker: encoders read the first 128 tokens, and a marker may come
after them."""
_INVISIBLE = re.compile("[\xad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_HTML = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)"
    r"|</[a-z][\w:-]{0,30}\s*>|<[a-z][\w:-]{0,30}(?:\s[^<>=]{0,99}=[^<>]{0,500})?\s*/?>",
    re.DOTALL | re.IGNORECASE,
)
_INSIDE = re.compile(r"</?su[bp]>", re.IGNORECASE)
"""Tags inside words: CO<sub>2</sub>."""
_LATEX = re.compile(r"\\(?:[A-Za-z]+|[\"'`^~=.%&_])")
_PLACE = re.compile(rf"\[{MARK.pattern}\]")
_PER_CENT = re.compile(r"(?<!\\)%")


class CleanedContext(NamedTuple):
    """A cleaned context."""

    text: str
    """The context on one line, with at least one letter."""
    note: str
    """Note for the user; may be empty."""


def clean_context(text: str) -> CleanedContext:
    """A context as plain text: composed (NFC), no control characters, HTML, markers, citations.

    LaTeX commands are resolved; `%` does not begin a comment. Long contexts are cut to `AROUND`
    characters around the first marker, or to the first `LONGEST` without a marker; words are not
    cut.

    Raises:
        ConfigError: no letter is left.
    """
    marked = _mark(_unwrap(text))
    plain = remove_citations(marked)
    if not any(map(str.isalpha, plain)):
        found = f"only {text.strip()[:40]!r}" if text.strip() else "nothing"
        raise ConfigError(
            f"the context has no words: found {found}; expected the sentence that needs a citation"
        )
    mark = _PLACE.search(marked)
    if len(plain) <= (AROUND if mark else LONGEST):
        return CleanedContext(plain, "")
    part = _first_words(plain, LONGEST)
    if mark:
        before = remove_citations(marked[max(mark.start() - LONGEST, 0) : mark.start()])[::-1]
        after = remove_citations(marked[mark.end() : mark.end() + LONGEST])
        right = _first_words(after, max(AROUND // 2, AROUND - len(before) - 1))
        left = _first_words(before, AROUND - len(right) - 1)[::-1]
        part = f"{left} {right}".strip()
    read = f"{len(part):,} around its marker" if mark else f"the first {len(part):,}"
    note = f"the context has {len(plain):,} characters; {read} are read"
    return CleanedContext(part, note)


def clean_title(text: str) -> str:
    """A title or an abstract as plain text, empty without letters and digits.

    Citations stay: they may be part of a title, as in `Reply to Smith (2001)`, `G(2)/M`.
    """
    text = _unwrap(text)
    plain = remove_marks(_resolve(text) if _LATEX.search(text) else text)
    return plain if any(map(str.isalnum, plain)) else ""


def clean_part(text: str) -> str:
    """A part of a sentence as plain text, empty without letters."""
    plain = remove_citations(_mark(_unwrap(text)))
    return _first_words(plain, LONGEST) if any(map(str.isalpha, plain)) else ""


class MarkedContext(NamedTuple):
    """A place of a text that needs a citation."""

    text: str
    """Its sentence, or the whole text if other sentences have no place."""
    part: str
    """Its part of the sentence, see `parts.SentencePart`."""


def split_context(text: str) -> list[MarkedContext]:
    """The places of a text in the sentences with markers; the whole text without a marker."""
    marked = _mark(_unwrap(text))
    sentences = sentences_at(marked, [place.span() for place in _PLACE.finditer(marked)]).texts
    plain = {sentence: remove_citations(sentence) for sentence in sentences}
    worded = {mark: words for mark, words in plain.items() if any(map(str.isalpha, words))}
    places = [
        MarkedContext(words if len(worded) > 1 else text, part.text)
        for sentence, words in worded.items()
        for part in split_places(mark_citations(sentence))
    ]
    return list(dict.fromkeys(places)) or [MarkedContext(text, "")]


def _unwrap(text: str) -> str:
    text = html.unescape(_HTML.sub(" ", _INSIDE.sub("", ANY.sub("", text))))
    text = _INVISIBLE.sub("", _CONTROL.sub(" ", text)).encode("utf-8", "ignore").decode()
    return unicodedata.normalize("NFC", text)


def _mark(text: str) -> str:
    """The text with a character for each marker."""
    return _resolve(text) if _LATEX.search(text) else replace_markers(text, Marks())


def _resolve(text: str) -> str:
    return resolve_commands(_PER_CENT.sub(r"\\%", text), Marks())


def _first_words(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return text[: most + 1].rpartition(" ")[0] or text[:most]
