from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.embeddings import paper_embeddings
from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings
from citescape.search.vectors import Vectors, write_vectors


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def line(paper: object, embedding: object, key: str = "paper_id") -> dict[str, object]:
    return {key: paper, "embedding": embedding}


def vectors(embeddings: PaperEmbeddings) -> dict[str, list[float]]:
    values = np.asarray(embeddings.vectors.values).tolist()
    return dict(zip(embeddings.vectors.ids.to_pylist(), values, strict=True))


@pytest.mark.parametrize("key", ["paper_id", "doc_id"])
def test_papers_come_in_ascending_order(tmp_path: Path, key: str) -> None:
    lines = [line("b_1", [1, 2], key), line("a b", [0.5, -3e2], key), line(7, [0, 0], key)]
    result = read_paper_embeddings(write(tmp_path / "e.jsonl", *lines))
    assert vectors(result) == {"7": [0, 0], "a b": [0.5, -300], "b_1": [1, 2]}
    assert list(vectors(result)) == ["7", "a b", "b_1"]
    assert result.dimensions == 2
    assert result.rows(pa.array(["b_1", "c"])).tolist() == [2, -1]
    assert result.select_rows(np.array([2, -1, 1])).tolist() == [[1, 2], [0, 0], [0.5, -300]]


def test_a_file_may_be_compressed_and_have_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"  # compressed without the extension .gz
    text = json.dumps(line("a", [1])) + "\n\n   \n" + json.dumps(line("b", [2]))
    path.write_bytes(gzip.compress(text.encode()))
    assert vectors(read_paper_embeddings(path)) == {"a": [1], "b": [2]}


def test_empty_embeddings_are_known_and_have_no_vector(tmp_path: Path) -> None:
    embeddings = read_paper_embeddings(
        write(tmp_path / "e", line("b", []), line("a", [1]), line("b", []))
    )
    assert vectors(embeddings) == {"a": [1]}
    assert embeddings.empty.to_pylist() == ["b"]
    ids = pa.array(["a", "b", "c"])
    assert embeddings.rows(ids).tolist() == [0, -1, -1]
    assert embeddings.is_empty(ids).tolist() == [False, True, False]


def test_equal_embeddings_of_a_paper_count_once(tmp_path: Path) -> None:
    same = [line("a", [1, 2]), line("b", [3, 4]), line("a", [1, 2])]
    assert vectors(read_paper_embeddings(write(tmp_path / "e", *same))) == {
        "a": [1, 2],
        "b": [3, 4],
    }


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1, max_size=5))
def test_single_precision_is_preserved(numbers: list[float]) -> None:
    gathered = paper_embeddings._LineReader("e")
    gathered.add(1, json.dumps(line("a", numbers)).encode())
    assert gathered.close().vectors.values[0].tolist() == numbers


def test_blocks_are_joined_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_embeddings, "_BLOCK", 3)
    names = [f"p{number * 7 % 20:02}" for number in range(20)]
    lines = [line(name, [int(name[1:]), 1]) for name in names]
    embeddings = read_paper_embeddings(write(tmp_path / "e", *lines, lines[4]))
    assert vectors(embeddings) == {name: [int(name[1:]), 1] for name in sorted(names)}


def test_a_run_folder_is_read(tmp_path: Path) -> None:
    papers = pa.table({"id": ["a", "b"]})
    write_vectors(tmp_path, Vectors(papers, np.array([[1, 2], [3, 4]], np.float32)))
    embeddings = read_paper_embeddings(tmp_path)
    assert vectors(embeddings) == {"a": [1, 2], "b": [3, 4]}
    assert len(embeddings.empty) == 0
    write_vectors(tmp_path, Vectors(papers, np.array([[1, 2], [3, math.nan]], np.float32)))
    with pytest.raises(SourceError, match=r"NaN or infinity in the vector of 'b'"):
        read_paper_embeddings(tmp_path)


A = '{"paper_id": "a", "embedding": [1, 2]}\n'
BAD = {
    "not json": ("a,b", "not-json", ""),
    "cut": (A[:20], "not-json", ""),
    "deep": ("[" * 100_000, "not-json", ""),
    "no object": ("[1]", "no-key", "paper_id, doc_id"),
    "other keys": ('{"id": "a", "embedding": [1]}', "no-key", "id, embedding"),
    "no embedding": ('{"paper_id": "a"}', "no-key", "paper_id"),
    "no id": ('{"paper_id": null, "embedding": [1, 2]}', "no-id", "None as paper_id"),
    "number": ('{"paper_id": 1.5, "embedding": [1, 2]}', "no-id", "1.5 as paper_id"),
    "flag": ('{"paper_id": true, "embedding": [1, 2]}', "no-id", "True as paper_id"),
    "text": ('{"paper_id": "b", "embedding": ["1", "2"]}', "no-vector", ""),
    "null": ('{"paper_id": "b", "embedding": [1, null]}', "no-vector", ""),
    "nested": ('{"paper_id": "b", "embedding": [[1, 2]]}', "no-vector", ""),
    "ragged": ('{"paper_id": "b", "embedding": [[1, 2], [1]]}', "no-vector", ""),
    "no list": ('{"paper_id": "b", "embedding": 3}', "no-vector", ""),
    "longer": (
        '{"paper_id": "b", "embedding": [1, 2, 3]}',
        "dimension",
        "of 3 numbers; expected 2",
    ),
    "nan": ('{"paper_id": "b", "embedding": [1, NaN]}', "not-finite", ""),
    "infinity": ('{"paper_id": "b", "embedding": [1, -Infinity]}', "not-finite", ""),
    "too large": ('{"paper_id": "b", "embedding": [1, 1e39]}', "not-finite", ""),
    "another": ('{"paper_id": "a", "embedding": [1, 3]}', "repeated", "'a'"),
    "emptied": ('{"paper_id": "a", "embedding": []}', "repeated", "'a'"),
}


@pytest.mark.parametrize(("text", "reason", "value"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named(tmp_path: Path, text: str, reason: str, value: str) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text(A + text)
    with pytest.raises(SourceError, match=r"line 2: ") as caught:
        read_paper_embeddings(path)
    assert caught.value.reason == reason
    assert value in str(caught.value)
    assert str(path) in str(caught.value)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        read_paper_embeddings(tmp_path / "none")
    with pytest.raises(SourceError, match=r"expected vectors\.npy"):
        read_paper_embeddings(tmp_path)
    with pytest.raises(SourceError, match="found none"):
        read_paper_embeddings(write(tmp_path / "nothing"))
    with pytest.raises(SourceError, match="found 1 empty ones"):
        read_paper_embeddings(write(tmp_path / "empty", line("a", [])))
    whole = gzip.compress((A * 1000).encode())
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match="cut off or damaged"):
        read_paper_embeddings(tmp_path / "cut.gz")
