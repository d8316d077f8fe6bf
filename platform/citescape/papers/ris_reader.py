"""Reads RIS, as reference managers and publishers write it."""

from __future__ import annotations

import re

from citescape.papers.references import ListedReference, make_reference

_LINE = re.compile(r"([A-Z][A-Z0-9])  ?- ?(.*)")
_NAMES = {
    "TI": "title",
    "T1": "title",
    "CT": "title",
    "PY": "year",
    "Y1": "year",
    "DA": "year",
    "DO": "doi",
    "UR": "url",
    "L2": "url",
    "N1": "note",
    "ID": "key",
    "AN": "accession",
    "DB": "database",
}
"""Tag -> name of the field; the first value of each counts."""
_AUTHORS = ("AU", "A1")
_TAGS = "KW"


def read_ris(text: str, file: str, notes: list[str]) -> list[ListedReference]:
    """The entries of a `.ris` file, in its order.

    Args:
        text: content of the file.
        file: its name.
        notes: receives a line for each entry that is cut off.
    """
    entries: list[ListedReference] = []
    fields: dict[str, str] = {}
    authors: list[str] = []
    begun, last = 0, ""

    def end_entry() -> None:
        if fields.get("database", "").lower() == "pubmed":
            fields.setdefault("pmid", fields.get("accession", ""))
        key = fields.get("key") or str(len(entries) + 1)
        entries.append(make_reference(file, begun, key, fields, authors))

    for number, line in enumerate(text.split("\n"), 1):
        tagged = _LINE.match(line)
        if not tagged:
            if begun and last == "title" and line.strip():  # a wrapped title
                fields["title"] += f" {line.strip()}"
            continue
        tag, value = tagged[1], tagged[2].strip()
        if tag in ("TY", "ER") and begun:
            if tag == "TY":
                notes.append(f"{file}, line {begun}: an entry has no end; expected a line ER  -")
            end_entry()
            begun = 0
        if tag == "TY":
            fields, authors, begun, last = {}, [], number, ""
        elif begun and tag in _AUTHORS:
            authors.append(value)
            last = ""
        elif begun and tag == _TAGS:
            fields["tags"] = f"{fields['tags']}\n{value}" if "tags" in fields else value
            last = ""
        elif begun:
            last = _NAMES.get(tag, "")
            if last and last not in fields:
                fields[last] = value
            elif last != "title":
                last = ""
    if begun:
        notes.append(f"{file}, line {begun}: an entry has no end; expected a line ER  -")
        end_entry()
    return entries


def looks_like_ris(text: str) -> bool:
    """Whether a text has an entry of RIS."""
    return re.search(r"^TY  ?- ", text, re.MULTILINE) is not None
