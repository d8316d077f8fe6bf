"""Updates: what is brought up to date from changes equals what is resolved anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.ingest.index.files import index_folder
from citescape.ingest.resolve import resolve
from citescape.papers.cypher import run_cypher
from citescape.store.graph_store import GraphStore
from citescape.store.queries import as_query
from citescape.store.state import read_meta
from tests.ingest.papers import load, small_corpus, snapshot, write_files
from tests.ingest.random_changes import (
    SOURCES,
    Changing,
    _paper,
    _works,
    count_updates,
    few_classes,
    index_content,
    load_papers,
    present_index,
)

SEEDS = range(6)
Spy = Counter[str]


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    """See `count_updates`."""
    return count_updates(monkeypatch.setattr)


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """See `few_classes`."""
    few_classes(monkeypatch.setattr)


@pytest.mark.usefixtures("steady")
@pytest.mark.parametrize("seed", SEEDS)
def test_random_changes_give_the_graph_of_a_fresh_ingest(
    fresh_store: Callable[[], GraphStore], spy: Spy, seed: int
) -> None:
    store, rng = fresh_store(), random.Random(seed)
    changing = Changing(store, seed)
    for step in changing.run(6):
        if rng.random() < 0.3:
            check_equals_resolved_anew(store, step)
    check_equals_resolved_anew(store, f"seed {seed}")
    assert spy["_resolve_changes"] >= 4
    assert spy["update_authors"] >= 1

    updated = snapshot(store)
    decisions = store.read(
        "MATCH (d:IdentityDecision) "
        "RETURN d.id AS id, d.kind AS kind, d.first AS first, d.second AS second"
    )
    store = fresh_store()
    changing.decide_again(store, decisions)
    load_papers(store, changing.shuffled(rng))
    resolve(store)
    fresh = snapshot(store)
    for name in updated:
        assert updated[name] == fresh[name], name


def check_equals_resolved_anew(store: GraphStore, step: str) -> None:
    """The graph and its index are those that resolving everything gives."""
    graph, index = snapshot(store), index_content(store)
    resolve(store)
    assert snapshot(store) == graph, step
    assert index_content(store) == index, step


@pytest.mark.parametrize("seed", range(2))
def test_authors_of_a_small_store_are_updated_or_resolved_anew(
    store: GraphStore, spy: Spy, seed: int
) -> None:
    for step in Changing(store, seed).run(3):
        check_equals_resolved_anew(store, step)
    assert spy["_resolve_changes"]


def test_an_index_that_does_not_fit_is_not_used(
    store: GraphStore, spy: Spy, tmp_path: Path
) -> None:
    *papers, last = write_files(tmp_path, small_corpus(5))
    load(store, *papers)
    assert present_index(store) is not None
    state = index_folder(store) / "index.json"
    state.write_text(state.read_text().replace('"stamp": "', '"stamp": "0'))
    load(store, last)
    assert not spy["_resolve_changes"]
    assert present_index(store) is not None


@pytest.mark.parametrize("left", [20, 0])
@pytest.mark.parametrize("name", ["index.json", "rows.arrow", "ids-sorted.npy", "statistics.npz"])
def test_a_damaged_index_is_not_used(
    store: GraphStore, spy: Spy, tmp_path: Path, name: str, left: int
) -> None:
    *papers, last = write_files(tmp_path, small_corpus(5))
    load(store, *papers)
    for path in index_folder(store).rglob(name):
        path.write_bytes(path.read_bytes()[:left])
    load(store, last)
    assert not spy["_resolve_changes"]
    updated = snapshot(store)
    resolve(store)
    assert snapshot(store) == updated


def test_more_changes_than_are_remembered_are_resolved_anew(
    fresh_store: Callable[[], GraphStore], spy: Spy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Papers are joined during the update, which then exceed the limit."""
    rng = random.Random(1)
    works = _works(rng, 14)
    papers = [_paper(rng, works, f"{source}/{n}") for source in SOURCES for n in range(12)]
    store = fresh_store()
    load_papers(store, papers[:30])
    monkeypatch.setattr("citescape.ingest.pending._MOST", len(papers) - 30)
    load_papers(store, papers[30:])
    assert spy["all authors"]
    updated = snapshot(store)
    store = fresh_store()
    load_papers(store, papers)
    assert updated == snapshot(store)


def test_a_store_without_its_index_gets_one(store: GraphStore, spy: Spy, tmp_path: Path) -> None:
    first, second, third = write_files(tmp_path, small_corpus(3))
    load(store, first)
    for path in sorted(index_folder(store).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    load(store, second)
    assert not spy["_resolve_changes"]
    load(store, third)
    assert spy["_resolve_changes"]


def test_after_a_statement_that_writes_everything_is_resolved(
    store: GraphStore, spy: Spy, tmp_path: Path
) -> None:
    first, second = write_files(tmp_path, small_corpus(2))
    load(store, first)
    run_cypher(store, as_query("MATCH (p:Paper) RETURN p.id AS id"), {}, write=True)
    assert present_index(store) is not None
    run_cypher(store, as_query("MATCH (r:Reference) SET r.year = 1999"), {}, write=True)
    assert present_index(store) is None
    load(store, second)
    assert not spy["_resolve_changes"]


def test_a_folder_that_cannot_be_written_has_no_index(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setattr("citescape.ingest.index.files.index_folder", lambda _: blocked / "index")
    first, second = write_files(tmp_path / "papers", small_corpus(2))
    load(store, first)
    load(store, second)
    assert read_meta(store, "resolved") == "yes"


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The index of the test server is kept in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
