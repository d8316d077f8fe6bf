"""Collections: entries of bibliographies are found, tagged, and written once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import citescape
from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.ingest.migration import name_sources
from citescape.papers.collections import (
    AddedCollection,
    add_collection,
    list_collections,
    remove_collection,
)
from citescape.papers.identity import join_works, undo_decision
from citescape.papers.removal import remove_papers
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.schema import TABLE
from citescape.store.state import write_meta
from tests.cli.conftest import Platform, platform
from tests.ingest.data_sets import titled, write_citations, write_papers
from tests.ingest.papers import jats, load, small_corpus, write_files

__all__ = ["platform"]

PAPERS: list[dict[str, Any]] = [
    {"id": "doi:10.1000/a1", "doi": "10.1000/a1", "title": "On rice"},
    {"id": "pmid:11", "pmid": "11", "title": "On wheat"},
    {"id": "key:c", "title": "Weedy rice in Asia", "year": 2018, "surnames": ["Li"]},
]
BIB = """@article{one, title={Other words}, doi={10.1000/A1}, keywords={rice; yield}}
@article{again, doi={10.1000/a1}, keywords={yield, toread}}
@article{two, title={Weedy rice in {A}sia}, author={Li, Wei}, year={2018}}
@article{none, title={Penguins of the southern seas}, year={2001}}
"""
RIS = (
    "TY  - JOUR\nTI  - On wheat\nAN  - 11\nDB  - PubMed\nKW  - wheat\nKW  - bread, flour\nER  - \n"
)


@pytest.fixture
def graph(store: GraphStore) -> GraphStore:
    """A store with three papers."""
    schema = TABLE["Paper"].arrow
    rows = [{name: row.get(name) for name in schema.names} for row in PAPERS]
    store.apply([Change("insert", "Paper", pa.Table.from_pylist(rows, schema))])
    return store


def add(graph: GraphStore, tmp_path: Path, text: str, file: str = "a.bib") -> AddedCollection:
    (tmp_path / file).write_text(text)
    return add_collection(graph, "mine", [tmp_path / file], progress=silent)


def members(graph: GraphStore) -> dict[str, list[str]]:
    rows = graph.read(
        "MATCH (p:Paper)-[x:IN_COLLECTION]->(c:Collection {id: 'mine'}) "
        "RETURN p.id AS id, x.tags AS tags"
    ).to_pylist()
    return {row["id"]: row["tags"] for row in rows}


def test_entries_are_found_and_tagged(graph: GraphStore, tmp_path: Path) -> None:
    result = add(graph, tmp_path, BIB)
    assert result.arrow["how"].to_pylist() == ["doi", "doi", "title", None]
    assert result.arrow["tags"].to_pylist() == ["rice; yield", "yield; toread", "", ""]
    assert (result.found, result.added, result.papers, result.exit_status) == (3, 2, 2, 0)
    assert members(graph) == {"doi:10.1000/a1": ["rice", "yield", "toread"], "key:c": []}
    text = str(result)
    assert "3 of 4 entries found: 2 by doi, 1 by title" in text
    assert "Penguins of the southern seas" in text
    assert "adds no papers and citations" in " ".join(text.split())


def test_the_same_files_again_change_nothing(graph: GraphStore, tmp_path: Path) -> None:
    add(graph, tmp_path, BIB)
    before = members(graph)
    result = add(graph, tmp_path, BIB)
    assert (result.added, result.papers) == (0, 2)
    assert members(graph) == before


def test_other_files_add_papers_and_new_keywords_replace_tags(
    graph: GraphStore, tmp_path: Path
) -> None:
    add(graph, tmp_path, BIB)
    assert add(graph, tmp_path, RIS, "b.ris").papers == 3
    assert members(graph)["pmid:11"] == ["wheat", "bread", "flour"]
    add(graph, tmp_path, json.dumps([{"DOI": "10.1000/a1", "keyword": "new"}]), "c.json")
    assert members(graph)["doi:10.1000/a1"] == ["new"]
    (row,) = list_collections(graph).table.to_pylist()
    assert row == {"collection": "mine", "papers": 3, "files": "a.bib; b.ris; c.json"}


def test_nothing_is_written_if_no_entry_is_found(graph: GraphStore, tmp_path: Path) -> None:
    result = add(graph, tmp_path, "@article{x, title={Penguins of the southern seas}}")
    assert (result.found, result.exit_status) == (0, 1)
    assert not list_collections(graph).table.num_rows


def test_a_collection_is_removed_and_its_papers_stay(graph: GraphStore, tmp_path: Path) -> None:
    add(graph, tmp_path, BIB)
    assert remove_collection(graph, "mine").papers == 2
    assert not list_collections(graph).table.num_rows
    assert graph.read("MATCH (p:Paper) RETURN count(p) AS n")["n"].to_pylist() == [3]
    with pytest.raises(ConfigError, match=r"no collection 'mine'.*it has none"):
        remove_collection(graph, "mine")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_names_are_checked(graph: GraphStore, tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="expected a name"):
        add_collection(graph, name, [tmp_path], progress=silent)


def test_a_missing_file_is_not_taken_for_an_id(graph: GraphStore, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no file"):
        add_collection(graph, "mine", [tmp_path / "none"], progress=silent)


def test_commands_and_methods(platform: Platform, tmp_path: Path) -> None:
    with citescape.open(tmp_path / "a.lbug", create=True) as corpus:
        corpus.ingest(write_papers(tmp_path, *titled("a", "b")))
        title = titled("a")[0]["title"]
        (tmp_path / "x.csv").write_text(f"DOI,Title\n10.1000/none1,nothing\n,{title}\n")
        assert corpus.collection.list().table.num_rows == 0
    store = tmp_path / "a.lbug"
    done = platform("collection", "add", "mine", tmp_path / "x.csv", "--store", store, "--json")
    assert done.json["entries"] == 2
    listed = platform("collection", "list", "--store", store)
    assert listed.status == 0
    missing = platform("collection", "remove", "other", "--store", store)
    assert (missing.status, missing.out) == (1, "")


def test_loading_more_papers_keeps_collections(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    store = fresh_store()
    files = write_files(tmp_path / "in", small_corpus(4))
    load(store, *files[:2])
    cited = store.read(
        "MATCH (p:Paper) WHERE NOT coalesce(p.fulltext, false) AND p.doi IS NOT NULL "
        "RETURN p.doi AS doi ORDER BY doi LIMIT 1"
    )["doi"].to_pylist()
    loaded = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.doi AS doi")["doi"].to_pylist()
    text = "\n".join(f"@article{{a{i}, doi={{{doi}}}}}" for i, doi in enumerate(cited + loaded))
    assert cited
    assert add(store, tmp_path, text).papers == 3
    before = members(store)
    load(store, *files)
    assert members(store) == before


def test_a_paper_stays_in_its_collection_when_its_identity_changes(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    """Its id becomes that of its DOI; it is joined and split again, removed and loaded again."""
    store = fresh_store()
    table = write_papers(tmp_path, {"id": "1", "title": "Weedy rice in Asia", "year": "2018"})
    loaded = [table, write_citations(tmp_path, ("1", "2"))]
    load(store, *loaded)
    add(store, tmp_path, "@article{x, title={Weedy rice in Asia}, year={2018}, keywords={rice}}")
    (before,) = members(store).items()
    assert before == ("papers:1", ["rice"])

    other = jats(9, [], title="Other words")
    (file,) = write_files(tmp_path / "other", [other])
    load(store, file)
    join_works(store, "papers:1", "doi:10.1000/9", progress=silent)
    assert members(store) == {"doi:10.1000/9": ["rice"]}
    undo_decision(store, "papers:1", "doi:10.1000/9", progress=silent)
    assert members(store) == {"papers:1": ["rice"]}
    remove_papers(store, ["papers:1"], progress=silent)
    assert members(store) == {}
    load(store, *loaded)
    assert members(store) == {"papers:1": ["rice"]}
    remove_collection(store, "mine")
    load(store, *loaded)
    assert not list_collections(store).table.num_rows


def test_collections_of_earlier_schema_versions_keep_their_papers(
    store: GraphStore, tmp_path: Path
) -> None:
    """Before version 9 a collection did not keep the ids of its papers."""
    load(store, *write_files(tmp_path / "a", small_corpus(3)))
    add(store, tmp_path, "@article{x, doi={10.1000/1}, keywords={rice; yield}}")
    before = members(store)
    if store.dialect == "ladybug":
        for column in ("members", "member_tags"):
            store.write(f"ALTER TABLE Collection DROP {column}")
    else:
        store.write("MATCH (c:Collection) REMOVE c.members, c.member_tags")
    write_meta(store, "schema_version", "8")
    store.close()
    upgraded = open_store(store.location, create=False, upgrade=name_sources)
    load(upgraded, *write_files(tmp_path / "b", [jats(9)]))
    assert members(upgraded) == before == {"doi:10.1000/1": ["rice", "yield"]}
    named = upgraded.read("MATCH (c:Collection) RETURN c.members AS m, c.member_tags AS t")
    assert named.to_pylist() == [{"m": ["doi:10.1000/1"], "t": ["rice\tyield"]}]
    upgraded.close()


def test_tags_are_replaced_also_after_the_id_of_a_paper_changed(
    store: GraphStore, tmp_path: Path
) -> None:
    text = jats(1, [])
    without = text.replace(b'<article-id pub-id-type="doi">10.1000/1</article-id>', b"")
    assert without != text
    load(store, *write_files(tmp_path / "texts", [without]))
    (before,) = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id")["id"].to_pylist()
    row = store.read(
        "MATCH (p:Paper) WHERE p.fulltext RETURN p.title AS t, p.year AS y"
    ).to_pylist()
    entry = f"@article{{x, title={{{row[0]['t']}}}, year={{{row[0]['y']}}}, author={{Shull, G}}"
    add(store, tmp_path, f"{entry}, keywords={{old}}}}")
    assert members(store) == {before: ["old"]}
    load(store, *write_files(tmp_path / "texts", [text]))
    assert members(store) == {"doi:10.1000/1": ["old"]}
    add(store, tmp_path, "@article{x, doi={10.1000/1}, keywords={new}}")
    load(store, *write_files(tmp_path / "more", [jats(7)]))
    assert members(store) == {"doi:10.1000/1": ["new"]}
