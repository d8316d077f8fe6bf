"""Whole graphs of shards in stores: the rows of an ingest of the same files, or none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import citescape
from citescape.core.errors import StoreError
from citescape.ingest.overview import read_overview
from citescape.papers.loading import tables
from citescape.papers.loading.load import LoadResult
from citescape.papers.steps import Load
from citescape.runs.context import Context, run
from citescape.store.graph_store import open_store
from citescape.store.neo4j.adapter import Neo4jStore
from citescape.store.state import IMPORTANCE_RUN, LOADING, SHARDS, read_importance_run
from tests.conftest import empty_neo4j
from tests.ingest.papers import jats, load, snapshot, write_files
from tests.papers.loading.conftest import Corpus
from tests.papers.loading.shards import read_all, sorted_rows


def test_a_whole_load_has_all_rows_of_the_ingest(corpus: Corpus, place: str) -> None:
    with citescape.open(place, create=True) as graph:
        result = graph.load(corpus.shards.storage.address)
    expected = sorted_rows(corpus.tables)
    assert read_all(place) == expected
    assert result.rows == {name: len(expected[name]) for name in result.rows}
    assert (result.papers, result.unchanged, result.next) == (len(corpus.loaded), False, "score")
    empty = {name for name, rows in expected.items() if not rows}
    assert {"HAS_SUBJECT", "Run"} < empty
    assert not empty & {"Record", "Notice", "STATES", "VERSION_OF", "HAS_MESH", "SUBSECTION_OF"}


def test_relationships_are_written_in_several_transactions(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several parts in each, one part in each."""
    for number, size in enumerate((400, 1)):
        monkeypatch.setattr("citescape.papers.loading.load._BYTES", size)
        location = str(tmp_path / f"{number}.lbug")
        load_into(location, corpus.shards.storage.address)
        assert read_all(location) == sorted_rows(corpus.tables)


@pytest.mark.parametrize("name", ["it's", "a[1]", "st*r?", "back\\\\slash", 'q"uote {x} $y é'])
def test_the_folder_of_a_store_may_have_any_name(corpus: Corpus, tmp_path: Path, name: str) -> None:
    """The engine reads names of files as patterns."""
    location = tmp_path / name / "a.lbug"
    load_into(location, corpus.shards.storage.address)
    assert read_all(str(location)) == sorted_rows(corpus.tables)
    assert [path.name for path in location.parent.iterdir()] == ["a.lbug"]


def test_the_same_load_again_changes_nothing_and_another_is_refused(
    corpus: Corpus, place: str
) -> None:
    address = corpus.shards.storage.address
    with citescape.open(place, create=True) as graph:
        graph.load(address)
        before = snapshot(graph.store)
        again = graph.load(address)
        assert (again.unchanged, again.papers) == (True, len(corpus.loaded))
        assert again.rows["CITES"] == corpus.tables["CITES"].num_rows
        with pytest.raises(StoreError, match=r"holds .*, all papers already; .* new or an empty"):
            graph.load(address, where="year >= 2000")
        with pytest.raises(StoreError, match=r"holds .* already"):
            graph.load(corpus.scored_shards.storage.address)
        assert snapshot(graph.store) == before


def test_a_store_with_other_papers_is_refused(corpus: Corpus, place: str, tmp_path: Path) -> None:
    with closing(open_store(place)) as store:
        load(store, *write_files(tmp_path / "in", [jats(77)]))
        before = snapshot(store)
    with citescape.open(place) as graph:
        with pytest.raises(StoreError, match="holds papers already; expected a new or an empty"):
            graph.load(corpus.shards.storage.address)
        assert snapshot(graph.store) == before


def test_a_loaded_store_goes_on_as_if_its_papers_had_been_ingested(
    corpus: Corpus, place: str, fresh_place: Callable[[], str], tmp_path: Path
) -> None:
    """More papers, a correction, and the same files again."""
    new = write_files(tmp_path / "new", [jats(50, title="Weedy rice", text="On rice.")])
    with citescape.open(place, create=True) as graph:
        graph.load(corpus.shards.storage.address)
        assert graph.ingest([corpus.sources, *new], workers=1).status["loaded"] == 1
        found = snapshot(graph.store)
    with citescape.open(fresh_place(), create=True) as graph:
        graph.ingest([corpus.sources, *new], workers=1)
        expected = snapshot(graph.store)
    assert without_origin(found) == expected


def without_origin(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """Rows of a store without those of Meta that only a load writes."""
    own = (SHARDS, LOADING, IMPORTANCE_RUN)
    meta = [row for row in found["Meta"] if not any(f"'id': '{name}'" in row for name in own)]
    return {**found, "Meta": meta}


def test_scores_and_their_run_are_loaded(corpus: Corpus, place: str) -> None:
    with citescape.open(place, create=True) as graph:
        result = graph.load(corpus.scored_shards.storage.address)
        assert result.next == ""
        assert read_importance_run(graph.store) == corpus.run
        overview = read_overview(graph.store)
        assert [(run["id"], run["current"]) for run in overview.runs] == [(corpus.run, True)]
        assert overview.pending == ""
    assert read_all(place) == sorted_rows(corpus.scored_tables)


def test_the_overview_names_the_shards(corpus: Corpus, tmp_path: Path) -> None:
    address = corpus.scored_shards.storage.address
    with citescape.open(tmp_path / "a.lbug", create=True) as graph:
        graph.load(address, where="year >= 2000", around="10.1000/3", hops=2)
        shards = graph.status().shards
        assert shards == {
            "address": address,
            "slice": "papers with year >= 2000; papers within 2 citations of 10.1000/3",
            "id": corpus.scored_shards.id,
            "scores": corpus.run,
            "labels": {},
            "vectors": "",
        }
        assert f"loaded from {address}, papers with year" in str(graph.status())


def load_into(location: Path | str, address: str, **settings: Any) -> LoadResult:
    """Loads as the command does, which opens the store itself."""
    return run(Load(address, **settings), Context.open(location))


class Stop(BaseException):
    """Ends the process as a signal would: nothing catches it."""


@pytest.mark.parametrize("moment", [0, 3, 17, 24])
def test_an_interrupted_load_into_a_file_leaves_nothing(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """Errors at several tables, also in a store that was there, empty."""
    location, address = tmp_path / "a.lbug", corpus.shards.storage.address
    read = tables.WholeGraph.read

    def failing(self: Any, name: str, columns: Any = None) -> Any:
        if name == tables.TABLES[moment]:
            raise Stop
        return read(self, name, columns)

    for is_new in (True, False):
        if not is_new:
            open_store(str(location)).close()
        with monkeypatch.context() as patch:
            patch.setattr(tables.WholeGraph, "read", failing)
            with pytest.raises(Stop):
                load_into(location, address)
        assert [path.name for path in tmp_path.iterdir()] == ([] if is_new else ["a.lbug"])
    assert not any(read_all(str(location)).values())
    load_into(location, address)
    assert read_all(str(location)) == sorted_rows(corpus.tables)


def test_what_a_killed_load_left_is_removed(corpus: Corpus, tmp_path: Path) -> None:
    open_store(str(tmp_path / "a.lbug")).close()
    for name in (".a.lbug.loading", ".a.lbug.loading.wal"):
        (tmp_path / name).write_text("half a store")
    with citescape.open(tmp_path / "a.lbug") as graph:
        graph.load(corpus.shards.storage.address)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.lbug"]


@pytest.mark.parametrize("moment", [1, 9, 20])
def test_neo4j_load_is_completed_by_the_same_command(
    corpus: Corpus, neo4j_server: Any, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    uri, address = neo4j_server.uri, corpus.scored_shards.storage.address
    empty_neo4j(uri)
    apply, done = Neo4jStore.apply, []

    def failing(self: Neo4jStore, changes: Any, **options: Any) -> None:
        if len(done) == moment:
            raise Stop
        done.append(changes)
        apply(self, changes, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Neo4jStore, "apply", failing)
        with pytest.raises(Stop):
            load_into(uri, address)
    for read_only in (False, True):
        with pytest.raises(StoreError, match=r"a part of a graph of shards only.*run the same"):
            open_store(uri, read_only=read_only)
    with pytest.raises(StoreError, match=r"has a part of .*scored, all papers: a load was inter"):
        load_into(uri, address, where="year > 1900")
    assert not load_into(uri, address).unchanged
    assert read_all(uri) == sorted_rows(corpus.scored_tables)
    assert load_into(uri, address).unchanged
