"""Updates: what is brought up to date from changes equals what is resolved anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from citescape.core.counts import Counts
from citescape.ingest import author_pairs, author_scores, author_statistics, author_updates
from citescape.ingest import authors as author_module
from citescape.ingest import resolve as resolve_module
from citescape.ingest.index.files import StoreIndex, index_folder, open_index
from citescape.ingest.resolve import resolve
from citescape.store.graph_store import GraphStore
from citescape.store.state import read_meta
from tests.ingest.papers import load, small_corpus, snapshot, write_files
from tests.ingest.random_changes import Changing, load_papers

SEEDS = range(6)
Spy = Counter[str]


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    """Counts updates; small stores are updated too, however much of them changes."""
    counted: Spy = Counter()
    monkeypatch.setattr(resolve_module, "_LARGEST_SHARE", 1e9)
    monkeypatch.setattr(author_updates, "_LARGEST_SHARE", 1e9)
    for name in ("_resolve_changes", "update_authors"):
        monkeypatch.setattr(resolve_module, name, _count(counted, getattr(resolve_module, name)))
    return counted


def _count(counted: Spy, function: Callable[..., object]) -> Callable[..., object]:
    def call(*args: object, **named: object) -> object:
        result = function(*args, **named)
        counted[function.__name__ if result is not None else "all authors"] += 1
        return result

    return call


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small store, too, has few classes of frequencies and one model, so that authors seldom
    need to be resolved anew."""

    def few_classes(number: object) -> object:
        return np.where(np.asarray(number) > 6, 64, np.where(np.asarray(number) > 0, 4, 0))

    model = author_scores.estimate_model(author_scores.no_pairs())
    for module in (author_pairs, author_scores, author_statistics, author_updates):
        monkeypatch.setattr(module, "round_count", few_classes)
    for module in (author_scores, author_updates, author_module):
        monkeypatch.setattr(module, "estimate_model", lambda _: model)


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
    papers = list(changing.papers.values())
    decisions = store.read(
        "MATCH (d:IdentityDecision) "
        "RETURN d.id AS id, d.kind AS kind, d.first AS first, d.second AS second"
    )
    store = fresh_store()
    rng.shuffle(papers)
    changing.decide_again(store, decisions)
    load_papers(store, papers)
    resolve(store)
    fresh = snapshot(store)
    for name in updated:
        assert updated[name] == fresh[name], name


def check_equals_resolved_anew(store: GraphStore, step: str) -> None:
    """The graph and its index are those that resolving everything gives."""
    graph, index = snapshot(store), content(store)
    resolve(store)
    assert snapshot(store) == graph, step
    assert content(store) == index, step


def content(store: GraphStore) -> dict[str, object]:
    """Content of the index of a store, without regard to order."""
    index = present_index(store)
    assert index is not None
    assert index.statistics is not None
    names, pairs = index.statistics.names, index.statistics.pairs
    return {
        **{
            name: sorted(map(repr, rows.whole().to_pylist())) for name, rows in index.tables.items()
        },
        "papers in all": index.statistics.papers,
        "names": (counted(names.values), counted(names.sums)),
        "pairs": (pairs.signatures, counted(pairs.fitting), pairs.chance.tolist()),
        "contradictions": pairs.contradictions.tolist(),
    }


def counted(counts: Counts) -> list[tuple[int, int]]:
    rows = zip(counts.keys.tolist(), counts.numbers.tolist(), strict=True)
    return [(key, number) for key, number in rows if number]


def present_index(store: GraphStore) -> StoreIndex | None:
    return open_index(store, read_meta(store, "resolved"))


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


@pytest.mark.parametrize("name", ["index.json", "rows.arrow", "ids-sorted.npy", "statistics.npz"])
def test_a_damaged_index_is_not_used(
    store: GraphStore, spy: Spy, tmp_path: Path, name: str
) -> None:
    *papers, last = write_files(tmp_path, small_corpus(5))
    load(store, *papers)
    for path in index_folder(store).rglob(name):
        path.write_bytes(path.read_bytes()[:20])
    load(store, last)
    assert not spy["_resolve_changes"]
    updated = snapshot(store)
    resolve(store)
    assert snapshot(store) == updated


def test_a_store_without_its_index_gets_one(store: GraphStore, spy: Spy, tmp_path: Path) -> None:
    first, second, third = write_files(tmp_path, small_corpus(3))
    load(store, first)
    for path in sorted(index_folder(store).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    load(store, second)
    assert not spy["_resolve_changes"]
    load(store, third)
    assert spy["_resolve_changes"]


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
