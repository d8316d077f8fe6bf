"""Slices: chosen papers with all that is theirs, and a valid graph around them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import citescape
from citescape.core.progress import silent
from citescape.importance.score import score
from citescape.papers.loading.ids import IdSet
from citescape.papers.loading.tables import LOADED, TABLES, GraphSlice, WholeGraph
from citescape.store.state import read_importance_run
from tests.copies import read_tables
from tests.ingest.papers import snapshot
from tests.papers.loading.conftest import Corpus
from tests.papers.loading.plain_slice import Row, missing_ends, slice_rows
from tests.papers.loading.shards import read_all
from tests.papers.loading.test_load import without_origin


def as_rows(tables: dict[str, pa.Table]) -> dict[str, list[Row]]:
    return {name: rows.to_pylist() for name, rows in tables.items()}


def as_texts(tables: dict[str, list[Row]]) -> dict[str, list[str]]:
    return {name: sorted(map(repr, tables[name])) for name in TABLES}


def read_slice(corpus: Corpus, chosen: list[str]) -> dict[str, list[Row]]:
    ids = IdSet([pa.chunked_array([pa.array(chosen, pa.string())])])
    part = GraphSlice(WholeGraph(corpus.shards, None), ids, silent)
    return {name: [row for t in part.read(name) for row in t.to_pylist()] for name in TABLES}


@settings(max_examples=60)
@given(st.data())
def test_random_slices_have_the_rows_of_a_plain_one(corpus: Corpus, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(corpus.loaded), min_size=1, unique=True))
    found = read_slice(corpus, chosen)
    assert as_texts(found) == as_texts(slice_rows(as_rows(corpus.tables), {*chosen}))
    assert missing_ends(found) == []


def test_all_loaded_papers_are_the_whole_graph_without_what_stands_alone(corpus: Corpus) -> None:
    """Only the notice of an unknown work belongs to no paper."""
    found, whole = read_slice(corpus, corpus.loaded), as_rows(corpus.tables)
    other = {n: len(whole[n]) - len(found[n]) for n in TABLES if len(whole[n]) != len(found[n])}
    assert other == {"Notice": 1}


def test_a_slice_by_hand(corpus: Corpus) -> None:
    """Paper 3 cites papers 0 and 2; both are loaded, and are cited works in its slice."""
    found = read_slice(corpus, ["doi:10.1000/3"])
    papers = {row["id"]: row for row in found["Paper"]}
    assert [id_ for id_, row in papers.items() if row["fulltext"]] == ["doi:10.1000/3"]
    assert {row["from"] for row in found["CITES"]} == {"doi:10.1000/3"}
    assert {row["to"] for row in found["CITES"]} == papers.keys() - {"doi:10.1000/3"}
    earlier = papers["doi:10.1000/2"]
    assert (earlier["title"], earlier["year"]) == ("Paper number 2", 2010)
    assert (earlier["path"], earlier["sources"], earlier["type"]) == (None, None, None)
    assert papers["doi:10.1000/3"]["notice"] == "retracted"
    assert {row["to"] for row in found["CONCERNS"]} >= {"doi:10.1000/3"}
    assert found["STATES"] == []  # the notice that states it is not in the slice
    assert {row["to"] for row in found["WROTE"]} >= {"doi:10.1000/2", "doi:10.1000/3"}
    assert {row["paper"] for row in found["File"]} == {"doi:10.1000/3"}
    assert {row["id"] for row in found["Record"]} == {"doi:10.1000/3@jats", "doi:10.1000/3@tei"}


def test_a_slice_in_a_store_is_scored_explained_and_completed(
    corpus: Corpus, place: str, fresh_place: Callable[[], str], tmp_path: Path
) -> None:
    """Its scores are those of an ingest; when all files are ingested it is the whole graph."""
    listed = tmp_path / "list.txt"
    listed.write_text("10.1000/3\n10.1000/6 # a comment\n10.1000/notice0\n10.1000/none1\n")
    with citescape.open(place, create=True, runs=tmp_path / "runs") as graph:
        result = graph.load(corpus.shards.storage.address, listed=[listed])
        assert (result.chosen.listed, result.chosen.found) == (4, 3)
        assert "1 of 4 listed entries not found" in str(result.summarise().remarks)
        chosen = {"doi:10.1000/3", "doi:10.1000/6", "doi:10.1000/notice0"}
        found = {name: read_tables(graph.store)[name].to_pylist() for name in LOADED}
        assert as_texts(found) == as_texts(slice_rows(as_rows(corpus.tables), chosen))
        assert result.rows == {name: len(rows) for name, rows in found.items()}
        assert result.papers == 3
        score(graph.store, runs=tmp_path / "runs")
        assert graph.explain("10.1000/3", "10.1000/2").occurrences
        assert graph.status().pending == ""
        status = graph.ingest(corpus.sources, workers=1).status
        assert status["unchanged"]
        assert status["loaded"]
        completed = snapshot(graph.store)
    with citescape.open(fresh_place(), create=True) as graph:
        graph.ingest(corpus.sources, workers=1)
        expected = snapshot(graph.store)
    completed = without_origin(completed)
    scored = {name: completed.pop(name) for name in ("CITES", "Run")}
    for name in ("CITES", "Run"):
        expected.pop(name)
    assert completed == expected
    assert len(scored["CITES"]) == corpus.tables["CITES"].num_rows


def test_a_scored_slice_has_the_scores_of_its_citations(corpus: Corpus, place: str) -> None:
    with citescape.open(place, create=True) as graph:
        graph.load(corpus.scored_shards.storage.address, where="doi = '10.1000/7'")
        assert read_importance_run(graph.store) == corpus.run
    expected = [
        row for row in corpus.scored_tables["CITES"].to_pylist() if row["from"] == "doi:10.1000/7"
    ]
    assert len(expected) > 2
    assert all(row["importance"] is not None for row in expected)
    assert read_all(place)["CITES"] == sorted(map(repr, expected))
