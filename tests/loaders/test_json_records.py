"""Files of several JSON records: one document each, in bounded memory, each error by itself."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.loaders import xml
from citescape.loaders.datasets import find_sources
from citescape.loaders.documents import SourceDocument, of_file
from citescape.loaders.json_records import may_hold_records, split_records

A, B, C = ({"id": name, "title": "é"} for name in "abc")


def lines(*records: object) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def split(tmp_path: Path, data: bytes, name: str = "works.jsonl") -> list[SourceDocument]:
    file = tmp_path / name
    file.write_bytes(data)
    return list(split_records(of_file(file)))


def content(documents: list[SourceDocument]) -> dict[str, object]:
    """End of the path -> record, or the reason why it is refused."""
    return {
        document.path.rpartition("/")[2]: document.error.reason
        if document.error
        else json.loads(document.read())
        for document in documents
    }


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_each_line_is_a_document_with_its_number(tmp_path: Path, bom: bytes) -> None:
    data = bom + lines(A) + b"\n  \n" + lines(B)
    assert content(split(tmp_path, data)) == {"works.jsonl#1": A, "works.jsonl#4": B}


def test_the_last_line_may_have_no_end(tmp_path: Path) -> None:
    assert len(split(tmp_path, lines(A, B).rstrip())) == 2


@pytest.mark.parametrize(
    "data", [lines(A), json.dumps(A, indent=1).encode(), b"\xef\xbb\xbf" + lines(A)]
)
def test_a_single_record_is_the_document_itself(tmp_path: Path, data: bytes) -> None:
    (document,) = split(tmp_path, data, "W1.json")
    assert document.path.endswith("W1.json")


@pytest.mark.parametrize(
    "value",
    [[A, B], {"items": [A, B]}, {"message": {"items": [A, B]}}, {"meta": {}, "results": [A, B]}],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_items_of_a_list_are_documents(tmp_path: Path, value: object, indent: int | None) -> None:
    data = json.dumps(value, indent=indent).encode()
    found = content(split(tmp_path, data, "a.json"))
    assert found == {"a.json#1": A, "a.json#2": B}


def test_a_damaged_line_costs_that_line(tmp_path: Path) -> None:
    data = lines(A) + b'{"id": "b", \n' + lines(C)
    documents = split(tmp_path, data)
    assert [d.path.rpartition("#")[2] for d in documents] == ["1", "2", "3"]
    assert documents[1].read() == b'{"id": "b", \n'


def test_a_damaged_first_line_costs_that_line(tmp_path: Path) -> None:
    documents = split(tmp_path, b'{"id": \n' + lines(B, C))
    assert [d.path.rpartition("#")[2] for d in documents] == ["1", "2", "3"]


def test_a_line_over_the_limit_is_refused_and_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml, "MAX_BYTES", 100)
    long = {"id": "b", "title": "x" * 5000}
    assert content(split(tmp_path, lines(A, long, C))) == {
        "works.jsonl#1": A,
        "works.jsonl#2": "too-large",
        "works.jsonl#3": C,
    }


def test_compressed_lines_are_read_up_to_the_damage(tmp_path: Path) -> None:
    whole = gzip.compress(lines(A, B))
    assert len(split(tmp_path, whole, "works.jsonl.gz")) == 2
    many = gzip.compress(lines(*({"id": str(i)} for i in range(50_000))))
    *read, last = split(tmp_path, many[: len(many) // 2], "works.jsonl.gz")
    assert len(read) > 1000
    assert last.error is not None
    assert last.error.reason == "damaged-archive"


def test_rows_of_parquet_are_documents(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "authorships": [{"author": {"id": "A1"}}]},
        {"id": "b", "authorships": None},
    ]
    file = tmp_path / "works.parquet"
    pq.write_table(pa.Table.from_pylist(rows), file)
    assert may_hold_records(of_file(file).head())
    found = content(list(split_records(of_file(file))))
    assert found == {"works.parquet#1": rows[0], "works.parquet#2": rows[1]}
    in_archive = SourceDocument("a.zip/works.parquet", 1, data=file.read_bytes())
    assert len(list(split_records(in_archive))) == 2


def test_a_damaged_parquet_file_is_one_error(tmp_path: Path) -> None:
    (document,) = split(tmp_path, b"PAR1" + b"\0" * 50, "works.parquet")
    assert document.error is not None
    assert document.error.reason == "damaged-archive"


def test_other_files_hold_no_records() -> None:
    assert not may_hold_records(b"<article/>")
    assert not may_hold_records(b"id,title\n")
    assert not may_hold_records(b"")


@pytest.mark.parametrize(
    ("content", "documents", "passed_over"),
    [
        ('[{"a": 1}, null, {"b": 2}, null]', ["list.json#1", "list.json#3"], {"null record": 2}),
        ("[null, null]", [], {"null record": 2}),
        ('{"results": []}', [], {"empty list": 1}),
        ('{"message": {"items": []}}', [], {"empty list": 1}),
    ],
)
def test_ids_that_an_interface_does_not_know_are_counted(
    tmp_path: Path, content: str, documents: list[str], passed_over: dict[str, int]
) -> None:
    (file := tmp_path / "list.json").write_text(content)
    counted: Counter[str] = Counter()
    found = [Path(document.path).name for document in split_records(of_file(file), counted)]
    assert (found, counted) == (documents, passed_over)
    assert find_sources([file]).documents == (file,)
