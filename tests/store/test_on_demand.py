"""A file opened in Python is locked from the first write on, and reads are up to date."""

from __future__ import annotations

import gc
import subprocess
from pathlib import Path

import ladybug
import pytest

import citescape
from citescape.core.errors import ConfigError, StoreError, StoreLockedError
from citescape.store.graph_store import open_on_demand, open_store
from citescape.store.ladybug import file
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.on_demand import OnDemandStore
from citescape.store.state import read_meta, write_meta
from tests.forks import shared_forks

WRITER = """
import sys
from citescape.store.state import write_meta
from citescape.store.graph_store import open_store
store = open_store(sys.argv[1])
write_meta(store, "colour", sys.argv[2])
store.close()
"""


def write_elsewhere(path: Path, value: str) -> subprocess.CompletedProcess[str]:
    """Writes in another process."""
    return shared_forks().run(WRITER, path, value)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.lbug"


def test_other_processes_may_write_until_the_first_write(path: Path) -> None:
    store = open_on_demand(str(path))
    assert isinstance(store, OnDemandStore)
    for value in ("red", "green"):
        done = write_elsewhere(path, value)
        assert done.returncode == 0, done.stderr
        assert read_meta(store, "colour") == value  # the file is opened again for reading
    write_meta(store, "colour", "blue")
    assert "StoreLockedError" in write_elsewhere(path, "red").stderr
    assert read_meta(store, "colour") == "blue"
    store.unlock()
    assert write_elsewhere(path, "yellow").returncode == 0
    assert read_meta(store, "colour") == "yellow"
    write_meta(store, "colour", "blue")
    store.close()
    assert write_elsewhere(path, "red").returncode == 0


def test_a_write_fails_while_another_process_writes_and_reads_continue(path: Path) -> None:
    store = open_on_demand(str(path))
    waiting = WRITER.replace("store.close()", "print(flush=True); input(); store.close()")
    with shared_forks().start(waiting, path, "green") as writer:
        writer.stdout.readline()
        with pytest.raises(StoreLockedError, match=str(writer.pid)):
            write_meta(store, "colour", "blue")
        assert read_meta(store, "schema_version") is not None
        writer.stdin.write("\n")
    assert read_meta(store, "colour") == "green"
    write_meta(store, "colour", "blue")
    assert read_meta(store, "colour") == "blue"
    store.close()


def test_queries_write_only_with_permission(path: Path) -> None:
    with citescape.open(path, create=True) as corpus:
        with pytest.raises(ConfigError):
            corpus.cypher("CREATE (:Keyword {id: 'k'})")
        assert write_elsewhere(path, "red").returncode == 0  # nothing was locked
        corpus.cypher("CREATE (:Keyword {id: 'k'})", write=True)
        assert corpus.cypher("MATCH (k:Keyword) RETURN k.id AS id").to_dicts() == [{"id": "k"}]
    with citescape.open(path, read_only=True) as corpus, pytest.raises(StoreError):
        corpus.cypher("CREATE (:Keyword {id: 'l'})", write=True)


def test_a_process_opens_a_file_once_while_it_writes(path: Path) -> None:
    """Otherwise the engine would let two handles write, and each would lose writes of the other."""
    with citescape.open(path, create=True) as first, citescape.open(path) as second:
        for corpus in (first, second):
            assert corpus.cypher("MATCH (k:Keyword) RETURN k.id AS id").to_dicts() == []
        first.cypher("CREATE (:Keyword {id: 'k'})", write=True)
        with pytest.raises(StoreLockedError, match="open in this process already"):
            second.cypher("CREATE (:Keyword {id: 'l'})", write=True)
        with pytest.raises(StoreLockedError, match=r"corpus\.close"):
            citescape.open(path, read_only=True)
        second.close()  # a process that closes a file loses all its locks on it
        assert "StoreLockedError" in write_elsewhere(path, "red").stderr
    assert write_elsewhere(path, "red").returncode == 0
    with citescape.open(path) as corpus:
        assert corpus.cypher("MATCH (k:Keyword) RETURN k.id AS id").to_dicts() == [{"id": "k"}]


def test_a_refused_handle_works_after_the_other_is_closed(path: Path) -> None:
    """Also if the other handle has written nothing."""
    second = open_on_demand(str(path))
    first = open_store(str(path))
    for _ in range(2):
        with pytest.raises(StoreLockedError, match="open in this process already"):
            write_meta(second, "colour", "green")
    first.close()
    assert read_meta(second, "colour") is None
    write_meta(second, "colour", "green")
    assert read_meta(second, "colour") == "green"
    second.close()


def test_closing_a_handle_twice_keeps_locks_of_others(path: Path) -> None:
    first = citescape.open(path, create=True)
    first.cypher("CREATE (:Keyword {id: 'a'})", write=True)
    first.close()
    with citescape.open(path) as second:
        second.cypher("CREATE (:Keyword {id: 'b'})", write=True)
        first.close()
        with pytest.raises(StoreLockedError), citescape.open(path) as third:
            third.cypher("CREATE (:Keyword {id: 'c'})", write=True)
        assert "StoreLockedError" in write_elsewhere(path, "red").stderr
        second.cypher("CREATE (:Keyword {id: 'd'})", write=True)
    with citescape.open(path) as corpus:
        ids = corpus.cypher("MATCH (k:Keyword) RETURN k.id AS id ORDER BY id").to_dicts()
    assert [row["id"] for row in ids] == ["a", "b", "d"]


def test_a_change_while_the_file_is_opened_is_seen(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_on_demand(str(path))
    assert isinstance(store, OnDemandStore)
    open_file, left = OnDemandStore._open_file, ["green", "red"]

    def open_and_change(self: OnDemandStore, *, read_only: bool) -> LadybugStore:
        opened = open_file(self, read_only=read_only)
        if left:
            assert write_elsewhere(path, left.pop()).returncode == 0
        return opened

    monkeypatch.setattr(OnDemandStore, "_open_file", open_and_change)
    store._seen = ""
    assert read_meta(store, "colour") is None  # as the file was when it was opened
    assert read_meta(store, "colour") == "red"
    assert read_meta(store, "colour") == "green"
    store.close()


def test_an_incomplete_new_file_is_completed(path: Path) -> None:
    ladybug.Database(path).close()
    with citescape.open(path) as corpus:
        assert corpus.cypher("MATCH (p:Paper) RETURN p.id AS id").to_dicts() == []


def test_a_replaced_file_is_opened_again(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.lbug"
    for place, value in ((path, "red"), (other, "green")):
        assert write_elsewhere(place, value).returncode == 0
    store = open_on_demand(str(path))
    assert read_meta(store, "colour") == "red"
    other.replace(path)
    for _ in range(2):
        assert read_meta(store, "colour") == "green"
    store.close()


def test_a_store_that_was_dropped_unclosed_does_not_block_another_file(tmp_path: Path) -> None:
    """The system gives the number of a deleted file to the next one."""
    store = LadybugStore.open(str(tmp_path / "dropped.lbug"))
    number = (tmp_path / "dropped.lbug").stat().st_ino
    assert number in {inode for _, inode in file._WRITERS}
    del store
    gc.collect()
    assert number not in {inode for _, inode in file._WRITERS}
