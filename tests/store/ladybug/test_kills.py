"""Transactions that are killed during a commit, and truncated logs."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import StoreError, StoreLockedError
from citescape.store.graph_store import Change
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.schema import TABLE
from citescape.store.state import read_meta, write_meta
from citescape.store.statements import read_text
from tests.forks import shared_forks

PAPERS = 3_000


def pairs(run: str) -> pa.Table:
    """Rows of CITES, one per paper."""
    ids = [f"p{i:04}" for i in range(PAPERS)]
    rows = {"from": ids, "to": ids[1:] + ids[:1], "mentions": range(PAPERS), "run": [run] * PAPERS}
    schema = TABLE["CITES"].arrow
    return pa.table(
        {
            name: pa.array(rows[name], schema.field(name).type)
            if name in rows
            else pa.nulls(PAPERS, schema.field(name).type)
            for name in schema.names
        }
    )


def papers() -> pa.Table:
    schema = TABLE["Paper"].arrow
    ids = pairs("")["from"]
    columns = {name: pa.nulls(PAPERS, schema.field(name).type) for name in schema.names}
    return pa.table({**columns, "id": ids})


def runs(store: LadybugStore) -> dict[str, int]:
    """Number of citations by run."""
    rows_ = store.read("MATCH ()-[c:CITES]->() RETURN c.run AS run, count(*) AS n")
    return dict(zip(rows_["run"].to_pylist(), rows_["n"].to_pylist(), strict=True))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of papers that cite each other."""
    path = tmp_path_factory.mktemp("filled") / "s.lbug"
    store = LadybugStore.open(str(path))
    store.apply([Change("insert", "Paper", papers()), Change("insert", "CITES", pairs("old"))])
    store.close()
    return path


CHANGES = {
    "update": 'store.apply([Change("update", "CITES", new.select(["from", "to", "run"]))])',
    "atomic": 'store.apply([Change("delete", "CITES", new), Change("insert", "CITES", new)], '
    "atomic=True)",
    "repair": """
with store._transaction():
    again = repair(store, NODE["Paper"], new.select(["from"]).rename_columns(["id"]).slice(0, 5))
    write_meta(store, REPAIR, as_text(again))
store._complete_repair()""",
}
WRITER = """
import sys
from pyarrow.parquet import read_table
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.ladybug.keys import REPAIR, as_text, repair
from citescape.store.schema import NODE
from citescape.store.state import write_meta
from citescape.store.graph_store import Change
store, new = LadybugStore.open(sys.argv[1]), read_table(sys.argv[2])
print("open", flush=True)
"""


@pytest.mark.parametrize("change", CHANGES)
def test_a_transaction_killed_at_a_checkpoint_is_complete(
    change: str, filled: Path, tmp_path: Path
) -> None:
    """Rows that ladybug copies are not in its log: next to logged rows they would be lost."""
    path = tmp_path / "s.lbug"
    shutil.copy(filled, path)
    pq.write_table(pairs("new"), tmp_path / "new.parquet")
    script = WRITER + CHANGES[change] + "\nstore.close()"
    with shared_forks().start(script, path, tmp_path / "new.parquet") as writer:
        assert writer.stdout.readline() == "open\n"
        while writer.poll() is None and not list(tmp_path.glob("s.lbug.wal.checkpoint")):
            pass
        writer.kill()
    assert writer.returncode == -signal.SIGKILL
    store = LadybugStore.open(str(path))
    run_counts = runs(store)
    store.close()
    assert run_counts == {"old" if change == "repair" else "new": PAPERS}


VALUES = {
    pa.string(): ["a'b\\c\n", "", None],
    pa.int64(): [-(2**63), 0, None],
    pa.float64(): [0.1, float("inf"), None],
    pa.bool_(): [True, False, None],
    pa.list_(pa.string()): [["x", ""], [], None],
    pa.list_(pa.int64()): [[1, 2], [], None],
    pa.list_(pa.float32()): [[0.5, 1.5], [], None],
}
"""Three rows of each table, with every type of column."""


def three_rows(name: str) -> pa.Table:
    """Nodes 0 to 2 of a label, or relationships from each to the next; every type has a null."""
    schema, keys = TABLE[name].arrow, ["0", "1", "2"]
    values = {"id": keys, "from": keys, "to": ["1", "2", "0"]}
    columns = [values.get(column.name, VALUES[column.type]) for column in schema]
    return pa.table(dict(zip(schema.names, columns, strict=True)), schema)


def test_rows_inserted_with_other_changes_equal_copied_rows(
    tmp_path: Path,
) -> None:
    result = []
    for other in ([], [Change("delete", "Meta", pa.table({"id": ["none"]}))]):
        store = LadybugStore.open(str(tmp_path / f"{len(result)}.lbug"))
        for name in TABLE:
            store.apply([Change("insert", name, three_rows(name)), *other], atomic=True)
        result.append({name: store.read(read_text(TABLE[name])).to_pylist() for name in TABLE})
        store.close()
    copied, created = result
    assert sum(map(len, copied.values())) == 3 * len(TABLE) + 1  # Meta has the schema's version
    assert created == copied


def test_a_relationship_without_its_node_rolls_back_the_transaction(
    tmp_path: Path,
) -> None:
    store = LadybugStore.open(str(tmp_path / "s.lbug"))
    store.apply([Change("insert", "Paper", three_rows("Paper"))])
    rows = pa.table({"id": ["0"], "title": ["changed"]})
    changes = [Change("update", "Paper", rows), Change("insert", "CITES", pairs("new"))]
    before = store.read(read_text(TABLE["Paper"]))
    with pytest.raises(StoreError, match="3000 of 3000 rows of CITES name nodes that do not exist"):
        store.apply(changes, atomic=True)
    assert store.read(read_text(TABLE["Paper"])) == before
    assert runs(store) == {}
    store.close()


LOGGED = """
import os, signal, sys
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.state import write_meta
store = LadybugStore.open(sys.argv[1])
for k in range(4):
    write_meta(store, f"m{k}", str(k) * 3_000)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_truncated_log_keeps_earlier_commits(filled: Path, tmp_path: Path) -> None:
    """Readers and writers open the store with any truncation of its log, and can write to it."""
    path, log = tmp_path / "s.lbug", tmp_path / "s.lbug.wal"
    shutil.copy(filled, path)
    assert shared_forks().run(LOGGED, path).returncode == -signal.SIGKILL
    whole, before, known = log.read_bytes(), path.read_bytes(), 0
    for size in (*range(0, len(whole), len(whole) // 8), len(whole)):
        path.write_bytes(before)
        log.write_bytes(whole[:size])
        store = LadybugStore.open(str(path), read_only=True)
        result = [read_meta(store, f"m{k}") for k in range(4)]
        assert runs(store) == {"old": PAPERS}
        store.close()
        kept = 4 - result.count(None)
        assert result == [*(str(k) * 3_000 for k in range(kept)), *[None] * (4 - kept)]
        assert kept >= known
        known = kept
        store = LadybugStore.open(str(path))
        write_meta(store, "next", "here")
        store.close()
        store = LadybugStore.open(str(path), read_only=True)
        assert [read_meta(store, name) for name in ("m0", "next")] == [result[0], "here"]
        store.close()
    assert known == 4


def truncated_log(path: Path, filled: Path) -> Path:
    """The log of a store; the last of four transactions is truncated."""
    shutil.copy(filled, path)
    shared_forks().run(LOGGED, path)
    log = path.with_name(f"{path.name}.wal")
    os.truncate(log, log.stat().st_size - 100)
    return log


def test_a_truncated_checkpoint_log_is_repaired(filled: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.lbug"
    truncated_log(path, filled).rename(tmp_path / "s.lbug.wal.checkpoint")
    store = LadybugStore.open(str(path), read_only=True)
    assert [read_meta(store, f"m{k}") is None for k in range(4)] == [False, False, False, True]
    store.close()


def test_the_log_of_a_running_writer_is_not_changed(filled: Path, tmp_path: Path) -> None:
    """The log looks truncated while the writer commits."""
    path = tmp_path / "s.lbug"
    shutil.copy(filled, path)
    script = "import sys; from citescape.store.ladybug.adapter import LadybugStore as Store"
    script += "; store = Store.open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with shared_forks().start(script, path) as writer:
        assert writer.stdout.readline() == "open\n"
        other = tmp_path / "other.lbug"
        log = shutil.copy(truncated_log(other, filled), tmp_path / "s.lbug.wal")
        before = log.read_bytes()
        for read_only in (True, False):
            with pytest.raises(StoreLockedError, match="in use by"):
                LadybugStore.open(str(path), read_only=read_only)
        assert log.read_bytes() == before
        log.unlink()
    assert writer.returncode == 0


def test_a_log_of_another_format_is_left_to_the_engine(filled: Path, tmp_path: Path) -> None:
    path, log = tmp_path / "s.lbug", tmp_path / "s.lbug.wal"
    shutil.copy(filled, path)
    log.write_bytes(b"\7" * 1000)
    with pytest.raises(StoreError):
        LadybugStore.open(str(path))
    assert log.read_bytes() == b"\7" * 1000
