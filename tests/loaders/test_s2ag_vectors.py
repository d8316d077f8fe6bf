"""Vectors of Semantic Scholar's data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import SourceError
from citescape.loaders.s2ag_vectors import find_vector_files, read_paper_vectors
from tests.ingest.s2ag_files import s2ag_paper, write_lines


def line(id_: object, vector: object, model: str = "specter_v2") -> dict[str, Any]:
    return {"corpusid": id_, "model": model, "vector": vector}


@pytest.mark.parametrize("vector", [[0.5, -1], "[0.5, -1]", "[0.5,-1.0]"])
def test_a_vector_is_a_list_or_its_text(tmp_path: Path, vector: object) -> None:
    file = write_lines(tmp_path / "v.jsonl", [line("7", vector)])
    (found,) = read_paper_vectors(file)
    assert found is not None
    assert (found.corpus_id, found.model, found.vector.tolist()) == ("7", "specter_v2", [0.5, -1])


@pytest.mark.parametrize(
    "record",
    [
        b"{",
        b"[1]",
        line(None, [1]),
        line("x", [1]),
        line(1, []),
        line(1, None),
        line(1, "none"),
        line(1, [1, None]),
        line(1, [True]),
        line(1, [[1]]),
        line(1, [1e300]),
        {"corpusid": 1},
    ],
)
def test_lines_without_a_vector_are_recognised(tmp_path: Path, record: Any) -> None:
    assert list(read_paper_vectors(write_lines(tmp_path / "v.jsonl", [record, b""]))) == [None]


def test_files_of_a_folder_that_hold_vectors(tmp_path: Path) -> None:
    a = write_lines(tmp_path / "a.jsonl", [line(1, [1])])
    b = write_lines(tmp_path / "b", [b"{", line(2, "[1]")])
    write_lines(tmp_path / "papers.jsonl", [s2ag_paper(1)])
    assert find_vector_files(tmp_path) == [a, b]
    assert find_vector_files(a) == [a]
    with pytest.raises(SourceError, match="expected JSON Lines with corpusid and vector"):
        find_vector_files(tmp_path / "papers.jsonl")
    with pytest.raises(SourceError, match="no such file or folder"):
        find_vector_files(tmp_path / "nowhere")
