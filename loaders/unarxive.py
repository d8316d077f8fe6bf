"""unarXive (2022): full texts of arXiv, made from LaTeX -> `Paper`.

https://github.com/IllDepence/unarXive. One object is one paper: metadata of arXiv, paragraphs with
markers, and a reference list whose entries are printed texts with ids found for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from citescape.core.errors import SourceError
from citescape.core.identifiers import (
    arxiv_in_text,
    doi_of_arxiv,
    normalise_doi,
    normalise_openalex,
    normalise_pmcid,
    normalise_pmid,
    pmid_in_link,
)
from citescape.core.types import Author, Identifiers, Paper, Reference
from citescape.loaders.article_builder import ArticleParts, build_article, reference_key
from citescape.loaders.article_text import read_article_text
from citescape.loaders.dates import edition_of, read_iso_date
from citescape.loaders.jats_front import unique
from citescape.loaders.jats_references import ReferenceList
from citescape.loaders.json_values import JsonRecord, as_object, as_objects, as_text, as_texts
from citescape.loaders.markers import Numbering
from citescape.loaders.table_rows import read_names
from citescape.loaders.unarxive_text import TextReader

VERSION = "unarxive-2"
"""Increase it when the same object is read differently, so that it is loaded again."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CREATED = re.compile(rf"([0-9]{{1,2}}) ({'|'.join(_MONTHS)}) ((?:19|20)[0-9]{{2}})(?![0-9])")
_DATE = re.compile(r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
_YEAR = r"((?:1[5-9]|20)[0-9]{2})"
_YEAR_IN_BRACKETS = re.compile(rf"\({_YEAR}[a-z]?\)")
_ANY_YEAR = re.compile(rf"(?<![\w.:/–-]){_YEAR}[a-z]?(?![\w:/–-]|\.[0-9])")
_ET_AL = re.compile(r"\bet\s+al\b", re.IGNORECASE)


def is_unarxive(record: JsonRecord) -> bool:
    """Whether an object is a paper of unarXive, by its keys."""
    return {"paper_id", "body_text", "bib_entries"} <= record.keys() and (
        "_source_hash" in record or "authors_parsed" in as_object(record.get("metadata"))
    )


def read_unarxive(record: JsonRecord, path: str, sha256: str) -> Paper:
    """Reads one paper.

    Args:
        record: the object.
        path: its path, for messages and `Paper.path`.
        sha256: SHA-256 of its bytes.

    Raises:
        SourceError: it has neither title nor abstract, text or references.
    """
    metadata = as_object(record.get("metadata"))
    entries = as_object(record.get("bib_entries"))
    numbers = {id_: number for number, id_ in enumerate(entries, start=1)}
    reader = TextReader(numbers, as_object(record.get("ref_entries")))
    references = _references(entries, reader)
    abstract = reader.read(as_object(record.get("abstract")).get("text"))
    parts = ArticleParts(
        abstract=(abstract,) if abstract.text.strip() else (),
        body=reader.sections(record.get("body_text")),
        captions=tuple(reader.captions()),
    )
    built = build_article(parts)
    text = read_article_text(built.article, references, notes=built.notes)
    title = as_text(metadata.get("title"))
    summary = as_text(metadata.get("abstract")) or as_text(abstract.text)
    if not (title or summary or text.sections or references.references):
        keys = ", ".join(map(str, list(record)[:8]))
        message = (
            f"no title, abstract, text or references in an object with {keys}; expected unarXive: "
            "metadata, abstract, body_text, bib_entries"
        )
        raise SourceError(path, "not-a-paper", message)
    date = _date(metadata)
    doi = normalise_doi(as_text(metadata.get("doi")), whole=True)
    preprint = doi_of_arxiv(as_text(metadata.get("id")) or as_text(record.get("paper_id")))
    return Paper(
        path=path,
        sha256=sha256,
        ids=Identifiers(doi or preprint),
        title=title,
        abstract=summary,
        year=int(date[:4]) if date else None,
        date=date,
        article_type="preprint",
        authors=tuple(_authors(metadata)),
        subjects=unique(as_text(metadata.get("categories")).split()),
        sections=text.sections,
        references=references.references,
        occurrences=text.occurrences,
        losses=text.losses,
        loader=VERSION,
        edition=edition_of(read_iso_date(as_text(metadata.get("update_date")))),
        versions=(Identifiers(preprint),) if doi and preprint and doi != preprint else (),
    )


def _date(metadata: JsonRecord) -> str:
    """Date of the first version, else of the last update, ISO 8601; empty if missing."""
    for version in as_objects(metadata.get("versions")):
        if found := _CREATED.search(as_text(version.get("created"))):
            return f"{found[3]}-{_MONTHS.index(found[2]) + 1:02}-{int(found[1]):02}"
    found = _DATE.match(as_text(metadata.get("update_date")))
    return found[0] if found else ""


def _authors(metadata: JsonRecord) -> Iterator[Author]:
    """Authors in parts (surname, given names, suffix), else the printed list."""
    parsed = metadata.get("authors_parsed")
    for parts in parsed if isinstance(parsed, list) else []:
        surname, given = (*map(as_text, parts if isinstance(parts, list) else []), "", "")[:2]
        if surname and not given and "collaboration" in surname.lower():
            yield Author(surname, role="group")
        elif surname or given:
            yield Author(surname, given) if surname else Author(given)
    if not parsed:
        for name in re.split(r"\s*,\s*|\s+and\s+", as_text(metadata.get("authors"))):
            yield from read_names(name)


def _references(entries: JsonRecord, reader: TextReader) -> ReferenceList:
    references = tuple(_reference(id_, as_object(entry), reader) for id_, entry in entries.items())
    targets: dict[str, tuple[int, ...]] = {}
    for i, id_ in enumerate(entries):
        targets.setdefault(reference_key(id_), (i,))
    return ReferenceList(references, targets, Numbering(tuple(range(1, len(references) + 1))))


def _reference(id_: str, entry: JsonRecord, reader: TextReader) -> Reference:
    """An entry as printed; its title is not marked."""
    raw = as_text(reader.read(entry.get("bib_entry_raw")).text)
    return Reference(
        as_text(id_),
        "",
        _identifiers(entry, raw),
        "",
        "",
        printed_year(raw),
        "",
        "",
        (),
        bool(_ET_AL.search(raw)),
        raw,
    )


def _identifiers(entry: JsonRecord, raw: str) -> Identifiers:
    """Ids that unarXive has found for an entry, then those that are printed in it."""
    known = as_object(entry.get("ids"))
    links = [as_text(link.get("url")) for link in as_objects(entry.get("contained_links"))]
    contained = as_objects(entry.get("contained_arXiv_ids"))
    preprints = [
        *as_texts(known.get("arxiv_id")),
        *(as_text(item.get("id")) for item in contained),
        arxiv_in_text(raw) or "",
    ]
    dois = (normalise_doi(text) for text in (as_text(known.get("doi")), *links, raw))
    preprint = next(filter(None, map(doi_of_arxiv, preprints)), None)
    pmid, pmcid = as_text(known.get("pubmed_id")), as_text(known.get("pmc_id"))
    return Identifiers(
        next(filter(None, dois), None) or preprint,
        pmid_in_link(pmid) or normalise_pmid(pmid),
        normalise_pmcid(pmcid.rstrip("/").rpartition("/")[2]),
        normalise_openalex(as_text(known.get("open_alex_id"))),
    )


def printed_year(text: str) -> int | None:
    """The year of a printed reference: in brackets, else the last one.

    Numbers of pages, ids and volumes are no years: `1695-1702`, `2112.14729`, `2022(13)`.
    """
    found = _YEAR_IN_BRACKETS.findall(text) or _ANY_YEAR.findall(text)
    return int(found[-1]) if found else None
