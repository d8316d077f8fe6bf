"""RIS, as EndNote, Zotero, Mendeley and others read it: one tag and value per line, CRLF, UTF-8."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.papers.entries import BibliographyEntry

_TYPES = {
    "article": "JOUR",
    "book": "BOOK",
    "chapter": "CHAP",
    "conference": "CPAPER",
    "thesis": "THES",
    "other": "GEN",
}
"""Kind -> type of reference."""


def write_ris(entries: Sequence[BibliographyEntry]) -> str:
    """The text of a `.ris` file, in the order of the entries."""
    return "\r\n".join(map(_write, entries))


def _write(entry: BibliographyEntry) -> str:
    fields = [
        *(("AU", str(name)) for name in entry.authors),
        ("TI", entry.title),
        ("PY", str(entry.year or "")),
        ("JO" if entry.kind == "article" else "T2", entry.venue),
        ("VL", entry.volume),
        ("SP", entry.page),
        ("DO", entry.doi),
        ("UR", entry.url),
        ("N1", entry.note),
        *(("KW", word) for word in entry.keywords),
    ]
    filled = [(tag, value) for tag, value in fields if value]
    lines = [("TY", _TYPES[entry.kind]), *filled, ("ER", "")]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in lines)
