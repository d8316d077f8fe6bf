"""The embedded store, and the guard against keys it loses."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import ladybug as engine
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.store.graph_store import Change
from citescape.store.ladybug import keys as ladybug_keys
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.ladybug.file import explain
from citescape.store.ladybug.keys import lost_rows, pieces, repair
from citescape.store.schema import NODE, TABLE
from tests.forks import shared_forks
from tests.ingest.papers import load, small_corpus, snapshot, write_files


@pytest.fixture
def ladybug(tmp_path: Path) -> Iterator[LadybugStore]:
    store = LadybugStore.open(str(tmp_path / "s.lbug"))
    yield store
    store.close()


def keywords(*texts: str) -> Change:
    rows = pa.table({"id": list(texts), "text": list(texts)}, TABLE["Keyword"].arrow)
    return Change("insert", "Keyword", rows)


def numbered(first: int, count: int) -> Change:
    return keywords(*(f"k{i}" for i in range(first, first + count)))


def test_nodes_are_inserted_in_parts_of_half_the_table_size(
    ladybug: LadybugStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ladybug_keys, "SMALLEST_PIECE", 4)
    change = numbered(0, 30)
    assert [piece.rows.num_rows for piece in pieces(ladybug, change)] == [30]
    ladybug.apply([change])
    more = numbered(30, 100)
    cut = list(pieces(ladybug, more))
    assert [piece.rows.num_rows for piece in cut] == [15, 22, 33, 30]
    assert pa.concat_tables([piece.rows for piece in cut]).equals(more.rows)


def test_relationships_are_inserted_in_parts_and_other_changes_at_once(
    ladybug: LadybugStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ladybug_keys, "_RELATIONSHIPS", 4)
    rows = pa.table({"from": ["a"] * 10, "to": ["b"] * 10})
    cut = [piece.rows.num_rows for piece in pieces(ladybug, Change("insert", "HAS_KEYWORD", rows))]
    assert cut == [3, 3, 4]
    assert len(list(pieces(ladybug, Change("delete", "HAS_KEYWORD", rows)))) == 1


def test_a_healthy_table_has_no_lost_rows(ladybug: LadybugStore):
    for change in (numbered(0, 3_000), numbered(3_000, 100)):
        ladybug.apply([change], atomic=True)
        assert lost_rows(ladybug, change).num_rows == 0


def test_keys_that_cannot_be_looked_up_are_detected_as_lost(ladybug: LadybugStore):
    change = keywords("a", "b")
    ladybug.apply([change])
    ladybug.write("MATCH (k:Keyword {id: 'b'}) DELETE k")
    missing = Change("insert", "Keyword", keywords("c").rows)
    assert lost_rows(ladybug, missing).num_rows == 0  # all rows of a small table are looked up
    ladybug.apply([numbered(0, 100)])
    assert lost_rows(ladybug, missing)["id"].to_pylist() == ["c"]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four papers."""
    folder = tmp_path_factory.mktemp("papers")
    write_files(folder, small_corpus(4))
    return folder


@pytest.fixture(scope="module")
def loaded(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LadybugStore]:
    """A store with the four papers."""
    store = LadybugStore.open(str(tmp_path_factory.mktemp("loaded") / "s.lbug"))
    load(store, papers)
    yield store
    store.close()


@pytest.mark.parametrize("label", ["Paper", "Section", "Author", "Keyword"])
def test_a_reinserted_row_keeps_its_relationships(loaded: LadybugStore, label: str):
    before = snapshot(loaded)
    ids = loaded.read(f"MATCH (n:{label}) RETURN n.id AS id ORDER BY n.id LIMIT 2")
    again = repair(loaded, NODE[label], ids)
    assert (
        loaded.read(
            f"MATCH (n:{label}) WHERE n.id IN $ids RETURN n.id", ids=ids["id"].to_pylist()
        ).num_rows
        == 0
    )
    loaded.apply(again, atomic=True)
    assert snapshot(loaded) == before


def test_a_commit_that_loses_a_key_is_repaired(
    ladybug: LadybugStore, monkeypatch: pytest.MonkeyPatch
):
    """The engine's error is rare; here the look-up reports a lost key once."""
    calls: list[int] = []

    def lost_once(engine: LadybugStore, change: Change) -> pa.Table:
        calls.append(1)
        return change.rows.select(["id"]).slice(0, 1 if len(calls) == 1 else 0)

    monkeypatch.setattr("citescape.store.ladybug.adapter.lost_rows", lost_once)
    ladybug.apply([keywords("a", "b")])
    assert len(calls) == 2
    assert ladybug.read("MATCH (k:Keyword) RETURN k.id AS id ORDER BY id")["id"].to_pylist() == [
        "a",
        "b",
    ]


def test_keys_that_stay_lost_stop_the_load(ladybug: LadybugStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "citescape.store.ladybug.adapter.lost_rows", lambda _, change: change.rows.select(["id"])
    )
    with pytest.raises(StoreError, match="lost 1 keys of Keyword"):
        ladybug.apply([keywords("a")])


KILLED = """
import os, signal, sys
from pathlib import Path
from citescape.store.ladybug import adapter
from citescape.store.graph_store import open_store
from tests.ingest.papers import load

def first_lost(engine, change):
    return change.rows.select(["id"]).slice(0, 1 if change.table == sys.argv[3] else 0)

adapter.lost_rows = first_lost
adapter.LadybugStore._insert_again = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
load(open_store(sys.argv[2]), Path(sys.argv[1]))
"""


@pytest.mark.parametrize("label", ["Paper", "Section", "Keyword"])
def test_an_interrupted_repair_is_completed_when_the_store_is_opened(
    loaded: LadybugStore, papers: Path, tmp_path: Path, label: str
):
    """The process is killed after a row is deleted and before it is inserted again."""
    path = str(tmp_path / "killed.lbug")
    done = shared_forks().run(KILLED, papers, path, label)
    assert done.returncode == -signal.SIGKILL, done.stderr
    store = LadybugStore.open(path)
    load(store, papers)
    assert without_repair(store) == without_repair(loaded)
    store.close()


def without_repair(store: LadybugStore) -> dict[str, list[str]]:
    content = snapshot(store)
    content["Meta"] = [row for row in content["Meta"] if "'repair'" not in row]
    return content


def test_a_file_without_tables_is_not_a_store(tmp_path: Path):
    (tmp_path / "empty.lbug").touch()
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(StoreError, match=r"no store at .*empty\.lbug; load papers"):
            LadybugStore.open(str(tmp_path / "empty.lbug"), **options)
    LadybugStore.open(str(tmp_path / "empty.lbug")).close()
    LadybugStore.open(str(tmp_path / "empty.lbug"), read_only=True).close()


@pytest.mark.parametrize("left", ["shadow", "wal.checkpoint"])
def test_readers_complete_the_checkpoint_of_a_killed_writer(left: str, tmp_path: Path):
    """The engine opens such a file only for writing."""
    path = tmp_path / "s.lbug"
    store = LadybugStore.open(str(path))
    store.apply([numbered(0, 5)])
    store.close()
    path.with_name(f"s.lbug.{left}").touch()
    store = LadybugStore.open(str(path), read_only=True)
    assert len(store.read("MATCH (k:Keyword) RETURN k.id AS id")) == 5
    store.close()


WRITER = """
import sys
from itertools import count
import pyarrow as pa
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.graph_store import Change
store = LadybugStore.open(sys.argv[1])
for k in count():
    names = [f"k{k}-{i}" for i in range(20_000)]
    store.apply([Change("insert", "Keyword", pa.table({"id": names, "text": names}))])
    store.write("CHECKPOINT")
"""


def test_a_writer_killed_at_a_checkpoint_loses_no_commit(tmp_path: Path):
    path = tmp_path / "s.lbug"
    with shared_forks().start(WRITER, path) as writer:
        while not list(tmp_path.glob("s.lbug.*checkpoint*")):
            assert writer.poll() is None
        writer.kill()
    store = LadybugStore.open(str(path), read_only=True)
    count = store.read("MATCH (k:Keyword) RETURN count(k) AS n")["n"][0].as_py()
    store.close()
    assert count % 20_000 == 0, "each insertion is there whole, or not at all"


def test_readers_wait_for_the_process_that_completes_a_checkpoint(tmp_path: Path):
    path = tmp_path / "s.lbug"
    LadybugStore.open(str(path)).close()
    path.with_name("s.lbug.shadow").touch()
    code = "import sys; from citescape.store.ladybug.adapter import LadybugStore as S\n"
    code += "S.open(sys.argv[1], read_only=True).close()"
    with ExitStack() as stack:
        readers = [stack.enter_context(shared_forks().start(code, path)) for _ in range(4)]
        assert [reader.wait() for reader in readers] == [0] * 4


@pytest.mark.parametrize("failures", [2, 99])
def test_readers_try_again_where_a_log_may_be_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    LadybugStore.open(path := str(tmp_path / "s.lbug")).close()
    opened, tries = engine.Database, []

    def open_database(*args: object, **named: object) -> engine.Database:
        tries.append(args)
        if len(tries) <= failures:
            raise RuntimeError("Checksum verification failed, the WAL file is corrupted.")
        return opened(*args, **named)

    monkeypatch.setattr(engine, "Database", open_database)
    if failures == 2:
        LadybugStore.open(path, read_only=True).close()
    else:
        with pytest.raises(StoreError, match="if another process writes to it, try again later"):
            LadybugStore.open(path, read_only=True)
    assert len(tries) == min(failures + 1, 5)


def test_errors_without_a_message_are_reported():
    assert explain("", "x.lbug") == "x.lbug: ladybug failed without a message"
    assert explain(" \nfirst\nsecond", "x.lbug") == "x.lbug: first"


def test_row_writes_may_quote_columns_and_name_missing_columns(ladybug: LadybugStore):
    ladybug.apply([keywords("a")])
    rows = pa.table({"id": ["a"], "new text": ["b"], "text": ["c"]})
    text = "UNWIND $rows AS row MATCH (k:Keyword {id: row.`id`}) SET k.text = row.`text`"
    ladybug.write(text, rows)
    assert snapshot(ladybug)["Keyword"] == ["{'id': 'a', 'text': 'c'}"]
    with pytest.raises(ConfigError, match="needs column text; given: id"):
        ladybug.write(text, rows.select(["id"]))


def test_atomic_changes_happen_together_or_not_at_all(ladybug: LadybugStore):
    ladybug.apply([keywords("a")])
    with pytest.raises(StoreError):
        ladybug.apply([keywords("b"), keywords("a")], atomic=True)
    assert snapshot(ladybug)["Keyword"] == ["{'id': 'a', 'text': 'a'}"]
    ladybug.apply([keywords("b")], atomic=True)
    assert len(snapshot(ladybug)["Keyword"]) == 2


def test_a_missing_parameter_and_a_write_without_rows_are_refused(ladybug: LadybugStore):
    with pytest.raises(ConfigError, match=r"needs parameter \$x"):
        ladybug.read("RETURN $x")
    with pytest.raises(ConfigError, match="UNWIND"):
        ladybug.write("MATCH (k:Keyword) SET k.text = ''", keywords("a").rows)


def test_tables_passed_to_the_engine_are_released(ladybug: LadybugStore):
    """A connection keeps the tables of its statements, so each commit gets a new connection."""
    held = pa.total_allocated_bytes()
    for first in range(0, 60_000, 6_000):
        ladybug.apply([numbered(first, 6_000)], atomic=True)
    assert pa.total_allocated_bytes() - held < 300_000
    assert ladybug.read("MATCH (k:Keyword) RETURN count(*) AS n")["n"].to_pylist() == [60_000]


def test_integer_sums_are_integers(ladybug: LadybugStore):
    total = ladybug.read("UNWIND [1, 2] AS n RETURN sum(n) AS total")
    assert total.schema.field("total").type == pa.int64()


def test_an_update_by_replacement_equals_an_update_in_place(
    ladybug: LadybugStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    other = LadybugStore.open(str(tmp_path / "other.lbug"))
    papers = [f"p{i}" for i in range(30)]
    nodes = pa.Table.from_pylist([{"id": p} for p in papers], TABLE["Paper"].arrow)
    edges = [
        {"from": p, "to": q, "mentions": i, "self_citation": i % 3 == 0, "importance": 0.5}
        for i, (p, q) in enumerate(pairwise(papers))
    ]
    pairs = pa.Table.from_pylist(edges, TABLE["CITES"].arrow)
    wanted = pa.table(
        {
            "from": [*papers[:10], "nobody"],
            "to": [*papers[1:11], "nobody"],
            "importance": [i / 7 for i in range(10)] + [0.0],
            "run": ["r"] * 9 + [None, "r"],
        }
    )
    monkeypatch.setattr("citescape.store.ladybug.adapter._MANY", 5)
    for store, rows in ((ladybug, [wanted]), (other, [wanted.slice(i, 1) for i in range(11)])):
        store.apply([Change("insert", "Paper", nodes), Change("insert", "CITES", pairs)])
        for part in rows:
            store.apply([Change("update", "CITES", part)])
    assert snapshot(ladybug) == snapshot(other)
    text = (
        "MATCH ()-[c:CITES]->() RETURN count(*) AS n, sum(c.mentions) AS m, max(c.importance) AS x"
    )
    assert ladybug.read(text).to_pylist() == [{"n": 29, "m": sum(range(29)), "x": 9 / 7}]
    other.close()


def test_the_number_of_threads_stays(tmp_path: Path):
    """Also on the connections that follow a table passed to the engine, and a failed write."""
    setting = "CALL current_setting('threads') RETURN *"
    store = LadybugStore.open(str(tmp_path / "s.lbug"), threads=1)
    assert store.read(setting).to_pylist() == [{"threads": "1"}]
    store.apply([keywords("a", "b")])
    assert store.read(setting).to_pylist() == [{"threads": "1"}]
    with pytest.raises(StoreError):
        store.apply([keywords("a")])
    assert store.read(setting).to_pylist() == [{"threads": "1"}]
    store.close()
