"""Bibliographic entries of papers; on both engines."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.papers.entries import BibliographyEntry, Name, read_entries
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from tests.importance.conftest import insert

CITED = {
    "id": "doi:10.1/a",
    "doi": "10.1/a",
    "title": "On\trust \x0b\n in  wheat",
    "year": 2019,
    "venue": "J. \u2028Rust",
    "fulltext": False,
    "surnames": ["Müller", "A Group", "Inner"],
    "givens": ["Eva", "", "I."],
    "roles": ["author", "group", "member"],
}
FULL = {
    "id": "pmid:7",
    "pmid": "7",
    "title": "Full",
    "fulltext": True,
    "type": "review-article",
    "venue": "Soils",
}


def cite(store: GraphStore, paper: str, printed: list[tuple[str | None, str | None]]) -> None:
    """Adds reference list entries that mean the paper."""
    entries: list[dict[str, Any]] = [
        {"id": f"{paper}#r{k}", "volume": volume, "page": page}
        for k, (volume, page) in enumerate(printed)
    ]
    insert(store, "Reference", entries)
    links = [{"from": entry["id"], "to": paper, "matched_by": "doi"} for entry in entries]
    store.apply([Change("insert", "MATCHES", pa.Table.from_pylist(links, TABLE["MATCHES"].arrow))])


def test_fields_come_from_paper_and_reference_lists(store: GraphStore) -> None:
    for paper in (CITED, FULL, {"id": "zzz"}):
        insert(store, "Paper", [paper])
    cite(store, "doi:10.1/a", [("9", "1"), ("12", "34"), ("12", " 34\n"), ("12", ""), (None, None)])
    assert read_entries(store, ["zzz", "doi:10.1/a", "pmid:7", "zzz"]) == [
        BibliographyEntry("zzz", "", kind="other"),
        BibliographyEntry(
            "doi:10.1/a",
            "On rust in wheat",
            (Name("Müller", "Eva"), Name("A Group", "", True)),
            2019,
            "J. Rust",
            "12",
            "34",
            "10.1/a",
            "https://doi.org/10.1/a",
        ),
        BibliographyEntry(
            "pmid:7", "Full", venue="Soils", url="https://pubmed.ncbi.nlm.nih.gov/7/"
        ),
    ]


def read_papers(store: GraphStore, papers: list[dict[str, Any]]) -> list[BibliographyEntry]:
    """Entries of papers, each with an id of its own."""
    rows = [paper | {"id": f"paper {k}"} for k, paper in enumerate(papers)]
    insert(store, "Paper", rows)
    return read_entries(store, [row["id"] for row in rows])


def test_a_doi_without_the_end_of_a_page(store: GraphStore) -> None:
    ends = ("/full", "/abstract", "/PDF", "/epdf", "/abstract/full")
    papers = [CITED | {"doi": f"10.3389/fpls.2016{end}"} for end in ends]
    for k, result in enumerate(read_papers(store, papers)):
        assert (result.id, result.doi) == (f"paper {k}", "10.3389/fpls.2016")
        assert result.url == "https://doi.org/10.3389/fpls.2016"


def test_a_title_that_is_a_complete_reference_is_noted(store: GraphStore) -> None:
    cases = [
        ({"title": "Wu Y. Rust. J Rust 2019"}, True),
        ({"title": "Rust", "venue": "J. Rust"}, False),
        ({"title": "Rust", "surnames": ["Wu"]}, False),
        ({"title": "Rust", "fulltext": True}, False),
        ({"title": ""}, False),
    ]
    entries = read_papers(store, [{"fulltext": False} | known for known, _ in cases])
    for result, (_, noted) in zip(entries, cases, strict=True):
        assert result.note.startswith("the title is what a reference list prints") == noted
        assert bool(result.note) == noted


def test_volume_and_page_follow_the_majority_of_references(store: GraphStore) -> None:
    cases = [
        ([("2", "9"), ("1", "9")], ("1", "9")),
        ([("", "9"), ("", "9"), ("1", "")], ("", "9")),
        ([(None, "9"), (None, "9"), ("1", "7")], ("1", "7")),
        ([(None, None)], ("", "")),
    ]
    ids = [f"doi:10.1/{k}" for k in range(len(cases))]
    insert(store, "Paper", [CITED | {"id": id_} for id_ in ids])
    for id_, (printed, _) in zip(ids, cases, strict=True):
        cite(store, id_, printed)
    for result, (_, expected) in zip(read_entries(store, ids), cases, strict=True):
        assert (result.volume, result.page) == expected


def test_kinds_of_works(store: GraphStore) -> None:
    kinds = {
        "research-article": "article",
        "book-review": "article",
        "Book-Chapter": "chapter",
        "book": "book",
        "proceedings-article": "conference",
        "meeting-report": "conference",
        "dissertation": "thesis",
        None: "article",
    }
    entries = read_papers(store, [CITED | {"type": kind} for kind in kinds])
    assert [result.kind for result in entries] == list(kinds.values())


def test_unknown_papers_are_refused(store: GraphStore) -> None:
    insert(store, "Paper", [CITED])
    with pytest.raises(ConfigError, match=r"no paper 'gone' in .*; expected the id of a paper"):
        read_entries(store, ["doi:10.1/a", "gone"])


def test_an_empty_list_of_papers(store: GraphStore) -> None:
    assert read_entries(store, []) == []
