"""Vectors beside shards, loaded with their papers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import citescape
from citescape.core.errors import StoreError
from citescape.distributed.storage import Storage
from citescape.embeddings.shards import EmbeddedShards
from citescape.embeddings.steps import Embed
from citescape.papers.steps import Load
from citescape.runs.context import Context, run
from citescape.search.graph_vectors import read_embeddings
from citescape.search.vectors import Vectors
from citescape.store import vector_index
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.state import EMBEDDING_RUN, read_meta
from tests.ingest.test_neo4j_import import imported, release
from tests.neo4j.server import Neo4jServer, Release
from tests.papers.loading.conftest import Corpus
from tests.small_encoder import write_small_encoder

__all__ = ["imported", "release"]  # fixtures
_NEAREST = (
    "MATCH (:Paper {id: $paper})-[:HAS_EMBEDDING]->(e) CALL db.index.vector.queryNodes("
    "'embedding_vector', 1, e.vector) YIELD node RETURN node.id AS id"
)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture
def embedded(corpus: Corpus, encoder: Path, tmp_path: Path) -> EmbeddedShards:
    """Vectors of all papers beside a copy of the shards."""
    shutil.copytree(corpus.scored_shards.storage.address, tmp_path / "shards")
    return embed(tmp_path / "shards", encoder)


def embed(shards: Path, encoder: Path, *, write: bool = True, tokens: int = 64) -> EmbeddedShards:
    step = Embed(encoder=str(encoder), max_tokens=tokens, write=write, shards=str(shards))
    found = run(step, Context.open(runs=shards.parent / "runs"))
    assert isinstance(found, EmbeddedShards)
    return found


def check(store: GraphStore, expected: Vectors, of_run: str) -> None:
    """The store has these vectors, of this run."""
    found = read_embeddings(store)
    assert found is not None
    assert found.papers.to_pydict() == expected.papers.to_pydict()
    np.testing.assert_array_equal(found.values, expected.values)
    assert read_meta(store, EMBEDDING_RUN) == of_run
    assert of_run in store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    if store.dialect == "neo4j":
        paper = expected.ids[0].as_py()
        assert store.read(_NEAREST, paper=paper)["id"].to_pylist() == [f"{of_run}/{paper}"]


def test_vectors_and_their_run_are_loaded(
    embedded: EmbeddedShards, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "_NUMBERS", 50)  # three vectors in a transaction
    expected = embedded.vectors
    with citescape.open(place, create=True) as graph:
        result = graph.load(embedded.storage.address)
        assert result.rows["Embedding"] == result.rows["HAS_EMBEDDING"] == len(expected) > 15
        assert f"Embedding {len(expected)}" in " ".join(str(result).split())
        check(graph.store, expected, embedded.run)
        assert graph.similar(expected.ids[0].as_py(), k=3).arrow.num_rows == 3
        assert graph.load(embedded.storage.address).unchanged
        assert graph.arrow("Embedding", ["id"]).num_rows == len(expected)
        papers = graph.arrow("HAS_EMBEDDING", ["from"])["from"].to_pylist()
        assert sorted(papers) == expected.ids.to_pylist()


def test_a_slice_has_the_vectors_of_its_papers_and_cited_works(
    embedded: EmbeddedShards, place: str
) -> None:
    with citescape.open(place, create=True) as graph:
        rows = graph.load(embedded.storage.address, where="doi = '10.1000/7'").rows
        found = graph.cypher("MATCH (p:Paper) RETURN p.id AS id").arrow["id"].to_pylist()
        every = embedded.vectors
        expected = every.select_rows(every.rows(pa.array(sorted(found))))
        assert 0 < rows["Embedding"] == len(expected) < len(every)
        check(graph.store, expected, embedded.run)


def test_neo4j_imports_vectors_and_makes_their_index(
    embedded: EmbeddedShards, release: Release, imported: Callable[[str], Path], tmp_path: Path
) -> None:
    step = Load(embedded.storage.address, neo4j_import=tmp_path / "files")
    command = run(step, Context.open()).import_command
    with (
        Neo4jServer(imported(command), release=release) as server,
        closing(open_store(server.uri)) as store,
    ):
        check(store, embedded.vectors, embedded.run)


def test_the_vectors_of_the_last_run_that_writes_are_loaded(
    embedded: EmbeddedShards, encoder: Path, tmp_path: Path
) -> None:
    def loaded(name: str) -> str | None:
        with citescape.open(tmp_path / name, create=True) as graph:
            graph.load(shards)
            return read_meta(graph.store, EMBEDDING_RUN)

    shards = Path(embedded.storage.address)
    embed(shards, encoder, write=False, tokens=8)
    assert loaded("first.lbug") == embedded.run
    second = embed(shards, encoder, tokens=8)
    assert loaded("second.lbug") == second.run != embedded.run
    assert embed(shards, encoder).unchanged
    assert loaded("third.lbug") == embedded.run
    (shards / "vectors.json").unlink()
    assert not loaded("none.lbug")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("vectors.json", "{}", "vectors.json is damaged: expected a run"),
        ("vectors.json", "[]", "vectors.json is damaged: expected a run"),
        ("vectors.json", '{"run": "embed-0"}', "vectors/embed-0 is incomplete"),
        ("{run}/files.json", "[]", "is incomplete"),
        ("{run}/run.json", "{", "is incomplete"),
        ("{part}", "", "is incomplete"),
    ],
)
def test_damaged_vectors_are_refused(
    embedded: EmbeddedShards, tmp_path: Path, name: str, content: str, message: str
) -> None:
    name = name.format(run=embedded.files.folder, part=embedded.files.names[0])
    Path(embedded.storage.address, name).write_text(content)
    with (
        citescape.open(tmp_path / "a.lbug", create=True) as graph,
        pytest.raises(StoreError, match=f"{message}.*platform embed.* or remove vectors.json"),
    ):
        graph.load(embedded.storage.address)


def test_vectors_of_another_graph_are_refused(embedded: EmbeddedShards, tmp_path: Path) -> None:
    storage = Storage(embedded.storage.address)
    manifest = storage.read_json("graph.json")
    storage.write_json("graph.json", {**manifest, "id": "other"})
    with (
        citescape.open(tmp_path / "a.lbug", create=True) as graph,
        pytest.raises(StoreError, match="another graph"),
    ):
        graph.load(embedded.storage.address)


def test_a_slice_without_vectors_names_no_run(
    embedded: EmbeddedShards, place: str, tmp_path: Path
) -> None:
    """No paper of it has a vector, as those without title and abstract do."""
    names = embedded.files.names
    for name in names:
        rows = embedded.storage.read_table(name)
        embedded.storage.write_table(name, rows.filter(pc.not_equal(rows["id"], rows["id"])))
    sizes = embedded.storage.sizes()
    files = f"{embedded.files.folder}/files.json"
    embedded.storage.write_json(files, {name: sizes[name] for name in names})
    with citescape.open(place, create=True) as graph:
        assert graph.load(embedded.storage.address).rows["Embedding"] == 0
        assert read_embeddings(graph.store) is None
        assert not read_meta(graph.store, EMBEDDING_RUN)


def test_other_vectors_are_refused_by_a_store_that_is_loaded(
    embedded: EmbeddedShards, encoder: Path, tmp_path: Path
) -> None:
    shards = Path(embedded.storage.address)
    with citescape.open(tmp_path / "a.lbug", create=True) as graph:
        graph.load(shards)
        embed(shards, encoder, tokens=8)
        with pytest.raises(StoreError, match="with other scores, labels or vectors, al"):
            graph.load(shards)
        with pytest.raises(StoreError, match="all papers already"):
            graph.load(shards, where="year >= 2000")
