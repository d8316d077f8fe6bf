"""Own vectors from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import SourceError
from citescape.core.types import Document
from citescape.embeddings.embed import keep_own_vectors
from citescape.embeddings.paper_embeddings import read_paper_embeddings
from citescape.papers.documents import make_corpus
from citescape.ranking.files import FORMATS
from citescape.ranking.run_file import RunFile
from citescape.search.dense import Dense
from citescape.search.vectors import read_vectors

IDS = ["c", "a", "b"]
VALUES = np.arange(6, dtype=np.float32).reshape(3, 2)


def write(path: Path, ids: list[str], values: np.ndarray) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.table({"id": ids, "vector": values.tolist()}), path)
    else:
        np.save(path, values)
        path.with_suffix(".txt").write_text("\n".join(ids))
    return path


@pytest.mark.parametrize("name", ["own.parquet", "own.npy"])
def test_rows_are_sorted_by_id(name: str, tmp_path: Path) -> None:
    found = read_vectors(write(tmp_path / name, IDS, VALUES))
    assert found.ids.to_pylist() == ["a", "b", "c"]
    assert found.values.tolist() == [[2, 3], [4, 5], [0, 1]]


@pytest.mark.parametrize("name", ["own.parquet", "own.npy"])
def test_invalid_vectors_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for ids, values in ((["a", "a", "b"], VALUES), (IDS, VALUES * np.nan)):
        with pytest.raises(SourceError) as refused:
            read_vectors(write(path, ids, values))
        assert refused.value.reason == "no-vectors"
    path.write_bytes(b"nothing")
    with pytest.raises(SourceError):
        read_vectors(path)
    with pytest.raises(SourceError):
        read_vectors(tmp_path / f"absent{path.suffix}")


def test_an_array_needs_as_many_ids_as_rows(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_vectors(write(tmp_path / "own.npy", IDS[:2], VALUES))


@pytest.mark.parametrize("name", ["own.parquet", "own.npy"])
def test_own_vectors_are_accepted_by_all_readers(name: str, tmp_path: Path) -> None:
    """Readers: evaluations of embeddings, and rankers by name."""
    path = write(tmp_path / name, IDS, VALUES)
    encoded = read_paper_embeddings(path)
    assert encoded.vectors.values.tolist() == [[2, 3], [4, 5], [0, 1]]
    corpus = make_corpus(pa.array(["a", "b"]), [Document("A"), Document("B")])
    opened = FORMATS[path.suffix].open(path, corpus, name="own", metric="cosine")
    assert isinstance(opened, Dense)


def test_a_parquet_file_of_rankings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    pq.write_table(pa.table({"query": ["a"], "document": ["b"], "score": [1.0]}), path)
    corpus = make_corpus(pa.array(["a", "b"]), [Document("A"), Document("B")])
    assert isinstance(FORMATS[".parquet"].open(path, corpus, name="r", metric=""), RunFile)


@pytest.mark.parametrize("name", ["own.parquet", "own.npy"])
def test_own_vectors_become_a_run(name: str, tmp_path: Path) -> None:
    """The id of the run depends on vectors and paper ids."""
    runs = tmp_path / "runs"
    run = keep_own_vectors(write(tmp_path / name, IDS, VALUES), runs=runs)
    assert run.vectors.values.tolist() == [[2, 3], [4, 5], [0, 1]]
    assert run.summarise().figures["papers"] == 3
    assert keep_own_vectors(tmp_path / name, runs=runs).unchanged
    other = keep_own_vectors(write(tmp_path / name, ["c", "a", "d"], VALUES), runs=runs)
    assert other.run != run.run
