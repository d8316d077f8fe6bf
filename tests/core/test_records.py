from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.core.records import ID_KEYS, find_id, read_each, read_json, read_records, to_id


@given(st.integers(-(2**53) + 1, 2**53 - 1))
def test_integer_text_and_float_give_the_same_id(number: int) -> None:
    assert to_id(number, "") == to_id(float(number), "") == to_id(str(number), "") == str(number)


@pytest.mark.parametrize("value", [None, "", True, {}, ["a"], 1.5, math.nan, math.inf, 2.0**53])
def test_invalid_ids_are_refused(value: object) -> None:
    with pytest.raises(SourceError, match=r"f: line 3: found .* as id; expected a text or a whole"):
        to_id(value, "f: line 3")


def test_ids_with_lone_surrogates_are_refused() -> None:
    assert to_id("\U0001f33e 麦", "") == "\U0001f33e 麦"
    with pytest.raises(SourceError, match="f: found an id with half of a surrogate pair"):
        to_id("a\ud83c", "f")


def test_unreadable_items_are_skipped_and_named() -> None:
    def read(value: object) -> str:
        return to_id(value, "f")

    skipped: list[str] = []
    assert read_each([None, "a", 7, 1.5], read, skipped) == ["a", "7"]
    assert [message.split()[2] for message in skipped] == ["None", "1.5"]
    for items, passed in (([None, 1.5], []), (["a", None], None)):
        with pytest.raises(SourceError, match="found None as id"):
            read_each(items, read, passed)
    assert read_each([], read, []) == []


def test_the_first_non_empty_key_is_the_id() -> None:
    record = {key: f"of {key}" for key in reversed(ID_KEYS)}
    for key in ID_KEYS:
        assert find_id(record, "") == f"of {key}"
        record[key] = ""
    with pytest.raises(SourceError, match=r"found query_id, .*; expected an id as paper_id, "):
        find_id(record, "")


def test_invalid_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(SourceError, match="expected a file; found: No such file"):
        read_json(path)
    for text, message in (('{"a": ', "cut off or damaged"), ("[" * 200_000, "recursion")):
        path.write_text(text)
        with pytest.raises(SourceError, match=message):
            read_json(path)
    path.write_bytes(b"\xe9\xff")
    with pytest.raises(SourceError, match="expected UTF-8"):
        read_json(path)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_missing_files_are_reported(ending: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        list(read_records([tmp_path / f"a.{ending}"]))


def test_invalid_records_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for text, message in (("", "found no records"), ("{}\n[1]", "line 2: .* expected an object")):
        path.write_text(text)
        with pytest.raises(SourceError, match=message):
            list(read_records([path]))
