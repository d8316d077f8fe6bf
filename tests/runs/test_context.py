"""What a context keeps in memory between steps."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from threading import Event

import pytest

from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.ladybug.adapter import LadybugStore

THREADS = 8


def count_papers(store: GraphStore) -> list[int]:
    """A new list at each call."""
    return [store.read("MATCH (p:Paper) RETURN count(*) AS n")["n"][0].as_py()]


def count_letters(store: GraphStore) -> int:
    return len(store.location)


@contextmanager
def open_file(folder: Path) -> Iterator[GraphStore]:
    with closing(open_store(str(folder / "a.lbug"))) as store:
        yield store


def make_context(store: GraphStore) -> Context:
    context = Context.open("unused.lbug")
    context.use(store)
    return context


def test_what_is_read_is_kept_until_the_store_changes(store: GraphStore) -> None:
    context = make_context(store)
    first = context.hold_current(count_papers)
    assert first == [0]
    assert context.hold_current(count_papers) is first
    store.run("CREATE (:Paper {id: 'key:a'})")
    assert context.hold_current(count_papers) == [1]
    assert context.hold_current(count_letters) == len(store.location)


def test_threads_that_share_it_read_once(tmp_path: Path) -> None:
    """The one that reads does not end before the last thread has come."""
    all_arrived, reads = Event(), count(1)

    def read(_: GraphStore) -> int:
        number = next(reads)
        assert all_arrived.wait(60)
        return number

    def call(context: Context, place: int) -> int:
        if place == THREADS - 1:
            all_arrived.set()
        return context.hold_current(read)

    with open_file(tmp_path) as store, ThreadPoolExecutor(THREADS) as pool:
        contexts = [make_context(store) for _ in range(THREADS)]
        for context in contexts[1:]:
            context.share(contexts[0]._held)
        assert list(pool.map(call, contexts, range(THREADS))) == [1] * THREADS
        store.run("CREATE (:Paper {id: 'key:a'})")
        all_arrived.clear()
        assert list(pool.map(call, contexts, range(THREADS))) == [2] * THREADS


def test_a_reading_that_fails_is_repeated(tmp_path: Path) -> None:
    reads = count()

    def read(_: GraphStore) -> int:
        return 10 // next(reads)

    with open_file(tmp_path) as store:
        context = make_context(store)
        with pytest.raises(ZeroDivisionError):
            context.hold_current(read)
        assert context.hold_current(read) == 10


def test_a_store_without_revisions_is_read_at_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LadybugStore, "revision", lambda _: "")
    with open_file(tmp_path) as store:
        context = make_context(store)
        assert context.hold_current(count_papers) is not context.hold_current(count_papers)
