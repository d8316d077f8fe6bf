"""All relationships of a type replaced at once, and tables read by row numbers."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import StoreError
from citescape.store.graph_store import Change
from citescape.store.ladybug import rows as by_row
from citescape.store.ladybug import swap
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.schema import TABLE
from citescape.store.statements import read_text
from tests.forks import shared_forks
from tests.store.ladybug.test_kills import PAPERS, filled, pairs, papers, runs

__all__ = ["filled"]
COLUMNS = ["from", "to", "mentions", "run"]
BACKWARDS = "MATCH (:Paper)<-[c:CITES]-(:Paper) RETURN c.run AS run, count(*) AS n"


@pytest.fixture
def store(filled: Path, tmp_path: Path) -> Iterator[LadybugStore]:
    """A copy of the store with relationships of the run `old`."""
    shutil.copy(filled, tmp_path / "s.lbug")
    store = LadybugStore.open(str(tmp_path / "s.lbug"))
    yield store
    store.close()


def sorted_rows(store: LadybugStore) -> pa.Table:
    return store.read(read_text(TABLE["CITES"])).cast(TABLE["CITES"].arrow).sort_by("from")


@pytest.mark.parametrize("values", [10, 20_000_000])
def test_relationships_are_replaced_and_other_columns_are_null(
    values: int, store: LadybugStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swap, "_VALUES", 1_000 * values)
    new = pairs("new").select(COLUMNS)
    store.overwrite("CITES", (new.slice(start, 700) for start in range(0, PAPERS, 700)))
    assert sorted_rows(store).equals(pairs("new").sort_by("from"))
    assert store.read(BACKWARDS).to_pylist() == [{"run": "new", "n": PAPERS}]
    counts = store.count_links("CITES")
    assert (counts["n"], counts["run"], counts["importance"]) == (PAPERS, PAPERS, 0)
    store.apply([Change("update", "CITES", pairs("later").select(["from", "to", "run"]))])
    assert runs(store) == {"later": PAPERS}


def test_tables_are_cut_into_copies_of_equal_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swap, "_VALUES", 5 * 400)
    rows = pairs("new").select(COLUMNS)
    cut = list(swap.join_pieces([rows.slice(0, 1_000), rows.slice(1_000, 10), rows.slice(1_010)]))
    assert [part.num_rows for part in cut] == [400] * 7 + [200]
    assert pa.concat_tables(cut).equals(rows)


def test_the_old_relationships_stay_after_an_error(
    store: LadybugStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Iterator[pa.Table]:
        yield pairs("new").select(COLUMNS)
        raise KeyboardInterrupt

    monkeypatch.setattr(swap, "_VALUES", 5_000)
    missing = pa.table({"from": ["p0000"], "to": ["nobody"], "run": ["new"]})
    for pieces, error in ((broken(), KeyboardInterrupt), (iter([missing]), StoreError)):
        with pytest.raises(error):
            store.overwrite("CITES", pieces)
        assert runs(store) == {"old": PAPERS}
        assert bool(swap.unfinished(store._tables())) == (error is StoreError)
    store.overwrite("CITES", [pairs("new").select(COLUMNS)])
    assert runs(store) == {"new": PAPERS}


DYING = """
import os, signal, sys
from pyarrow.parquet import read_table
from citescape.store.ladybug.adapter import LadybugStore

class Dying(LadybugStore):
    left = int(sys.argv[3])
    def _query(self, text, params):
        result = super()._query(text, params)
        Dying.left -= 1
        if not Dying.left:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

store, new = LadybugStore.open(sys.argv[1]), read_table(sys.argv[2])
store.__class__ = Dying
store.overwrite("CITES", [new.slice(0, 1_000), new.slice(1_000)])
print(Dying.left)
"""


def test_kill_9_after_any_statement_leaves_the_old_or_the_new(filled: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.lbug"
    pq.write_table(pairs("new").select(COLUMNS), tmp_path / "new.parquet")
    left, statements = [], 0
    while True:
        statements += 1
        for file in tmp_path.glob("s.lbug*"):
            file.unlink()
        shutil.copy(filled, path)
        done = shared_forks().run(DYING, path, tmp_path / "new.parquet", statements)
        if done.returncode != -signal.SIGKILL:
            break
        reader = LadybugStore.open(str(path), read_only=True)
        found = runs(reader)
        assert reader.read(BACKWARDS).num_rows == 1
        reader.close()
        store = LadybugStore.open(str(path))
        assert (runs(store), swap.unfinished(store._tables())) == (found, [])
        store.overwrite("CITES", [pairs("again").select(COLUMNS)])
        assert runs(store) == {"again": PAPERS}
        store.close()
        left.append(found)
    assert done.returncode == 0, done.stderr
    swapped = left.index({"new": PAPERS})
    assert left == [{"old": PAPERS}] * swapped + [{"new": PAPERS}] * (len(left) - swapped)
    assert swapped > 10


@pytest.mark.parametrize("batch", [7, 1_000, 10**6])
@pytest.mark.parametrize("by", ["from", "to"])
def test_every_relationship_is_read_once_by_row_numbers(
    batch: int, by: by_row.End, store: LadybugStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.apply([Change("delete", "Paper", papers().select(["id"]).slice(100, 50))])
    monkeypatch.setattr(by_row, "_BATCH_ROWS", batch)
    nodes = pa.concat_tables(store.read_nodes("Paper", ["id"]))
    assert store.row_limit("Paper") == PAPERS
    ids = dict(zip(nodes["row"].to_pylist(), nodes["id"].to_pylist(), strict=True))
    batches = list(store.read_links("CITES", ["mentions"], by=by))
    found = [
        (ids[row["from_row"]], ids[row["to_row"]], row["mentions"])
        for links in batches
        for row in links.to_pylist()
    ]
    rows = store.read(read_text(TABLE["CITES"], ["mentions"])).to_pylist()
    assert sorted(found) == sorted((row["from"], row["to"], row["mentions"]) for row in rows)
    assert len(found) == PAPERS - 51
    if batch == 7:
        assert len(batches) > 100
    assert list(store.read_links("WROTE")) == []
