"""BibTeX, in UTF-8, for LaTeX with BibTeX or Biber."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import count
from urllib.parse import quote

from citescape.papers.entries import BibliographyEntry, Name

_TYPES = {
    "article": ("article", "journal"),
    "book": ("book", "series"),
    "chapter": ("incollection", "booktitle"),
    "conference": ("inproceedings", "booktitle"),
    "thesis": ("phdthesis", "school"),
    "other": ("misc", "howpublished"),
}
"""Kind -> type of entry, and its field for the venue."""
_ESCAPES = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_"},
        "\\": "{\\textbackslash}",
        "{": "{\\textbraceleft}",
        "}": "{\\textbraceright}",
        "~": "{\\textasciitilde}",
        "^": "{\\textasciicircum}",
    }
)
"""Braces must balance even after a backslash."""
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
"""Letters that are not composed of an ASCII one and an accent."""
_SMALL_WORDS = frozenset(
    (
        "an", "and", "are", "as", "at", "by", "can", "de", "der", "des", "die", "do", "does", "for",
        "from", "how", "in", "into", "is", "la", "le", "les", "of", "on", "or", "the", "to", "und",
        "using", "what", "when", "where", "which", "why", "with",
    )
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[-‐‑'’./+][^\W_]+)*")
"""Word of a title, without punctuation around it."""
_MIN_TITLE_CASE_WORDS = 3
"""Minimum number of words, all with a capital, for a title in title case."""


def write_bibtex(entries: Sequence[BibliographyEntry]) -> str:
    """The text of a `.bib` file, in the order of the entries.

    Keys are `surname2019word` in ASCII, with a, b, ... by ascending id for several works with the
    same key, so that the order does not matter. Braces protect capitals in titles.
    """
    keys = make_keys(entries)
    return "\n".join(_write(entry, keys[entry.id]) for entry in entries)


def escape_latex(text: str) -> str:
    """Text for LaTeX: every character with a meaning is printed as it is."""
    return text.translate(_ESCAPES)


def make_keys(entries: Sequence[BibliographyEntry]) -> dict[str, str]:
    """Id -> citation key: first surname, year, first content word of the title."""
    stems: dict[str, list[str]] = {}
    for id_, entry in sorted({entry.id: entry for entry in entries}.items()):
        stems.setdefault(_stem(entry), []).append(id_)
    keys = {ids[0]: stem for stem, ids in stems.items() if len(ids) == 1}
    taken = set(stems)
    for stem, ids in stems.items():
        free = (stem + end for end in _ends() if stem + end not in taken)
        if len(ids) > 1:
            keys |= dict(zip(ids, free, strict=False))
            taken |= {keys[id_] for id_ in ids}
    return keys


def _stem(entry: BibliographyEntry) -> str:
    surname = _ascii(entry.authors[0].surname or entry.authors[0].given) if entry.authors else ""
    words = [_ascii(word) for word in re.split(r"[\W_]+", entry.title)]
    word = next((word for word in words if len(word) > 1 and word not in _SMALL_WORDS), "")
    return f"{surname or 'anonymous'}{entry.year or ''}{word}"


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS)).lower()
    return "".join(sign for sign in plain if sign.isascii() and sign.isalnum())[:40]


def _ends() -> Iterator[str]:
    """a, b, ..., z, aa, ab, ..."""
    for number in count(1):
        end = ""
        while number:
            number, place = divmod(number - 1, 26)
            end = chr(ord("a") + place) + end
        yield end


def _write(entry: BibliographyEntry, key: str) -> str:
    form, place = _TYPES[entry.kind]
    fields = {
        "author": " and ".join(map(_name, entry.authors)),
        "title": _protect(entry.title),
        place: escape_latex(entry.venue),
        "year": str(entry.year or ""),
        "volume": escape_latex(entry.volume),
        "pages": escape_latex(entry.page),
        "doi": _verbatim(entry.doi),
        "url": _verbatim(entry.url),
        "note": escape_latex(entry.note),
        "keywords": escape_latex(", ".join(entry.keywords)),
    }
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
    return f"@{form}{{{key},\n{''.join(lines)}}}\n"


def _protect(title: str) -> str:
    """A title with braces around words whose capitals styles must not lower.

    These are capitals inside words, `DNA` and `mRNA`, and of names: of all words but the first,
    unless all words have one, as In a Title of This Style.
    """
    words = [word for word in _WORD.findall(title)[1:] if word.lower() not in _SMALL_WORDS]
    is_title_case = len(words) >= _MIN_TITLE_CASE_WORDS and not any(
        word[0].islower() for word in words
    )
    parts, done = list[str](), 0
    for start, end in (match.span() for match in _WORD.finditer(title)):
        free = is_title_case or not parts
        kept = title[start + free : end] != title[start + free : end].lower()
        word = escape_latex(title[start:end])
        parts += escape_latex(title[done:start]), f"{{{word}}}" if kept else word
        done = end
    return "".join((*parts, escape_latex(title[done:])))


def _name(name: Name) -> str:
    """`Surname, Given`; in braces if BibTeX would split it at a comma or `and`."""
    if name.group or not (name.surname and name.given):
        return f"{{{escape_latex(name.surname or name.given)}}}"
    return f"{_part(name.surname)}, {_part(name.given)}"


def _part(text: str) -> str:
    joined = "," in text or re.search(r"\band\b", text, re.IGNORECASE)
    return f"{{{escape_latex(text)}}}" if joined else escape_latex(text)


def _verbatim(text: str) -> str:
    """Addresses are not escaped; only characters that would unbalance the entry are encoded."""
    return re.sub(r"[{}\\\s]", lambda sign: quote(sign.group()), text)
