"""Papers of Semantic Scholar with their citations, authors and abstracts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import GraphStore
from tests.ingest.papers import load, one_column, snapshot
from tests.ingest.s2ag_files import ORCID, s2ag_citation, s2ag_paper, write_lines

PAPERS: list[dict[str, Any]] = [
    s2ag_paper(1),
    s2ag_paper(2, externalids=None),
    s2ag_paper(3, authors=[{"authorId": "78", "name": "E. M. East"}]),
]
CITATIONS: list[dict[str, Any] | bytes] = [
    s2ag_citation(1, 2, "We grew rice [1].", "Rice grows.", intents=[["methodology"], None]),
    s2ag_citation("1", "2", "Rice grows.", influential=True),
    s2ag_citation(1, 99, intents=[["background", "result"]], influential=True),
    s2ag_citation(2, 3),
    s2ag_citation(2, 3),
    s2ag_citation(3, 3, "Itself."),
    s2ag_citation(3, None),
    s2ag_citation(50, 1, "Lost."),
    s2ag_citation(50, 51, "Lost."),
    b"{",
]
AUTHORS = [
    {"authorid": "77", "externalids": {"ORCID": [ORCID]}, "name": "G. Shull"},
    {"authorid": "78", "externalids": None, "name": "E. M. East"},
    {"authorid": "79", "externalids": {"ORCID": [ORCID]}, "name": "Nobody"},
]
ABSTRACTS = [{"corpusid": 2, "abstract": "Peas."}, {"corpusid": 50, "abstract": "Lost."}]


def write(folder: Path, citations: list[dict[str, Any] | bytes] = CITATIONS) -> list[Path]:
    folder.mkdir(exist_ok=True)
    return [
        write_lines(folder / "papers.jsonl", PAPERS),
        write_lines(folder / "citations.jsonl", citations),
        write_lines(folder / "authors.jsonl", AUTHORS),
        write_lines(folder / "abstracts.jsonl", ABSTRACTS),
    ]


def test_citations_are_references_with_mentions(store: GraphStore, tmp_path: Path) -> None:
    result = load(store, *write(tmp_path))
    (account,) = result.citations_read
    assert account["lost"] == {
        "not-a-pair": 1,
        "unidentified-cited": 1,
        "unknown-citing": 2,
        "self-citation": 1,
        "repeated": 1,
    }
    assert account["kept"] == 4
    assert account["notes"] == {"unknown-cited": 1, "mentioned-again": 1, "influential": 2}
    assert account["kept"] + sum(account["lost"].values()) == len(CITATIONS)
    found = store.read(
        "MATCH (p:Paper)-[:HAS_SECTION]->(s:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(w) "
        "RETURN o.context AS context, o.intents AS intents, w.id AS work, p.id AS paper "
        "ORDER BY o.ordinal"
    ).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("", ["background", "result"], "s2:99", "doi:10.1000/1"),
        ("Rice grows.", None, "s2:2", "doi:10.1000/1"),
        ("We grew rice [1].", ["method"], "s2:2", "doi:10.1000/1"),
    ]
    cites = store.read("MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.id AS citing, b.id AS cited")
    assert {tuple(row.values()) for row in cites.to_pylist()} == {
        ("doi:10.1000/1", "s2:2"),
        ("doi:10.1000/1", "s2:99"),
        ("s2:2", "doi:10.1000/3"),
    }
    papers = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id, p.sources AS sources")
    assert {row["id"]: row["sources"] for row in papers.to_pylist()} == {
        "doi:10.1000/1": ["s2ag"],
        "s2:2": ["s2ag"],
        "doi:10.1000/3": ["s2ag"],
    }


def test_authors_and_abstracts_are_added_to_papers(store: GraphStore, tmp_path: Path) -> None:
    result = load(store, *write(tmp_path))
    assert [(table["kept"], table["lost"]) for table in result.values_read] == [
        (1, {"no-value": 1, "unknown": 1}),
        (1, {"unknown": 1}),
    ]
    rows = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.s2 AS s2, p.orcids AS orcids")
    assert {row["s2"]: row["orcids"] for row in rows.to_pylist()} == {
        "1": [ORCID],
        "2": [ORCID],
        "3": [""],
    }
    assert one_column(store, "MATCH (a:Author) WHERE a.orcid <> '' RETURN a.orcid AS o") == [ORCID]
    texts = one_column(store, "MATCH (p:Paper) WHERE p.abstract <> '' RETURN p.abstract AS a")
    assert texts == ["Peas."]


def test_one_orcid_of_two_authors_of_a_paper_is_left_out(store: GraphStore, tmp_path: Path) -> None:
    both = [{"authorId": "77", "name": "G. Shull"}, {"authorId": "79", "name": "N. Body"}]
    papers = write_lines(tmp_path / "p.jsonl", [s2ag_paper(1, authors=both)])
    load(store, papers, write_lines(tmp_path / "a.jsonl", AUTHORS))
    assert store.read("MATCH (p:Paper) RETURN p.orcids AS o")["o"].to_pylist() == [["", ""]]


def test_the_order_of_lines_does_not_matter(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    states = []
    for seed in range(3):
        store = fresh_store()
        load(store, *write(tmp_path / "set", Random(seed).sample(CITATIONS, len(CITATIONS))))
        states.append(snapshot(store))
    assert states[0] == states[1] == states[2]


def test_only_changed_papers_are_loaded_again(store: GraphStore, tmp_path: Path) -> None:
    paths = write(tmp_path)
    load(store, *paths)
    assert load(store, *paths).status == {"unchanged": 3}
    assert load(store, *write(tmp_path, [*CITATIONS, s2ag_citation(3, 1)])).status == {
        "unchanged": 2,
        "loaded": 1,
    }
    write_lines(tmp_path / "authors.jsonl", AUTHORS[1:])
    assert load(store, *paths).status == {"unchanged": 1, "loaded": 2}


def test_parts_of_a_data_set_add_up(fresh_store: Callable[[], GraphStore], tmp_path: Path) -> None:
    """Papers in two files, loaded at once or one after the other."""
    citations = write(tmp_path)[1]
    parts = [write_lines(tmp_path / f"{i}.jsonl", [PAPERS[i]]) for i in range(3)]
    store = fresh_store()
    for part in parts:
        load(store, part, citations)
    one_by_one = snapshot(store)
    store = fresh_store()
    assert load(store, *parts, citations).status == {"loaded": 3}
    assert snapshot(store) == one_by_one


def test_rows_that_are_no_papers_are_rejected(store: GraphStore, tmp_path: Path) -> None:
    _, citations, *_ = write(tmp_path)
    other = {**s2ag_paper(1), "title": "Another title"}
    papers = [*PAPERS, b"{", {"paperId": "x", "title": "y"}, other, PAPERS[0]]
    file = write_lines(tmp_path / "papers.jsonl", papers)
    result = ingest(store, [file, citations], IngestConfig(workers=1))
    assert result.status == {"loaded": 3, "rejected": 3, "copy": 1}
    assert [path for path, _ in result.rejected] == [f"{file}:4", f"{file}:5", f"{file}:6"]
    assert result.exit_status == 0
