"""Attributes of papers, on both engines."""

from __future__ import annotations

import pyarrow as pa
import pytest

from citescape.mapping.exports import papers
from citescape.mapping.exports.papers import read_papers
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert

PAPERS = [
    {
        "id": "doi:10.1/<a>",
        "doi": "10.1/<a>%#b",
        "pmid": "7",
        "title": "On\trust \x0b\n in  wheat",
        "year": 2019,
        "venue": "J. \u2028Rust",
        "fulltext": True,
        "surnames": ["Müller", "A Group; of people", "Inner"],
        "givens": ["Eva", "", "I."],
        "roles": ["author", "group", "member"],
    },
    {
        "id": "key:0",
        "pmid": "7",
        "title": "",
        "fulltext": False,
        "surnames": [],
        "givens": [],
        "roles": [],
    },
    {"id": "pmcid:PMC5", "pmcid": "PMC5"},
    {"id": "zzz", "title": "No address", "surnames": ["Li"], "givens": ["B."], "roles": ["author"]},
]


def test_rows_are_in_the_order_of_the_network(store: GraphStore) -> None:
    for paper in PAPERS:
        insert(store, "Paper", [paper])
    ids = pa.array(["doi:10.1/<a>", "gone", "key:0", "pmcid:PMC5", "zzz"])
    messages: list[str] = []
    found = read_papers(store, ids, progress=messages.append)
    first, gone, second, third, last = found.to_pylist()
    assert first == {
        "id": "doi:10.1/<a>",
        "title": "On rust in wheat",
        "authors": "Müller, Eva; A Group, of people",
        "year": 2019,
        "venue": "J. Rust",
        "doi": "10.1/<a>%#b",
        "url": "https://doi.org/10.1/%3Ca%3E%25%23b",
        "fulltext": True,
    }
    assert gone == {"id": "gone", **dict.fromkeys(found.column_names[1:])}
    assert (second["title"], second["authors"], second["fulltext"]) == (None, None, False)
    assert second["url"] == "https://pubmed.ncbi.nlm.nih.gov/7/"
    assert third["url"] == "https://pmc.ncbi.nlm.nih.gov/articles/PMC5/"
    assert (last["url"], last["authors"]) == (None, "Li, B.")
    assert messages == ["reading papers: 0 of 5"]


def test_many_papers_are_read_in_parts(store: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "_BATCH", 10)
    ids = [f"p{k:05d}" for k in range(25)]
    insert(store, "Paper", [{"id": id_, "title": id_.upper()} for id_ in ids])
    messages: list[str] = []
    found = read_papers(store, pa.array(ids[::-1]), progress=messages.append)
    assert found["title"].to_pylist() == [id_.upper() for id_ in ids[::-1]]
    assert messages == [f"reading papers: {start} of 25" for start in (0, 10, 20)]


def test_no_papers_give_no_rows(store: GraphStore) -> None:
    assert read_papers(store, pa.array([], pa.string())).num_rows == 0
