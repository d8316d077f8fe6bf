"""Vectors of the papers of a graph of shards."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import StoreError
from citescape.distributed.storage import Storage
from citescape.embeddings import shard_neighbours, shards
from citescape.embeddings.embed import embed
from citescape.embeddings.shard_neighbours import find_shard_neighbours
from citescape.embeddings.shards import EmbeddedShards, embed_shards
from citescape.embeddings.steps import EmbedConfig
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.ingest import ingest_shards
from citescape.papers.documents import read_corpus
from citescape.search.neighbours import find_neighbours
from citescape.store.graph_store import open_store
from tests.ingest.papers import jats, load, small_corpus, write_files
from tests.ingest.shards.graphs import FailureError, HereOnly
from tests.small_encoder import write_small_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> EmbedConfig:
    """A small encoder."""
    path = write_small_encoder(tmp_path_factory.mktemp("encoder"))
    return EmbedConfig(encoder=path, precision="float32", threads=1)


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten papers that cite common works."""
    folder = tmp_path_factory.mktemp("papers")
    write_files(folder, small_corpus(10))
    return folder


@pytest.fixture
def graph(papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ShardedGraph:
    """Their graph in three parts, of which tasks encode five rows at a time."""
    monkeypatch.setattr(shards, "_ROWS", 5)
    storage = Storage(str(tmp_path / "shards"))
    graph = ingest_shards(storage, HereOnly(), [papers], parts=3).graph
    assert graph is not None
    return graph


@pytest.mark.parametrize("chosen", ["all", "fulltext"])
def test_vectors_are_those_of_a_store(
    graph: ShardedGraph, papers: Path, encoder: EmbedConfig, tmp_path: Path, chosen: str
) -> None:
    with closing(open_store(str(tmp_path / "papers.lbug"))) as store:
        load(store, papers)
        expected = embed(read_corpus(store, chosen), encoder, runs=tmp_path / "runs").vectors
    here = HereOnly()
    found = embed_shards(graph, here, encoder, papers=chosen, runs=tmp_path)
    assert found.vectors.papers == expected.papers
    assert found.vectors.values.dtype == np.float32
    np.testing.assert_allclose(found.vectors.values, expected.values, atol=1e-5)
    assert found.record.counts["papers"] == len(expected) > 9
    assert len(found.files.names) == found.record.counts["files"]
    assert len(here.done) >= 3


def test_an_interrupted_encoding_does_what_is_missing(
    graph: ShardedGraph, encoder: EmbedConfig, tmp_path: Path
) -> None:
    with pytest.raises(FailureError):
        embed_shards(graph, HereOnly(fail_at=2), encoder, runs=tmp_path)
    rest = HereOnly()
    found = embed_shards(graph, rest, encoder, runs=tmp_path)
    whole = HereOnly()
    graph.storage.remove(shards.FOLDER)
    assert embed_shards(graph, whole, encoder, runs=tmp_path).arrow == found.arrow
    assert len(rest.done) == len(whole.done) - 2


def test_complete_vectors_are_not_computed_again(
    graph: ShardedGraph, encoder: EmbedConfig, tmp_path: Path
) -> None:
    first = embed_shards(graph, HereOnly(), encoder, runs=tmp_path)
    again = HereOnly()
    second = embed_shards(graph, again, encoder, runs=tmp_path)
    assert (first.unchanged, second.unchanged, again.done) == (False, True, [])
    assert second.run == first.run
    assert second.record.counts == first.record.counts
    assert {name.rpartition(".")[2] for name in graph.storage.sizes(shards.FOLDER)} == {
        "json",
        "parquet",
    }


def test_a_lost_file_of_vectors_is_noticed(
    graph: ShardedGraph, encoder: EmbedConfig, tmp_path: Path
) -> None:
    first = embed_shards(graph, HereOnly(), encoder, runs=tmp_path)
    expected = first.arrow
    graph.storage.remove(first.files.names[0])
    again = embed_shards(graph, HereOnly(), encoder, runs=tmp_path)
    assert not again.unchanged
    assert again.arrow == expected


def test_exact_neighbours_are_those_of_all_vectors(
    graph: ShardedGraph, encoder: EmbedConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = embed_shards(graph, HereOnly(), encoder, runs=tmp_path)
    whole = find_neighbours(found.vectors, 3)
    expected = {
        (whole.queries[row].as_py(), rank + 1): (whole.ids[near].as_py(), score)
        for row in range(len(whole.queries))
        for rank, (near, score) in enumerate(
            zip(whole.indices[row].tolist(), whole.scores[row].tolist(), strict=True)
        )
    }
    for indexed in (1, 500_000):  # a group for each part; one group
        monkeypatch.setattr(shard_neighbours, "_INDEXED", indexed)
        here = HereOnly()
        folder = neighbours_of(found, here)
        assert here.done.count("search_group") == (3 if indexed == 1 else 1)
        names = graph.storage.sizes(folder)
        rows = pa.concat_tables([graph.storage.read_table(name) for name in names]).to_pylist()
        assert {(r["from"], r["rank"]): (r["to"], r["score"]) for r in rows} == expected
        again = HereOnly()
        assert neighbours_of(found, again) == folder
        assert again.done == []
        graph.storage.remove(folder)


def test_approximate_neighbours_reach_the_recall(
    graph: ShardedGraph, encoder: EmbedConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_neighbours, "EXACT_UP_TO", 0)
    found = embed_shards(graph, HereOnly(), encoder, runs=tmp_path)
    folder = neighbours_of(found, HereOnly())
    names = graph.storage.sizes(folder)
    rows = pa.concat_tables([graph.storage.read_table(name) for name in names]).to_pylist()
    whole = find_neighbours(found.vectors, 3)
    least = dict(zip(whole.queries.to_pylist(), whole.scores[:, -1].tolist(), strict=True))
    good = [row["score"] >= least[row["from"]] for row in rows]
    assert len(rows) == 3 * len(whole.queries)
    assert np.mean(good) >= 0.95


def neighbours_of(found: EmbeddedShards, here: HereOnly) -> str:
    """The three nearest papers of each; the folder of the files."""
    return find_shard_neighbours(found, here, 3)


def test_a_graph_without_texts_is_reported(encoder: EmbedConfig, tmp_path: Path) -> None:
    (folder := tmp_path / "papers").mkdir()
    paper = jats(1, title="Only title").replace(b"Only title", b" ")
    write_files(folder, [paper])
    storage = Storage(str(tmp_path / "shards"))
    graph = ingest_shards(storage, HereOnly(), [folder]).graph
    assert graph is not None
    with pytest.raises(StoreError, match="holds 1 papers to encode, none with a title"):
        embed_shards(graph, HereOnly(), encoder, runs=tmp_path)
