from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import SourceError
from citescape.evaluation.scirepeval.files import (
    MANY,
    NUMBER,
    read_judged,
    read_labelled,
    read_reviewers,
)


def put(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder


def test_labels_are_read_from_all_formats(tmp_path: Path) -> None:
    put(tmp_path, "train.csv", 'extra,paper_id,label\n,1,0\nx,"a b_1",1\n')
    put(tmp_path, "val.jsonl", '{"paper_id": 1, "label": 0}\n\n{"paper_id": "a b_1", "label": 1.0}')
    rows = [{"paper_id": "1", "label": False}, {"paper_id": "a b_1", "label": True}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "test.parquet")
    for split in ("train", "val", "test"):
        found = read_labelled(tmp_path, split)
        assert found.papers.to_pylist() == ["1", "a b_1"], split
        assert found.labels.tolist() == [0, 1], split


def test_labels_may_be_texts(tmp_path: Path) -> None:
    found = read_labelled(put(tmp_path, "train.csv", "paper_id,label\na,7\nb,x\n"), "train")
    assert found.labels.tolist() == ["7", "x"]


def test_several_labels_and_numbers(tmp_path: Path) -> None:
    put(tmp_path, "train.csv", 'paper_id,label\na,"[0, 1]"\nb,"[1, 1]"\n')
    assert read_labelled(tmp_path, "train", kind=MANY).labels.tolist() == [[0, 1], [1, 1]]
    put(tmp_path, "test.jsonl", '{"paper_id": "a", "label": [true, 0]}')
    assert read_labelled(tmp_path, "test", kind=MANY).labels.tolist() == [[1, 0]]
    put(tmp_path, "train.csv", "paper_id,label\na,2\nb,-1e-3\n")
    assert read_labelled(tmp_path, "train", kind=NUMBER).labels.tolist() == [2, -0.001]


def test_judgements_are_read(tmp_path: Path) -> None:
    line = '{{"query_id": "q", "cand_id": {}, "score": {}}}\n'
    found = read_judged(put(tmp_path, "test_qrel.jsonl", line.format("2", 1) + line.format(1, 0.0)))
    assert found.documents.to_pylist() == ["1", "2"]
    assert found.values.tolist() == [0, 1]


def test_reviewers_are_read(tmp_path: Path) -> None:
    text = '{"r_id": 5, "papers": ["a", 7]}\n{"r_id": "b c", "papers": []}\n'
    expected = {"5": ["a", "7"], "b c": []}
    assert read_reviewers(put(tmp_path, "reviewer_metadata.jsonl", text)) == expected
    assert read_reviewers(put(tmp_path, "other", text) / "other") == expected


def label(folder: Path) -> object:
    return read_labelled(folder, "train")


def several(folder: Path) -> object:
    return read_labelled(folder, "train", kind=MANY)


def number(folder: Path) -> object:
    return read_labelled(folder, "train", kind=NUMBER)


A = '{"paper_id": "a", "label": 1}\n'
JUDGED = '{"query_id": "q", "cand_id": "a", "score": 1}\n'
WRITTEN = '{"r_id": "r", "papers": ["a"]}\n'
BAD: list[tuple[Callable[[Path], object], str, str, str]] = [
    (label, "x", "", r"expected train\.csv, \.jsonl or \.parquet; found no such file"),
    (label, "train.csv", "paper_id,label\n", "found no records"),
    (label, "train.jsonl", "\n", "found no records"),
    (label, "train.csv", "id,label\na,1\n", "expected the keys paper_id, label"),
    (label, "train.csv", "paper_id,label\na\n", "line 2: found"),
    (label, "train.csv", 'paper_id,label\n"a,1\n', "cut off or not csv"),
    (label, "train.csv", "paper_id,label\na,\n", "'' as label"),
    (label, "train.csv", "paper_id,label\n,1\n", "'' as id"),
    (label, "train.jsonl", A + A[:20], "line 2: found not JSON"),
    (label, "train.jsonl", A + "[1]", "line 2: found"),
    (label, "train.jsonl", A.replace("1", "1.5"), "1.5 as label"),
    (label, "train.jsonl", A.replace("1", "[1]"), "as label; expected a string or an integer"),
    (label, "train.parquet", "PAR1", "cut off or not parquet"),
    (several, "train.jsonl", A, "1 as label; expected a list of 0 and 1"),
    (several, "train.jsonl", A.replace("1", "[2]"), "expected a list of 0 and 1"),
    (several, "train.jsonl", A.replace("1", "[]"), "expected a list of 0 and 1"),
    (several, "train.csv", "paper_id,label\na,x\n", "expected a list of 0 and 1"),
    (several, "train.jsonl", A.replace("1", "[1]") + A.replace("1", "[1, 0]"), r"\[1, 2\]"),
    (number, "train.csv", "paper_id,label\na,x\n", "'x'; expected a finite number"),
    (number, "train.jsonl", A.replace("1", "NaN"), "expected a finite number"),
    (number, "train.jsonl", A.replace("1", "[1]"), "expected a finite number"),
    (read_judged, "test_qrel.jsonl", JUDGED.replace("1", "0.5"), "expected a whole number"),
    (read_judged, "test_qrel.jsonl", JUDGED * 2, "more than once"),
    (read_judged, "test_qrel.jsonl", "", "found no records"),
    (read_judged, "qrel.jsonl", JUDGED, r"test_qrel or test\.csv"),
    (
        read_reviewers,
        "reviewer_metadata.jsonl",
        WRITTEN.replace("[", '"').replace("]", '"'),
        "JSON",
    ),
    (read_reviewers, "reviewer_metadata.jsonl", '{"r_id": "r", "papers": "a"}', "list of ids"),
    (read_reviewers, "reviewer_metadata.jsonl", WRITTEN * 2, "'r' twice"),
]


@pytest.mark.parametrize(("read", "name", "text", "message"), BAD)
def test_invalid_files_are_refused(
    tmp_path: Path, read: Callable[[Path], object], name: str, text: str, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(put(tmp_path, name, text))
