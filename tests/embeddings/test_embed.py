"""Encoding of a corpus: input, counts, interruptions and the id of the run."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.core.types import Document
from citescape.embeddings import embed as module
from citescape.embeddings.embed import COMMAND, embed
from citescape.embeddings.journal import open_journal
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.documents import EncoderSettings
from citescape.encoders.saved import load_document_encoder
from citescape.papers.documents import DocumentCorpus, read_corpus
from citescape.runs.directory import find_run, list_runs, unfinished_folder
from citescape.search.vectors import PAPERS, VECTORS
from citescape.store.graph_store import GraphStore
from tests.embeddings.conftest import TEXTS
from tests.forks import shared_forks


def corpus(count: int = 23) -> DocumentCorpus:
    ids = [f"p{k:03d}" for k in range(count)]
    documents = [Document(f"Plot {k % 17}", "rice " * (k * 7 % 40)) for k in range(count)]
    table = pa.table({"id": ids, "text": ["title+abstract"] * count})
    return DocumentCorpus(table, documents, left_out=2)


def config(encoder: str) -> EmbedConfig:
    return EmbedConfig(encoder, precision="float32", threads=1)


def test_titles_and_abstracts_of_a_store(library: GraphStore) -> None:
    every = read_corpus(library)
    texts = dict(zip(every.papers["id"].to_pylist(), every.papers["text"].to_pylist(), strict=True))
    assert list(texts) == sorted(set(TEXTS) - {"doi:10.1/4"})
    assert [texts[f"doi:10.1/{k}"] for k in (1, 2, 3, 5)] == [
        "title+abstract",
        "title",
        "abstract",
        "title",
    ]
    assert every.left_out == 1
    assert every.documents[1] == every.documents[3] == Document("Wheat in salty soils")
    own = read_corpus(library, "fulltext")
    assert own.papers["id"].to_pylist() == [f"doi:10.1/{k}" for k in (1, 2, 3, 5)]
    assert own.hash() != every.hash()
    with pytest.raises(ConfigError, match="papers is 'some'; expected one of: all, fulltext"):
        read_corpus(library, "some")


def test_a_store_without_texts_is_reported(store: GraphStore) -> None:
    with pytest.raises(StoreError, match=r"holds 0 papers to encode, none with a title"):
        read_corpus(store)


def test_every_paper_has_the_vector_of_its_text(
    encoder: str, tmp_path: Path, library: GraphStore
) -> None:
    read = read_corpus(library)
    result = embed(read, config(encoder), runs=tmp_path)
    counts = result.record.counts
    assert not result.unchanged
    assert result.path == tmp_path / result.record.id
    assert {name: counts[name] for name in ("papers", "titles_only", "abstracts_only")} == {
        "papers": 24,
        "titles_only": 6,
        "abstracts_only": 1,
    }
    assert (counts["left_out"], counts["distinct_texts"], counts["dimensions"]) == (1, 23, 16)
    assert counts["tokens"] > 24 * 3
    encoder_ = load_document_encoder(encoder, precision="float32")
    assert result.vectors.values == pytest.approx(encoder_(read.documents), abs=1e-6)
    assert result.vectors.papers.equals(read.papers)
    assert (result.vectors.values[1] == result.vectors.values[3]).all()
    assert not unfinished_folder(tmp_path, result.record.id).exists()
    again = embed(read, config(encoder), runs=tmp_path)
    assert (again.unchanged, again.path) == (True, result.path)
    assert [record.id for record, _ in list_runs(tmp_path, COMMAND)] == [result.record.id]


def test_every_input_of_vectors_changes_the_run(encoder: str, tmp_path: Path) -> None:
    settings = [
        {},
        {"form": "sep"},
        {"pooling": "cls"},
        {"max_tokens": 8},
        {"precision": "bfloat16"},
    ]
    ids = {
        embed(corpus(5), replace(config(encoder), **setting), runs=tmp_path).record.id
        for setting in settings
    }
    ids.add(embed(corpus(6), config(encoder), runs=tmp_path).record.id)
    assert len(ids) == 6
    assert len(list_runs(tmp_path, COMMAND)) == 6
    same = embed(corpus(5), replace(config(encoder), threads=2), runs=tmp_path)
    assert same.unchanged


def test_an_encoder_by_the_id_of_its_run(encoder: str, tmp_path: Path) -> None:
    import shutil

    from citescape.encoders.saved import write_encoder_settings

    shutil.copytree(encoder, tmp_path / "train-1")
    write_encoder_settings(tmp_path / "train-1", EncoderSettings("sep", "cls", 12))
    result = embed(corpus(3), EmbedConfig("train-1"), runs=tmp_path)
    assert result.record.config["encoder"] == str(tmp_path / "train-1")
    assert [result.record.config[name] for name in ("form", "pooling", "max_tokens")] == [
        "sep",
        "cls",
        12,
    ]


def test_an_interrupted_encoding_continues_with_equal_results(
    encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CHUNK", 4)
    whole = embed(corpus(), config(encoder), runs=tmp_path / "whole")
    for messages in range(2, 9):
        left = [messages]

        def cut(_: str, left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt

        runs = tmp_path / str(messages)
        with pytest.raises(KeyboardInterrupt):
            embed(corpus(), config(encoder), runs=runs, progress=cut)
        assert find_run(runs, whole.record.id) is None
        folder = unfinished_folder(runs, whole.record.id)
        assert folder.exists() == (messages > 2), "a folder in which nothing is kept goes"
        folder.mkdir(exist_ok=True)
        for name in ("vectors.f32", "tokens.i64"):  # as an interrupted write leaves them
            with (folder / name).open("ab") as file:
                file.write(b"abc")
        done = embed(corpus(), config(encoder), runs=runs)
        assert done.record.counts["kept_texts"] == min((messages - 2) * 4, 23)
        assert done.record.counts["tokens"] == whole.record.counts["tokens"]
        for name in (VECTORS, PAPERS):
            assert (done.path / name).read_bytes() == (whole.path / name).read_bytes()


def test_chunks_have_a_limited_size(
    encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more characters than allowed, except in a chunk of one text; vectors are the same."""
    whole, messages = embed(corpus(), config(encoder), runs=tmp_path / "whole"), []
    monkeypatch.setattr(module, "_CHUNK_CHARACTERS", 30)
    done = embed(corpus(), config(encoder), runs=tmp_path / "runs", progress=messages.append)
    assert done.vectors.values == pytest.approx(whole.vectors.values, abs=0.02)
    counts = [int(text.split()[1]) for text in messages if text.startswith("encoding: ")]
    assert counts[0] == 0
    assert len(counts) > 3
    assert all(" left" in text for text in messages if text.startswith(f"encoding: {counts[2]} "))


def embed_killed(encoder: str, runs: str) -> None:
    """Kills the process after six texts."""

    def report(text: str) -> None:
        if text.startswith("encoding: 6 of"):
            os.kill(os.getpid(), signal.SIGKILL)

    module._CHUNK = 2
    embed(corpus(), config(encoder), runs=Path(runs), progress=report)


def test_completed_chunks_survive_a_kill(
    encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = shared_forks().call(
        "tests.embeddings.test_embed:embed_killed", encoder, str(tmp_path / "killed")
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    monkeypatch.setattr(module, "_CHUNK", 2)
    done = embed(corpus(), config(encoder), runs=tmp_path / "killed")
    assert done.record.counts["kept_texts"] >= 6
    whole = embed(corpus(), config(encoder), runs=tmp_path / "whole")
    for name in (VECTORS, PAPERS):
        assert (done.path / name).read_bytes() == (whole.path / name).read_bytes()
    assert [path.name for path in (tmp_path / "killed").iterdir()] == [done.record.id]


def test_a_chunk_without_tokens_or_vectors_is_incomplete(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, sizes=(2, 2, 1), dimensions=3)
    journal.add(np.ones((2, 3), np.float32), 7)
    journal.add(np.ones((2, 3), np.float32), 5)
    assert (journal.done, journal.tokens) == (2, 12)
    with (journal.folder / "vectors.f32").open("r+b") as file:
        file.truncate(4 * 3 * 3)
    assert journal.done == 1
    journal = open_journal(tmp_path, sizes=(2, 2, 1), dimensions=3)
    assert (journal.done, journal.tokens) == (1, 7)


def test_invalid_settings_are_refused(encoder: str, tmp_path: Path) -> None:
    for change, message in (
        ({"form": "x"}, "form is 'x'"),
        ({"pooling": "max"}, "pooling is 'max'"),
        ({"precision": "int8"}, "precision is 'int8'"),
        ({"max_tokens": 2}, "max_tokens is 2"),
        ({"encoder": "./nowhere"}, "no pretrained encoder"),
    ):
        with pytest.raises(ConfigError, match=message):
            embed(corpus(), replace(config(encoder), **change), runs=tmp_path)
    assert list(tmp_path.iterdir()) == []
