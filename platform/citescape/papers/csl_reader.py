"""Reads bibliographies in JSON: CSL-JSON, and exports of Zotero (Better BibTeX, Web API)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from citescape.core.errors import SourceError
from citescape.loaders.record_values import to_list, to_mapping, to_text
from citescape.papers.references import ListedReference, make_reference, split_tags

_LISTS = ("items", "references")
"""Keys of objects that hold the list of entries."""
_NOT_ENTRIES = ("attachment", "note", "annotation")
"""Types of items of Zotero that are parts of others."""


def read_csl(text: str, file: str, notes: list[str]) -> list[ListedReference]:
    """The entries of a `.json` file, in its order; the number of an entry stands for its line.

    Args:
        text: content of the file.
        file: its name.
        notes: receives a line for each entry without title and identifier.

    Raises:
        SourceError: the file is not JSON.
    """
    try:
        found = orjson.loads(text)
    except ValueError as error:
        message = f"JSON breaks off or is damaged: {error}; export it again"
        raise SourceError(file, "broken-json", message) from None
    if isinstance(found, dict):
        found = next((found[key] for key in _LISTS if isinstance(found.get(key), list)), [found])
    entries = []
    for number, item in enumerate(found if isinstance(found, list) else [found], 1):
        entry = to_mapping(item)
        entry = to_mapping(entry.get("data")) or entry
        if entry.get("itemType") in _NOT_ENTRIES:
            continue
        fields = _fields(entry)
        if any(fields.values()):
            key = _first(entry, "citationKey", "citation-key", "id", "key") or str(number)
            read = make_reference(file, number, key, fields, _authors(entry))
            entries.append(read._replace(tags=_tags(entry)))
        else:
            notes.append(f"{file}, entry {number}: without title and identifier; left out")
    return entries


def looks_like_json(text: str) -> bool:
    """Whether a text is JSON with entries."""
    return text.lstrip()[:1] in ("[", "{") and '"title"' in text


def _fields(entry: Mapping[str, Any]) -> dict[str, str]:
    return {
        "title": to_text(entry.get("title")),
        "year": _year(entry),
        "doi": _first(entry, "DOI", "doi"),
        "pmid": _first(entry, "PMID"),
        "pmcid": _first(entry, "PMCID"),
        "url": _first(entry, "URL", "url"),
        "note": _first(entry, "note", "extra"),
    }


def _year(entry: Mapping[str, Any]) -> str:
    issued = entry.get("issued", entry.get("date"))
    if isinstance(issued, Mapping):
        parts = issued.get("date-parts")
        while isinstance(parts, list) and parts:
            parts = parts[0]
        return to_text(parts) or _first(issued, "literal", "raw")
    return to_text(issued)


def _authors(entry: Mapping[str, Any]) -> list[str]:
    """Names as `Surname, Given`; of Zotero's creators only authors, if there are any."""
    people = [
        to_mapping(person) for person in to_list(entry.get("author") or entry.get("creators"))
    ]
    authors = [person for person in people if person.get("creatorType", "author") == "author"]
    names = []
    for person in authors or people:
        surname = _first(person, "family", "lastName", "literal", "name")
        if surname:
            prefix = _first(person, "non-dropping-particle")
            names.append(f"{prefix} {surname}, {_first(person, 'given', 'firstName')}".strip())
    return names


def _tags(entry: Mapping[str, Any]) -> tuple[str, ...]:
    named = (
        to_text(tag.get("tag")) if isinstance(tag, dict) else to_text(tag)
        for tag in to_list(entry.get("tags"))
    )
    return tuple(dict.fromkeys([*filter(None, named), *split_tags(_first(entry, "keyword"))]))


def _first(entry: Mapping[str, Any], *names: str) -> str:
    return next(filter(None, (to_text(entry.get(name)) for name in names)), "")
