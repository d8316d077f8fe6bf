"""Rows that pass from one stage of tasks to the next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import StoreError
from citescape.distributed import exchange
from citescape.distributed.storage import Storage


def test_readers_get_their_rows_of_all_files(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    for number in range(3):
        with exchange.writing(storage, f"stage/{number:06}") as file:
            rows = pa.table({"n": [10 * number + k for k in range(4)]})
            file.spread("numbers", rows, np.array([1, 0, 1, 2]))
            file.add("numbers", "all", rows.slice(0, 1))
            file.add("nothing", 0, rows.slice(0, 0))
            file.facts = {"rows": rows.num_rows}
    exchange.expect_files(storage, "stage", 3)
    found = {reader: exchange.read_exchange(storage, "stage", reader) for reader in (0, 1, 2, 3)}
    assert found[0]["numbers"]["n"].to_pylist() == [1, 11, 21]
    assert found[1]["numbers"]["n"].to_pylist() == [0, 2, 10, 12, 20, 22]
    assert found[2]["numbers"]["n"].to_pylist() == [3, 13, 23]
    assert found[3] == {}
    assert [*found[0]] == ["numbers"]
    assert exchange.read_exchange(storage, "stage", 1, "others") == {}
    assert exchange.read_facts(storage, "stage") == {"rows": 12}
    file = exchange.WrittenFile(storage, "stage/000001")
    assert file.readers == ["0", "1", "2", "all"]
    assert file.read("all", ["numbers"])["numbers"]["n"].to_pylist() == [10]
    assert file.facts == {"rows": 4}


def test_missing_and_damaged_files_are_no_empty_ones(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    exchange.expect_files(storage, "stage", 2)
    for number in range(2):
        with exchange.writing(storage, f"stage/{number:06}") as file:
            file.add("rows", 0, pa.table({"n": [number]}))
    assert exchange.read_exchange(storage, "stage", 0)["rows"]["n"].to_pylist() == [0, 1]
    storage.remove("stage/000000")
    with pytest.raises(StoreError, match=r"stage has 1 of 2 files; .* run the same command again"):
        exchange.read_exchange(storage, "stage", 0)
    storage.write("stage/000000", b"abc")
    with pytest.raises(StoreError, match="stage/000000 is damaged"):
        exchange.read_exchange(storage, "stage", 0)


def test_long_lists_of_blocks_are_read_in_two_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "_TAIL", 64)
    storage = Storage(str(tmp_path))
    with exchange.writing(storage, "stage/0") as file:
        file.spread("rows", pa.table({"n": range(100)}), np.arange(100) % 50)
    assert exchange.read_file(storage, "stage/0", 7)["rows"]["n"].to_pylist() == [7, 57]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1), st.integers(1, 50))
def test_parts_are_within_bounds_and_depend_on_the_hash_alone(
    hashes: list[int], parts: int
) -> None:
    array = np.array(hashes, np.uint64)
    found = exchange.part_of(array, parts)
    assert ((found >= 0) & (found < parts)).all()
    assert (found == [exchange.part_of(np.array([h], np.uint64), parts)[0] for h in hashes]).all()


def test_parts_of_consecutive_hashes_are_of_equal_size() -> None:
    sizes = np.bincount(exchange.part_of(np.arange(10_000, dtype=np.uint64), 10))
    assert sizes.min() > 850
