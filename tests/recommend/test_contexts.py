from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.recommend.contexts import read_split


def put(folder: Path, entries: object) -> Path:
    path = folder / "test.json"
    path.write_text(json.dumps(entries))
    return path


def test_a_context_that_cites_several_works_has_a_row_for_each(tmp_path: Path) -> None:
    entries = [
        {"context_id": "q_a_0", "positive_ids": ["a"]},
        {"context_id": "q_a_1", "positive_ids": ["b", "a"]},
    ]
    found = read_split(put(tmp_path, entries))
    assert found.pairs.to_pylist() == [
        {"context": "q_a_0", "citing": "q", "cited": "a"},
        {"context": "q_a_1", "citing": "q", "cited": "b"},
        {"context": "q_a_1", "citing": "q", "cited": "a"},
    ]
    assert len(found) == 2
    assert found.papers.to_pylist() == ["a", "b", "q"]
    assert found.citing.to_pylist() == ["q"]


def test_ids_may_hold_underscores(tmp_path: Path) -> None:
    (row,) = read_split(
        put(tmp_path, [{"context_id": "a_1_b_2_0", "positive_ids": ["b_2"]}])
    ).pairs.to_pylist()
    assert (row["citing"], row["cited"]) == ("a_1", "b_2")


def test_compressed_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "val.json.gz"
    entries = [{"context_id": "q_7_0", "positive_ids": [7]}]
    path.write_bytes(gzip.compress(json.dumps(entries).encode(), mtime=0))
    assert read_split(path).pairs["cited"].to_pylist() == ["7"]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({}, "expected a list of contexts; found dict"),
        ([], "found an empty list"),
        ([7], "found 7; expected context_id and positive_ids"),
        ([{"context_id": "q_a_0", "positive_ids": []}], "expected context_id and positive_ids"),
        ([{"context_id": "q_a_0", "positive_ids": ["b"]}], "expected citing_cited_k"),
        ([{"context_id": "q_a_0", "positive_ids": [None]}], "found None as id"),
    ],
)
def test_invalid_splits_are_refused(entries: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=message):
        read_split(put(tmp_path, entries))


@pytest.mark.parametrize("compressed", [False, True])
def test_truncated_files_are_refused(compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("train.json.gz" if compressed else "train.json")
    whole = json.dumps([{"context_id": f"q_a_{k}", "positive_ids": ["a"]} for k in range(99)])
    held = gzip.compress(whole.encode(), mtime=0) if compressed else whole.encode()
    path.write_bytes(held[: len(held) // 2])
    with pytest.raises(SourceError, match="cut off"):
        read_split(path)
