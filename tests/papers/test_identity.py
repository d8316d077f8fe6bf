"""Decisions of users on what is one work: they last, and can be undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.papers.identify import find_paper
from citescape.papers.identity import (
    join_works,
    list_decisions,
    show_identity,
    split_works,
    undo_decision,
)
from citescape.runs.result import to_text
from citescape.store.graph_store import GraphStore
from tests.ingest.converters import as_tei
from tests.ingest.papers import Cited, jats, load, small_corpus, snapshot, write_files

PEAS, PEAS_PMID = "doi:10.9999/peas1", "pmid:77"


def works(store: GraphStore, column: str, value: str) -> set[str]:
    text = f"MATCH (r:Reference)-[:MATCHES]->(p:Paper) WHERE r.{column} = $value RETURN p.id AS id"
    return {*store.read(text, value=value)["id"].to_pylist()}


def book_names(store: GraphStore) -> list[str]:
    text = "MATCH (r:Reference) WHERE r.title = 'A book' RETURN DISTINCT r.key AS key ORDER BY key"
    return [f"key:{key}" for key in store.read(text)["key"].to_pylist()]


def test_split_names_are_different_works_until_it_is_undone(
    store: GraphStore, tmp_path: Path
) -> None:
    load(store, *write_files(tmp_path, small_corpus(6)))
    before = snapshot(store)
    assert works(store, "pmid", "77") == {PEAS}
    result = split_works(store, "10.9999/peas1", PEAS_PMID, progress=silent)
    assert (result.first, result.second) == ((PEAS,), (PEAS_PMID,))
    assert works(store, "pmid", "77") == {PEAS, PEAS_PMID}
    assert "different works" in to_text(result.summarise())
    assert list_decisions(store).decisions["kind"].to_pylist() == ["split"]
    assert undo_decision(store, PEAS_PMID, PEAS, progress=silent).second == (PEAS,)
    assert snapshot(store) == before


def test_joined_names_are_one_work_until_it_is_undone(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus(8)))
    before, (first, second) = snapshot(store), book_names(store)
    result = join_works(store, first, second, progress=silent)
    assert result.first == result.second == (first,)
    assert to_text(result.summarise()).startswith("one work:")
    matched = "MATCH (:Reference)-[m:MATCHES]->(p:Paper {id: $id}) RETURN m.matched_by AS how"
    assert {*store.read(matched, id=first)["how"].to_pylist()} == {"title", "decision"}
    split_works(store, first, second, progress=silent)  # in place of the other decision
    assert list_decisions(store).decisions["kind"].to_pylist() == ["split"]
    undo_decision(store, first, second, progress=silent)
    assert snapshot(store) == before


def test_decisions_last_and_do_not_depend_on_when_they_are_made(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    paths = write_files(tmp_path, small_corpus(8))

    def decide(store: GraphStore) -> None:
        split_works(store, PEAS, PEAS_PMID, progress=silent)
        join_works(store, *book_names(store), progress=silent)

    store = fresh_store()
    load(store, *paths)
    decide(store)
    after = snapshot(store)
    store = fresh_store()
    load(store, *paths[:6])
    decide(store)
    load(store, *paths[6:])
    assert snapshot(store) == after
    load(store, *paths)
    assert snapshot(store) == after


def test_papers_of_two_sources_are_joined_as_records_of_one(
    store: GraphStore, tmp_path: Path
) -> None:
    papers = small_corpus(4)
    other = jats(70, [], title="A thesis on maize", doi="10.2000/thesis7")
    load(store, *write_files(tmp_path / "jats", papers))
    load(store, *write_files(tmp_path / "tei", [as_tei(other)]))
    before = snapshot(store)
    result = join_works(store, "10.1000/2", "10.2000/thesis7", progress=silent)
    assert result.first == result.second == ("doi:10.1000/2",)
    read = "MATCH (p:Paper {id: 'doi:10.1000/2'}) RETURN p.sources AS sources"
    assert store.read(read)["sources"].to_pylist() == [["jats", "tei"]]
    shown = show_identity(store, "10.1000/2")
    assert shown.records["name"].to_pylist() == ["doi:10.1000/2", "doi:10.2000/thesis7"]
    load(store, *write_files(tmp_path / "jats", papers))  # nothing new
    assert store.read(read)["sources"].to_pylist() == [["jats", "tei"]]
    undo_decision(store, "10.1000/2", "10.2000/thesis7", progress=silent)
    assert snapshot(store) == before


def test_an_id_that_only_an_entry_prints_finds_its_work(store: GraphStore, tmp_path: Path) -> None:
    title = "The inheritance of colour in maize"
    cited = [
        Cited(title, doi=f"10.1000/{doi}", volume="5", page="12")
        for doi in ("real1", "real1", "typo1")
    ]
    load(store, *write_files(tmp_path, [jats(n, [one]) for n, one in enumerate(cited)]))
    assert find_paper(store, "10.1000/typo1").id == "doi:10.1000/real1"


def test_a_work_is_shown_with_names_and_decisions(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus(6)))
    shown = show_identity(store, "10.9999/peas1")
    assert {*shown.entries["name"].to_pylist()} == {PEAS, PEAS_PMID}
    assert {*shown.entries["matched_by"].to_pylist()} == {"doi", "pmid"}
    text = to_text(shown.summarise())
    assert "Experiments in plant hybridization" in text
    assert "decision" not in text
    split_works(store, PEAS, PEAS_PMID, progress=silent)
    assert "split" in to_text(show_identity(store, PEAS).summarise())
    loaded = show_identity(store, "10.1000/1")
    assert loaded.records.to_pylist()[0]["source"] == "jats"


def test_decisions_that_change_nothing_are_refused(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus(4)))
    before = snapshot(store)
    with pytest.raises(ConfigError, match="no entry, record or paper has the name"):
        join_works(store, PEAS, "10.1/none1", progress=silent)
    with pytest.raises(ConfigError, match="are one work already: doi:"):
        join_works(store, PEAS, PEAS_PMID, progress=silent)
    with pytest.raises(ConfigError, match="is given twice"):
        split_works(store, PEAS, PEAS, progress=silent)
    with pytest.raises(ConfigError, match="are different works already"):
        split_works(store, PEAS, "10.1000/1", progress=silent)
    with pytest.raises(ConfigError, match=r"are papers of the same source \(jats\)"):
        join_works(store, "10.1000/1", "10.1000/2", progress=silent)
    with pytest.raises(ConfigError, match=r"no decision on .*; `platform identity list`"):
        undo_decision(store, PEAS, PEAS_PMID, progress=silent)
    assert snapshot(store) == before
