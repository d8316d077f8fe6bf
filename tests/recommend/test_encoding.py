"""Vectors of texts are computed once and then reused."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.encoding import (
    COMMAND,
    ResolvedEncoder,
    digest_documents,
    encode_documents,
)
from citescape.runs.directory import list_runs, unfinished_folder

WHEAT, STAR = Document("wheat rust", "yield of the field"), Document("star")
NOTHING, SPACES = Document(""), Document(" ", "\n")
SPLIT = Document("wheat", "rust yield of the field")


def read(tiny: Path, runs: Path, tokens: int = 32) -> ResolvedEncoder:
    return ResolvedEncoder.from_config(EmbedConfig(str(tiny), max_tokens=tokens), runs)


def count_encoded(runs: Path) -> list[int]:
    """Number of texts of each chunk."""
    return [record.counts["papers"] for record, _ in list_runs(runs, COMMAND)]


def test_vectors_are_those_of_the_encoder(tiny: Path, tmp_path: Path) -> None:
    """Vectors are in the order of documents; a document without text has zeros."""
    reading = read(tiny, tmp_path)
    found = encode_documents([NOTHING, STAR, WHEAT, SPACES, STAR], reading, runs=tmp_path)
    own = reading.load()([STAR, WHEAT])
    assert found[[1, 2]] == pytest.approx(own, abs=0.02)  # bfloat16, other batch
    assert (found[1] == found[4]).all()
    assert not found[[0, 3]].any()
    assert found[[1, 2]].any(axis=1).all()
    assert found.dtype == np.float32
    assert count_encoded(tmp_path) == [2]


def test_only_new_texts_are_encoded(tiny: Path, tmp_path: Path) -> None:
    reading, into = read(tiny, tmp_path), tmp_path / "vectors.npy"
    first = encode_documents([WHEAT, STAR], reading, runs=tmp_path).copy()
    again = encode_documents([STAR, SPLIT, WHEAT, NOTHING], reading, runs=tmp_path, into=into)
    assert count_encoded(tmp_path) == [2, 1]
    assert (again[[2, 0]] == first).all()
    assert again[1].any()
    assert (np.load(into) == again).all()
    assert (encode_documents([SPLIT], reading, runs=tmp_path) == again[1]).all()
    assert count_encoded(tmp_path) == [2, 1]


def test_chunks_left_by_a_kill_are_removed(tiny: Path, tmp_path: Path) -> None:
    """The run was moved to its place, but the folder of its chunks was not removed."""
    reading = read(tiny, tmp_path)
    encode_documents([WHEAT, STAR], reading, runs=tmp_path)
    ((record, _),) = list_runs(tmp_path, COMMAND)
    left = unfinished_folder(tmp_path, record.id)
    left.mkdir()
    (left / "vectors.f32").write_bytes(b"all of them")
    encode_documents([STAR], reading, runs=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [record.id]


def test_vectors_depend_on_encoder_and_settings(tiny: Path, tmp_path: Path) -> None:
    """Encoders are identified by their content: a copy gives the same vectors."""
    runs, copy = tmp_path / "runs", tmp_path / "copy"
    runs.mkdir()
    shutil.copytree(tiny, copy)
    long = Document("wheat rust barley yield field harvest")
    whole = encode_documents([long], read(tiny, runs), runs=runs)
    assert (encode_documents([long], read(copy, runs), runs=runs) == whole).all()
    assert count_encoded(runs) == [1]
    short = encode_documents([long], read(tiny, runs, tokens=4), runs=runs)
    assert (short != whole).any()
    assert count_encoded(runs) == [1, 1]


def test_empty_documents_have_zero_vectors(tiny: Path, tmp_path: Path) -> None:
    reading = read(tiny, tmp_path)
    for documents in ([], [NOTHING, SPACES]):
        found = encode_documents(documents, reading, runs=tmp_path)
        assert found.shape == (len(documents), reading.load().dimensions)
        assert not found.any()
    assert count_encoded(tmp_path) == []


def test_a_missing_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no pretrained encoder"):
        read(tmp_path / "nowhere", tmp_path)


PARTS = st.text("ab' ,", max_size=3)


@given(st.lists(st.builds(Document, PARTS, PARTS), max_size=6))
def test_digests_differ_between_texts(documents: list[Document]) -> None:
    """Documents with text have different digests; an empty document has an empty digest."""
    digests = digest_documents(documents).to_pylist()
    for document, digest in zip(documents, digests, strict=True):
        if not f"{document.title}{document.abstract}".strip():
            assert digest == ""
            continue
        assert len(digest) == 32
        same = [other == document for other in documents]
        assert same == [other == digest for other in digests]
