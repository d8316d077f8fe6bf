"""Resolution of reference lists: cited works, pairs, links, people."""

from __future__ import annotations

from pathlib import Path

from citescape.ingest.pending import is_pending, mark_pending
from citescape.ingest.resolve import resolve
from citescape.store.graph_store import GraphStore
from tests.ingest.papers import (
    ORCID,
    Cited,
    jats,
    load,
    one_column,
    small_corpus,
    snapshot,
    write_files,
)

WORKS = "MATCH (p:Paper) WHERE NOT p.fulltext RETURN p.id"
MEANT = "MATCH (:Occurrence)-[:REFERS_TO]->(p:Paper) RETURN p.id"


def test_a_cited_work_has_the_metadata_of_its_fullest_reference(store: GraphStore, tmp_path: Path):
    bare = Cited("", doi="10.9999/peas1", year=None, authors=(), source="")
    full = Cited("Hybrids", doi="10.9999/peas1", pmid="7", year=1866, authors=(("Mendel", "G"),))
    load(store, *write_files(tmp_path, [jats(1, [bare]), jats(2, [full]), jats(3, [bare])]))
    text = """MATCH (p:Paper {id: 'doi:10.9999/peas1'}) RETURN p.title AS title, p.year AS year,
              p.pmid AS pmid, p.surnames AS names, p.fulltext AS fulltext"""
    assert store.read(text).to_pylist() == [
        {"title": "Hybrids", "year": 1866, "pmid": "7", "names": ["Mendel"], "fulltext": False}
    ]


def test_a_cited_work_becomes_a_full_text_when_it_is_loaded(store: GraphStore, tmp_path: Path):
    first, second = write_files(
        tmp_path, [jats(1, [Cited("Paper number 2", doi="10.1000/2")]), jats(2, text="Hello.")]
    )
    load(store, first)
    assert one_column(store, WORKS) == ["doi:10.1000/2"]
    load(store, second)
    assert one_column(store, WORKS) == []
    assert one_column(store, "MATCH ()-[:CITES]->(p:Paper) RETURN p.fulltext") == [True]
    assert one_column(store, MEANT) == ["doi:10.1000/2"]


def test_works_that_are_no_longer_cited_are_removed(store: GraphStore, tmp_path: Path):
    cited = [Cited("Peas", doi="10.7777/peas1"), Cited("Beans", doi="10.7777/beans1")]
    load(store, *write_files(tmp_path / "a", [jats(1, cited, authors=[("Shull", "G", ORCID)])]))
    load(store, *write_files(tmp_path / "b", [jats(1, cited[1:])]))
    assert one_column(store, WORKS) == ["doi:10.7777/beans1"]
    assert one_column(store, "MATCH (a:Author) RETURN a.orcid") == [None, None]


def test_a_paper_does_not_cite_itself_but_keeps_the_occurrence(store: GraphStore, tmp_path: Path):
    load(store, *write_files(tmp_path, [jats(1, [Cited("Me", doi="10.1000/1")])]))
    assert one_column(store, "MATCH (:Paper)-[x:CITES]->(:Paper) RETURN 1") == []
    assert one_column(store, MEANT) == ["doi:10.1000/1"]


def test_two_entries_of_one_work_are_one_pair(store: GraphStore, tmp_path: Path):
    peas = Cited("Peas", doi="10.7777/peas1")
    load(store, *write_files(tmp_path, [jats(1, [peas, peas])]))
    assert len(one_column(store, "MATCH (:Paper)-[x:CITES]->(:Paper) RETURN 1")) == 1
    assert len(one_column(store, "MATCH (:Occurrence)-[x:REFERS_TO]->() RETURN 1")) == 2


def test_terms_without_papers_are_pruned(store: GraphStore, tmp_path: Path):
    paper = jats(1)
    load(store, *write_files(tmp_path / "a", [paper]))
    load(store, *write_files(tmp_path / "b", [paper.replace(b"maize", b"rice")]))
    assert one_column(store, "MATCH (k:Keyword) RETURN k.id") == ["rice", "word 1"]


def test_resolving_twice_changes_nothing_and_ingest_completes_it(store: GraphStore, tmp_path: Path):
    paths = write_files(tmp_path, small_corpus())
    load(store, *paths)
    wanted = snapshot(store)
    mark_pending(store)
    assert is_pending(store)
    resolve(store, report=lambda _: None)
    assert snapshot(store) == wanted
    mark_pending(store)
    store.write("MATCH (a:Author) DETACH DELETE a")
    store.write("MATCH (:Paper)-[x:CITES]->(:Paper {id: 'doi:10.1000/0'}) DELETE x")
    load(store, *paths)
    assert snapshot(store) == wanted
