"""Records of papers -> Arrow tables of the graph's schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import pyarrow as pa

from citescape.core.types import Author, Notice, Paper, Reference
from citescape.ingest.identity import ID_BREAK, ID_KINDS, fold, page_key, title_key, work_id
from citescape.ingest.institutions import affiliation_rows
from citescape.loaders.formats import format_of
from citescape.store.schema import TABLE

Row = dict[str, object]


def paper_tables(papers: Sequence[Paper]) -> dict[str, pa.Table]:
    """The records of papers as tables by label or relationship type.

    Cited works, authors as people, pairs, and nodes that papers share (venues, keywords) are
    derived later (`ingest.batches`, `ingest.resolve`).
    """
    rows: dict[str, list[Row]] = {}
    for paper in papers:
        for name, row in _rows(paper):
            rows.setdefault(name, []).append(row)
    return {name: pa.Table.from_pylist(part, TABLE[name].arrow) for name, part in rows.items()}


def paper_id(paper: Paper) -> str:
    """The node id of a paper. Rows of tables have an `own_id`, which comes before a title key."""
    key = None if paper.own_id else _key(paper)
    return work_id(paper.ids, key) or paper.own_id or f"sha256:{paper.sha256[:32]}"


def source_of(paper: Paper) -> str:
    """Name of the source of a paper: by default that of its loader."""
    return paper.source or format_of(paper.loader)


def prefixed(paper: Paper) -> list[str]:
    """The ids of a record as `doi:10.1/x`, and its title key as `key:...`."""
    named = {**dict(zip(ID_KINDS, paper.ids, strict=True)), "key": _key(paper)}
    return [f"{kind}:{id_}" for kind, id_ in named.items() if id_]


def _key(paper: Paper) -> str | None:
    surname = paper.authors[0].surname if paper.authors else ""
    return title_key(paper.title, paper.year, surname)


def _rows(paper: Paper) -> Iterator[tuple[str, Row]]:
    own = paper_id(paper)
    yield "Paper", _paper_row(paper, own)
    yield from _terms(paper, own)
    paths: list[str] = []
    for i, section in enumerate(paper.sections):
        parent = None if section.parent is None else f"{own}#s{section.parent}"
        above = "" if section.parent is None else f"{paths[section.parent]} > "
        paths.append(above + section.title)
        row: Row = {
            "id": f"{own}#s{i}",
            "title": section.title,
            "type": section.type,
            "type_source": section.type_source,
            "combined": section.combined,
            "sec_type": section.sec_type or None,
            "kind": section.kind,
            "ordinal": i,
            "depth": section.depth,
            "parent": parent,
            "path": paths[i],
            "words": section.words,
            "opening": section.opening,
            "data_source": source_of(paper),
        }
        yield "Section", row
        yield "HAS_SECTION", {"from": own, "to": f"{own}#s{i}"}
        if parent is not None:
            yield "SUBSECTION_OF", {"from": f"{own}#s{i}", "to": parent}
    for i, reference in enumerate(paper.references):
        row = _reference_row(reference, f"{own}#r{i}", i)
        yield "Reference", {**row, "data_source": source_of(paper)}
        yield "HAS_REFERENCE", {"from": own, "to": f"{own}#r{i}"}
    for i, occurrence in enumerate(paper.occurrences):
        row = {
            "id": f"{own}#o{i}",
            "ordinal": i,
            "context": occurrence.context,
            "marker": occurrence.marker,
            "position": occurrence.position,
            "reference": f"{own}#r{occurrence.reference}",
            "intents": occurrence.intents,
            "data_source": source_of(paper),
        }
        yield "Occurrence", row
        yield "CONTAINS", {"from": f"{own}#s{occurrence.section}", "to": f"{own}#o{i}"}
    for i, notice in enumerate(paper.notices):
        yield "Notice", {**notice_row(notice, f"{own}#n{i}"), "data_source": source_of(paper)}
        yield "STATES", {"from": own, "to": f"{own}#n{i}"}


def _paper_row(paper: Paper, own: str) -> Row:
    return {
        "id": own,
        **paper.ids._asdict(),
        "key": _key(paper),
        "title": paper.title,
        "abstract": paper.abstract,
        "abstract_labels": paper.abstract_labels,
        "abstract_parts": paper.abstract_parts,
        "other_abstract_kinds": [other.kind for other in paper.other_abstracts],
        "other_abstracts": [other.text for other in paper.other_abstracts],
        "year": paper.year,
        "date": paper.date or None,
        "type": paper.article_type,
        "language": paper.language,
        "versions": [
            f"{kind}:{id_}"
            for version in paper.versions
            for kind, id_ in zip(ID_KINDS, version, strict=True)
            if id_
        ],
        "venue": paper.venue.title if paper.venue else None,
        "fulltext": True,
        **_by_line(paper.authors),
        "orcids": [author.orcid or "" for author in paper.authors],
        "path": paper.path,
        "sha256": paper.sha256,
        "loader": paper.loader,
        "sources": [source_of(paper)],
        "source_paths": [paper.path],
        "source_sha256": [paper.sha256],
        "source_loaders": [paper.loader],
        "source_ids": [ID_BREAK.join([*prefixed(paper), own])],
        "source_editions": [paper.edition],
        "text_source": source_of(paper) if paper.sections else None,
        "losses": json.dumps(asdict(paper.losses), sort_keys=True),
    }


def _by_line(authors: Sequence[Author]) -> Row:
    """A by-line as lists of equal length, the only form of lists that both engines can store."""
    return {
        "surnames": [author.surname for author in authors],
        "givens": [author.given for author in authors],
        "roles": [author.role for author in authors],
    }


def notice_row(notice: Notice, id_: str, *, file: str | None = None) -> Row:
    """The node of a notice.

    Args:
        notice: the notice.
        id_: id of the node.
        file: name of the table that states it.
    """
    return {
        "id": id_,
        "kind": notice.kind,
        "stated_by": notice.stated_by,
        "date": notice.date or None,
        **notice.notice._asdict(),
        **{f"work_{kind}": value for kind, value in notice.work._asdict().items()},
        "reason": notice.reason or None,
        "file": file,
    }


def _reference_row(reference: Reference, own: str, ordinal: int) -> Row:
    surname = reference.authors[0].surname if reference.authors else ""
    key = title_key(reference.title, reference.year, surname) or page_key(
        reference.source, reference.volume, reference.page, year=reference.year, surname=surname
    )
    if key is None and reference.source:
        key = title_key(reference.source, reference.year, surname)
    return {
        "id": own,
        "ordinal": ordinal,
        "source_id": reference.source_id,
        "label": reference.label,
        **reference.ids._asdict(),
        "key": key,
        "title": reference.title,
        "source": reference.source,
        "year": reference.year,
        "volume": reference.volume,
        "page": reference.page,
        **_by_line(reference.authors),
        "et_al": reference.et_al,
        "text": reference.text,
    }


def _terms(paper: Paper, own: str) -> Iterator[tuple[str, Row]]:
    """Links to the venue, keywords, subjects, MeSH headings and institutions, as printed."""
    if paper.venue:
        title, issn = paper.venue.title, paper.venue.issn
        row: Row = {"from": own, "to": fold(title) or title, "title": title, "issn": issn}
        yield "PUBLISHED_IN", row
    for relation, texts in (("HAS_KEYWORD", paper.keywords), ("HAS_SUBJECT", paper.subjects)):
        for key, text in {text.casefold(): text for text in texts}.items():
            yield relation, {"from": own, "to": key, "text": text}
    for term in paper.mesh:
        row = {"from": own, "to": term.descriptor}
        yield "HAS_MESH", {**row, "major": term.major, "qualifiers": "/".join(term.qualifiers)}
    for link in affiliation_rows(paper, own):
        yield "AFFILIATED_WITH", link
