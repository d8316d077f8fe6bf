"""Output of `platform embed` and `platform similar`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from citescape.store.graph_store import open_store
from tests.cli.conftest import Platform
from tests.embeddings.conftest import encoder  # noqa: F401 - a fixture


@pytest.fixture(scope="module")
def embedded(generated: Any, encoder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A folder with a scored store whose papers have vectors."""
    from citescape.embeddings.embed import embed
    from citescape.embeddings.steps import EmbedConfig
    from citescape.papers.documents import read_corpus
    from citescape.search.graph_vectors import write_embeddings

    folder = tmp_path_factory.mktemp("embedded")
    shutil.copy(generated.store, folder / "citescape.lbug")
    store = open_store(str(folder / "citescape.lbug"))
    done = embed(read_corpus(store), EmbedConfig(encoder), runs=folder / "runs")
    write_embeddings(store, done.vectors, done.record)
    store.close()
    return folder


def test_embed_encodes_and_writes_and_a_second_run_does_nothing(
    platform: Platform,
    generated: Any,
    encoder: str,  # noqa: F811
) -> None:
    shutil.copy(generated.store, "citescape.lbug")
    first = platform("embed", "--encoder", encoder, "--papers", "fulltext", "--threads", 1)
    assert (first.status, first.err) == (0, "")
    assert "50 vectors of 16 numbers by" in first.out
    assert "(joined, mean, at most 512 tokens, " in first.out
    assert "graph: 50 vectors written, 0 of earlier runs removed" in first.out
    again = platform("embed", "--encoder", encoder, "--papers", "fulltext", "--json")
    assert again.json["unchanged"]
    assert again.json["graph"] == {"inserted": 0, "removed": 0, "not_in_graph": 0}
    assert Path(again.json["path"]).is_dir()
    other = platform(
        "embed", "--encoder", encoder, "--form", "sep", "--max-tokens", 32, "--papers", "all",
        "--json",
    )  # fmt: skip
    assert other.json["graph"]["removed"] == 50
    assert other.json["papers"] == other.json["graph"]["inserted"] > 50
    assert other.json["titles_only"] > 0
    beside = platform("embed", "--encoder", encoder, "--pooling", "cls", "--no-write", "--json")
    assert beside.json["graph"] is None
    named = platform("embed", "--encoder", encoder, "--pooling", "cls", "--no-write").out
    assert f"similar PAPER --vectors {beside.json['run']}" in named
    assert "similar PAPER\n" in first.out
    assert f"{other.json['run']} " in platform("status").out
    assert "its vectors are in the graph" in platform("status").out
    status = platform("status", "--json").json
    assert status["labels"]["Embedding"] == other.json["papers"]


def test_embed_errors(platform: Platform, generated: Any) -> None:
    shutil.copy(generated.store, "citescape.lbug")
    for arguments, message in (
        (("--encoder", "./nowhere"), "no pretrained encoder './nowhere'"),
        (("--store", "none.lbug"), "no store at none.lbug"),
    ):
        failed = platform("embed", *arguments)
        assert failed.status == 1
        assert message in failed.err
        assert failed.err.count("\n") == 1
    assert platform("embed", "--form", "x").status == 2


def test_similar_shows_papers_and_citations(
    platform: Platform, embedded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(embedded)
    store = open_store("citescape.lbug", read_only=True)
    text = "MATCH (p:Paper)-[:CITES]->(:Paper) RETURN p.id AS id ORDER BY id LIMIT 1"
    citing = store.read(text)["id"][0].as_py()
    store.close()
    shown = platform("similar", citing, "-k", 5)
    assert (shown.status, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0].startswith(f'nearest to {citing} "')
    columns = "cosine paper year title cites it cited by it text notice"
    assert lines[2].split() == columns.split()
    assert len(lines) == 8
    every = platform("similar", citing, "-k", 1000, "--json").json
    cited = [paper for paper in every["papers"] if paper["cites"]]
    assert cited
    assert all(paper["importance"] is not None for paper in cited)
    similarities = [paper["similarity"] for paper in every["papers"]]
    assert similarities == sorted(similarities, reverse=True)
    uncited = platform("similar", citing, "-k", 1000, "--only-uncited", "--json").json
    linked = [paper for paper in every["papers"] if paper["cites"] or paper["cited_by"]]
    assert len(uncited["papers"]) == len(every["papers"]) - len(linked)


def test_similar_errors(
    platform: Platform, generated: Any, embedded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = platform("similar", "doi:10.1/1", "--store", generated.store)
    assert bare.status == 1
    assert "compute them with `platform embed" in bare.err
    monkeypatch.chdir(embedded)
    unknown = platform("similar", "doi:10.1/1")
    assert (unknown.status, unknown.err.count("\n")) == (1, 1)
    assert "no paper 'doi:10.1/1'" in unknown.err
    assert (
        "expected one with vectors: embed-" in platform("similar", "x", "--vectors", "embed-0").err
    )
