"""References of S2ORC: `bib_entries` of all its releases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from citescape.core.identifiers import (
    arxiv_in_text,
    doi_of_arxiv,
    normalise_corpus_id,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    normalise_year,
)
from citescape.core.types import Author, Identifiers, Reference
from citescape.loaders.article_builder import reference_key
from citescape.loaders.jats_references import ReferenceList
from citescape.loaders.json_values import JsonRecord, as_object, as_objects, as_text, as_texts
from citescape.loaders.markers import Numbering
from citescape.loaders.table_rows import read_names

_ET_AL = re.compile(r"\bet\s+al\b", re.IGNORECASE)
_RANK = re.compile(r"(?:BIBREF|b)([0-9]{1,5})")
_PAGES = re.compile(r"\s*(?:-+|[–—])\s*")
_NAMES = {
    "doi": "doi",
    "pmid": "pmid",
    "pubmed": "pmid",
    "pubmed_id": "pmid",
    "pmcid": "pmcid",
    "pmc": "pmcid",
    "pmc_id": "pmcid",
    "pubmedcentral": "pmcid",
    "arxiv": "arxiv",
    "arxiv_id": "arxiv",
}
"""Name of an id in any release, in lower case -> its kind."""


def collect_entries(entries: object) -> list[tuple[str, JsonRecord]]:
    """Id and object of each entry of `bib_entries`; in a list, an entry names its id itself."""
    if isinstance(entries, Mapping):
        return [(as_text(id_), as_object(entry)) for id_, entry in entries.items()]
    listed = as_objects(entries)
    return [(as_text(entry.get("ref_id") or entry.get("id")), entry) for entry in listed]


def list_references(entries: Iterable[tuple[str, JsonRecord]]) -> ReferenceList:
    """The reference list of entries with their ids.

    The number of `BIBREF6` and `b6` is 7, also if `BIBREF5` is missing. Other entries have their
    rank.
    """
    references: list[Reference] = []
    targets: dict[str, tuple[int, ...]] = {}
    numbers: list[int | None] = []
    for rank, (id_, entry) in enumerate(entries, start=1):
        id_ = id_ or f"ref-{rank}"
        found = _RANK.fullmatch(id_)
        targets.setdefault(reference_key(id_), (len(references),))
        numbers.append(int(found[1]) + 1 if found else rank)
        references.append(_reference(id_, entry))
    return ReferenceList(tuple(references), targets, Numbering(tuple(numbers)))


def _reference(id_: str, entry: JsonRecord) -> Reference:
    raw, title = as_text(entry.get("raw_text")), as_text(entry.get("title"))
    ids, preprint = read_identifiers(entry, as_object(entry.get("other_ids")))
    linked = (normalise_corpus_id(entry.get(name)) for name in ("link", "links"))
    dois = (normalise_doi(text) for text in (*as_texts(entry.get("urls")), raw))
    return Reference(
        id_,
        as_text(entry.get("num")),
        ids._replace(
            doi=ids.doi or next(filter(None, dois), preprint or doi_of_arxiv(arxiv_in_text(raw))),
            s2=next(filter(None, linked), None),
        ),
        title,
        as_text(entry.get("venue")),
        normalise_year(as_text(entry.get("year"))) or normalise_year(raw),
        as_text(entry.get("volume")),
        _PAGES.split(as_text(entry.get("pages")))[0],
        tuple(read_people(entry.get("authors"))),
        bool(_ET_AL.search(raw)),
        "" if title else raw,
    )


def read_identifiers(*records: JsonRecord, whole: bool = False) -> tuple[Identifiers, str | None]:
    """DOI, PMID and PMCID of a work, and the DOI that arXiv registered for it.

    Args:
        records: objects with ids, whose names and forms differ between releases.
        whole: the DOI is known not to be cut off, such as a paper's own.
    """
    found: dict[str, list[str]] = {"doi": [], "pmid": [], "pmcid": [], "arxiv": []}
    for record in records:
        for name, value in record.items():
            if kind := _NAMES.get(str(name).lower()):
                found[kind] += as_texts(value)
    dois = [normalise_doi(text, whole=whole) for text in found["doi"]]
    ids = Identifiers(
        next(filter(None, dois), None),
        next(filter(None, map(normalise_pmid, found["pmid"])), None),
        next(filter(None, map(normalise_pmcid, found["pmcid"])), None),
    )
    return ids, next(filter(None, map(doi_of_arxiv, found["arxiv"])), None)


def read_people(people: object) -> Iterator[Author]:
    """People in parts (`first`, `middle`, `last`), as a `name`, or as text."""
    for person in people if isinstance(people, list) else []:
        parts = as_object(person)
        given = " ".join((*as_texts(parts.get("first")), *as_texts(parts.get("middle"))))
        surname = as_text(parts.get("last"))
        if surname or given:
            yield Author(surname, given) if surname else Author(given)
        else:
            names = read_names(as_text(parts.get("name") or person).replace(";", ","))
            yield from (name._replace(s2=_person_id(parts)) for name in names[:1])


def _person_id(parts: JsonRecord) -> str | None:
    id_ = as_text(parts.get("authorId"))
    return id_ if id_.isdecimal() and id_.isascii() else None
