"""Rows found by hashes: a base on disk and additions equal one table in memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.hashing import hash_texts
from citescape.ingest.index.hashes import hash_column
from citescape.ingest.index.rows import Hashed, Hasher, IndexedRows

SCHEMA = pa.schema([("id", pa.string()), ("words", pa.list_(pa.string()))])
WORDS = Hasher(
    ("id", "word"),
    lambda rows: {
        "id": hash_column(rows["id"]),
        "word": Hashed(
            np.repeat(np.arange(rows.num_rows), list(map(len, rows["words"].to_pylist()))),
            hash_texts(pc.list_flatten(rows["words"])),
        ),
    },
)
words = st.lists(st.sampled_from("abcd"), max_size=3)
changes = st.lists(st.tuples(st.integers(0, 6), st.one_of(st.none(), words)), max_size=6)


def table(rows: dict[int, list[str]]) -> pa.Table:
    return pa.Table.from_pylist([{"id": f"r{k}", "words": v} for k, v in rows.items()], SCHEMA)


def hashes(*texts: str) -> np.ndarray:
    return hash_texts(pa.chunked_array([pa.array(texts, pa.string())]))


@given(st.lists(words, max_size=7), st.lists(changes, max_size=3))
def test_changes_in_steps_equal_the_final_rows(
    start: list[list[str]], steps: list[list[tuple[int, list[str] | None]]]
) -> None:
    rows = dict(enumerate(start))
    with tempfile.TemporaryDirectory() as folder:
        index = IndexedRows.build(table(rows), WORDS)
        index.keep_base(Path(folder) / "base")
        for number, step in enumerate(steps):
            latest = dict(step)
            gone = index.find_equal("id", "id", [f"r{k}" for k in latest])
            new = {k: v for k, v in latest.items() if v is not None}
            before, kept = index.snapshot(), dict(rows)
            added = index.replace(gone, table(new))
            assert index.take(added).to_pylist() == table(new).to_pylist()
            rows = {k: v for k, v in rows.items() if k not in latest} | new
            check(before, kept)
            index.save_additions(Path(folder) / str(number))
            index = IndexedRows.open(Path(folder) / "base", Path(folder) / str(number), WORDS)
            check(index, rows)


def check(index: IndexedRows, rows: dict[int, list[str]]) -> None:
    """The index finds and counts what the rows hold."""
    assert len(index) == len(rows)
    whole = sorted(index.whole().to_pylist(), key=lambda row: row["id"])
    assert whole == table(dict(sorted(rows.items()))).to_pylist()
    for word in "abcd":
        found = index.find("word", hashes(word))
        expected = [f"r{k}" for k, own in rows.items() for each in own if each == word]
        ids = index.take(np.unique(found), ["id"])["id"].to_pylist()
        assert sorted(ids) == sorted({*expected})
        assert len(found) == len(expected)
        assert index.count_exact("word", hashes(word)).tolist() == [len(expected)]
        assert index.count("word", hashes(word))[0] >= len(expected)
    every = np.arange(0)
    for id_ in index.whole()["id"].to_pylist():
        every = np.append(every, index.find_equal("id", "id", [id_]))
    own = index.hashes_of("word", np.sort(every))
    printed = sorted(word for words_ in rows.values() for word in words_)
    assert sorted(own.hashes.tolist()) == sorted(hashes(*printed).tolist())


def test_a_row_with_the_same_hash_is_not_taken_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "citescape.ingest.index.rows.hash_texts", lambda column: np.zeros(len(column), np.uint64)
    )
    same = Hasher(
        ("id",),
        lambda rows: {"id": Hashed(np.arange(rows.num_rows), np.zeros(rows.num_rows, "u8"))},
    )
    index = IndexedRows.build(table({0: [], 1: [], 2: []}), same)
    assert index.find_equal("id", "id", ["r1"]).tolist() == [1]
