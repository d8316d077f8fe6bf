"""Reads BibTeX as people have it: any order of fields, `@string`, entries that are cut off."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from citescape.papers.latex_text import to_plain
from citescape.papers.references import ListedReference, make_reference, split_authors

_START = re.compile(r"(?:^|(?<=[})]))[ \t]*@[ \t]*([A-Za-z]+)\s*([{(])", re.MULTILINE)
"""An entry: at the start of a line, or after the end of another."""
_KEY = re.compile(r"\s*([^\s,={}()\"#%]*)\s*(?:,|(?=[})])|\Z)")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w:.+/-]*)\s*=\s*")
_WHOLE = re.compile(
    r"[\s,]*+([A-Za-z][\w:.+/-]*+)\s*+=\s*+"
    r"(?:\{([^{}]*+(?:\{[^{}]*+\}[^{}]*+)*)\}|([0-9]++))\s*+(?=[,}])"
)
"""A field as programs write it: a number, or text in braces with at most one level inside."""
_NEXT = re.compile(r",\s*(?=[A-Za-z][\w:.+/-]*\s*=)")
_CLOSED = re.compile(r"[})]")
_END = re.compile(r"[\s,]*[})]")
_BRACE = re.compile(r"[{}]")
_QUOTE = re.compile(r'[{}"]')
_WORD = re.compile(r"[^\s,#{}\"()]+")
_JOIN = re.compile(r"\s*#\s*")
_BRACES = str.maketrans("", "", "{}")
_NAMES = {
    **{name: name for name in ("title", "year", "doi", "pmid", "pmcid", "url", "note", "author")},
    "date": "year",
    "editor": "editor",
    "eprint": "eprint",
    "eprinttype": "eprinttype",
    "pubmed": "pmid",
    "pmc": "pmcid",
    "howpublished": "url",
    "keywords": "tags",
    "keyword": "tags",
}
"""Field of an entry -> its name here; others are skipped."""
_VERBATIM = ("doi", "url")
_NOT_ENTRIES = frozenset(("comment", "preamble", "string"))
LONGEST_VALUE = 10_000
"""Characters of a value of `@string`, and of a value that `#` joins."""
MOST_EXPANDED = 10_000_000
"""Characters that the names of `@string` in a file may stand for, all uses together."""


@dataclass
class _Macros:
    """Values of `@string`: a few lines that use each other could stand for gigabytes."""

    values: dict[str, str] = field(default_factory=dict)
    left: int = MOST_EXPANDED
    is_cut: bool = False

    def expand(self, name: str) -> str:
        """The value of a name; the name itself without one, and when too much is expanded."""
        value = self.values.get(name.lower(), name)
        if len(value) > self.left:
            self.is_cut = True
            return name
        self.left -= len(value)
        return value

    def cut(self, value: str) -> str:
        """A value with at most `LONGEST_VALUE` characters."""
        self.is_cut |= len(value) > LONGEST_VALUE
        return value[:LONGEST_VALUE]


def read_bibtex(text: str, file: str, notes: list[str]) -> list[ListedReference]:
    """The entries of a `.bib` file, in its order; the time is linear in its length.

    Args:
        text: content of the file.
        file: its name.
        notes: receives a line for each entry that is cut off or has no key, and one if values of
            `@string` are too long.
    """
    macros = _Macros()
    entries = []
    line, counted = 1, 0
    starts = [*_START.finditer(text)]
    ends = (*(start.start() for start in starts[1:]), len(text))
    for start, end in zip(starts, ends, strict=False):
        line += text.count("\n", counted, start.start())
        counted = start.start()
        kind = start[1].lower()
        if kind == "string":
            fields, _ = _read_fields(text, start.end(), end, macros, every=True)
            macros.values |= {
                name: macros.cut(" ".join(value.split())) for name, value in fields.items()
            }
        if kind in _NOT_ENTRIES:
            continue
        key = _KEY.match(text, start.end(), end)
        if key is None or not key[1]:
            notes.append(f"{file}, line {line}: found an entry without a key; read without one")
        fields, closed = _read_fields(text, key.end() if key else start.end(), end, macros)
        name = key[1] if key else ""
        if not closed:
            notes.append(
                f"{file}, line {line}: {name or 'an entry'} has no end; expected a closing brace"
            )
        entries.append(_make(file, line, name, fields))
    if macros.is_cut:
        notes.append(
            f"{file}: found too long values of @string, or joined by #; expected at most "
            f"{LONGEST_VALUE:,} characters each and {MOST_EXPANDED:,} in all; the rest is left out"
        )
    return entries


def _make(file: str, line: int, key: str, fields: Mapping[str, str]) -> ListedReference:
    plain = {
        name: _unescape(value) if name in _VERBATIM else _clean(value)
        for name, value in fields.items()
        if name not in ("author", "editor")
    }
    if plain.get("eprinttype", "").lower() in ("pubmed", "pmid"):
        plain.setdefault("pmid", plain.get("eprint", ""))
    authors = fields.get("author") or fields.get("editor") or ""
    first = split_authors(authors)[:1]
    if first and first[0].startswith("{"):  # a group is one name
        return make_reference(file, line, key, plain, [_clean(first[0]) + ","])
    return make_reference(file, line, key, plain, map(_clean, first))


def _read_fields(
    text: str, place: int, end: int, macros: _Macros, *, every: bool = False
) -> tuple[dict[str, str], bool]:
    """The fields of an entry, and whether it is closed.

    Args:
        text: content of the file.
        place: where the fields begin.
        end: where the next entry begins.
        macros: values of `@string`.
        every: keep fields of all names.
    """
    fields: dict[str, str] = {}
    while True:
        if usual := _WHOLE.match(text, place, end):
            kept = usual[1].lower() if every else _NAMES.get(usual[1].lower())
            if kept:
                fields.setdefault(kept, usual[2] or usual[3] or "")
            place = usual.end()
            continue
        name = _FIELD.match(text, place, end)
        if name is None and not _END.match(text, place, end):  # skip what is no field
            skipped = _NEXT.search(text, place, end)
            name = _FIELD.match(text, skipped.end(), end) if skipped else None
        if name is None:
            break
        parts = []
        place = name.end()
        while True:
            value, place, whole = _read_value(text, place, end, macros)
            parts.append(value)
            joined = _JOIN.match(text, place, end)
            if not whole or not joined:
                break
            place = joined.end()
        kept = name[1].lower() if every else _NAMES.get(name[1].lower())
        if kept:
            fields.setdefault(kept, macros.cut("".join(parts)) if len(parts) > 1 else parts[0])
        if not whole:
            return fields, False
    return fields, _CLOSED.search(text, place, end) is not None


def _read_value(text: str, place: int, end: int, macros: _Macros) -> tuple[str, int, bool]:
    """A value, where it ends, and whether it is whole."""
    sign = text[place : place + 1] if place < end else ""
    if sign in ("{", '"'):
        depth = 0
        for match in (_BRACE if sign == "{" else _QUOTE).finditer(text, place, end):
            if match.start() == place and sign == '"':
                continue
            depth += (match.group() == "{") - (match.group() == "}")
            closes = match.group() == ("}" if sign == "{" else '"')
            if closes and depth <= 0:
                return text[place + 1 : match.start()], match.end(), True
        return text[place + 1 : end].partition("\n")[0], end, False
    word = _WORD.match(text, place, end)
    if word is None:
        return "", place, True
    return macros.expand(word.group()), word.end(), True


def _clean(text: str) -> str:
    """A value as plain text."""
    if "\\" in text or "$" in text:
        return to_plain(text)
    return " ".join(text.translate(_BRACES).replace("~", " ").split())


def _unescape(text: str) -> str:
    return text.replace("\\", "").translate(_BRACES).strip()


def looks_like_bibtex(text: str) -> bool:
    """Whether a text has an entry of BibTeX."""
    return _START.search(text) is not None
