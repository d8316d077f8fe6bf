"""From papers to labels, vectors and a store on three raylets, of which some are lost meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import citescape
from citescape.distributed.cluster import Cluster, open_cluster
from citescape.distributed.storage import Storage
from citescape.embeddings.shards import EmbeddedShards, embed_shards
from citescape.embeddings.steps import EmbedConfig
from citescape.importance.config import Weighting
from citescape.importance.shards import ShardScores, score_shards
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.ingest import ingest_shards
from citescape.ingest.shards.vectors import VectorFiles
from citescape.search.graph_vectors import read_embeddings
from citescape.text.intents.model import resolve_model
from citescape.text.intents.steps import THRESHOLD
from citescape.text.labeller import RULES
from citescape.text.shard_labellers import INTENTS
from citescape.text.shards import ModelReference, label_shards
from tests.conftest import empty_neo4j
from tests.distributed.rays import Raylets, start_raylets
from tests.ingest.papers import small_corpus, write_files
from tests.ingest.shards.graphs import HereOnly, differing, rows_of_graph, rows_of_store
from tests.neo4j.server import Neo4jServer
from tests.small_encoder import write_small_encoder

PARTS = 3
LOSSES = (
    *("splitting", "matching references", "disambiguating"),
    *("labelling intents", "counting", "encoding"),
)
"""Beginnings of the stages during which a raylet is lost."""


@pytest.fixture(scope="module")
def raylets() -> Iterator[Raylets]:
    """Three raylets on this machine."""
    with start_raylets(3) as started:
        yield started


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> EmbedConfig:
    """A small encoder."""
    path = write_small_encoder(tmp_path_factory.mktemp("encoder"))
    return EmbedConfig(encoder=path, precision="float32", threads=1)


def run_chain(
    folder: Path,
    papers: Path,
    encoder: EmbedConfig,
    cluster: Cluster,
    progress: Callable[[str], None],
) -> tuple[ShardedGraph, ShardScores, EmbeddedShards]:
    """Ingest, labels, scores and vectors."""
    storage = Storage(str(folder / "shards"))
    graph = ingest_shards(storage, cluster, [papers], parts=PARTS, progress=progress).graph
    assert graph is not None
    runs = folder / "runs"
    run = resolve_model(runs, RULES).record.id
    model = ModelReference.resolved(runs, RULES, run)
    label_shards(INTENTS, graph, cluster, model, threshold=THRESHOLD, progress=progress)
    graph = ShardedGraph.open(storage)
    scores = score_shards(graph, cluster, Weighting(types=("all",)), runs=runs, progress=progress)
    vectors = embed_shards(graph, cluster, encoder, runs=runs, progress=progress)
    VectorFiles(storage, vectors.run).choose()
    return graph, scores, vectors


def test_neo4j_has_a_slice_of_what_a_chain_with_lost_raylets_made(
    raylets: Raylets, encoder: EmbedConfig, neo4j_server: Neo4jServer, tmp_path: Path
) -> None:
    (papers := tmp_path / "papers").mkdir()
    write_files(papers, small_corpus(12))
    (alone := tmp_path / "alone").mkdir()
    (together := tmp_path / "together").mkdir()
    left = [*LOSSES]

    def lose_at(text: str) -> None:
        if left and text.startswith(left[0]):
            raylets.kill()
            left.pop(0)

    expected = run_chain(alone, papers, encoder, HereOnly(), lambda _: None)
    with open_cluster(raylets.address) as cluster:
        found = run_chain(together, papers, encoder, cluster, lose_at)
    assert left == []
    assert differing(rows_of_graph(expected[0]), rows_of_graph(found[0])) == set()
    assert found[1].run == expected[1].run
    assert found[1].statistics == expected[1].statistics
    for part in range(PARTS):
        name = f"scores/{found[1].run}/{part:05}.parquet"
        assert found[0].storage.read_table(name) == expected[0].storage.read_table(name)
    assert found[2].vectors.papers == expected[2].vectors.papers
    np.testing.assert_allclose(
        found[2].vectors.values, expected[2].vectors.values, rtol=0, atol=1e-6
    )
    check_loads(*found, tmp_path, neo4j_server.uri)


def check_loads(
    graph: ShardedGraph, scored: ShardScores, embedded: EmbeddedShards, folder: Path, server: str
) -> None:
    """All papers are loaded into a file, and a slice into Neo4j, with their scores and vectors."""
    run = scored.run
    text = "MATCH ()-[c:CITES]->() WHERE c.run = $run RETURN count(c.importance) AS n"
    with citescape.open(folder / "all.lbug", create=True) as corpus:
        corpus.load(graph.storage.address)
        stored = rows_of_store(corpus.store)
        scores = corpus.cypher(text, run=run).arrow
    added = {"CITES", "Embedding", "HAS_EMBEDDING"}  # which have scores and vectors in the store
    assert differing(stored, rows_of_graph(graph)) == added
    assert scores["n"].to_pylist() == [graph.count("CITES")]
    empty_neo4j(server)
    with citescape.open(server) as corpus:
        loaded = corpus.load(graph.storage.address, where="doi = '10.1000/3'")
        assert loaded.papers == 1
        scores = corpus.cypher(text, run=run).arrow
        assert 0 < loaded.rows["CITES"] < graph.count("CITES")
        assert scores["n"].to_pylist() == [loaded.rows["CITES"]]
        vectors = read_embeddings(corpus.store)
        assert vectors is not None
        whole = embedded.vectors
        assert 0 < len(vectors) == loaded.rows["Embedding"] < len(whole)
        np.testing.assert_array_equal(vectors.values, whole.values[whole.rows(vectors.ids)])
