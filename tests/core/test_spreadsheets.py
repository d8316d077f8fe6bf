"""Tables for spreadsheets, read back by Python's csv."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.spreadsheets import disarm, write_csv
from tests.mapping.exports.contents import guarded, hostile_texts


@given(st.lists(hostile_texts))
def test_no_cell_begins_a_formula(texts: list[str]) -> None:
    table = pa.table({"text": pa.array(texts, pa.string()), "number": pa.array([-1] * len(texts))})
    result = disarm(table)
    assert result["text"].to_pylist() == [guarded(text) for text in texts]
    assert result["number"].equals(table["number"])


def test_a_table_is_written_to_a_file(tmp_path: Path) -> None:
    texts = ["=1+1", "-1", "a, b", None]
    write_csv(pa.table({"text": texts, "number": [-1, 2, 3, None]}), tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert rows == [("'=1+1", "-1"), ("'-1", "2"), ("a, b", "3"), ("", "")]
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_an_unwritable_table_leaves_the_existing_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("old")
    with pytest.raises(pa.ArrowInvalid):
        write_csv(pa.table({"list": [[1]]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "old"
    with pytest.raises(ConfigError, match=r"t\.csv cannot be written: .*; nothing was left behind"):
        write_csv(pa.table({"number": [1]}), tmp_path / "absent" / "t.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
