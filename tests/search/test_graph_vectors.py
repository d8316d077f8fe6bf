"""Vectors in the graph: exact, one complete run at a time, and vector indexes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import StoreError
from citescape.ingest.overview import is_partly_written, read_pending
from citescape.ingest.replace import replace_papers
from citescape.ingest.resolve import resolve
from citescape.runs.directory import RunRecord
from citescape.search import graph_vectors
from citescape.search.graph_vectors import read_embeddings, write_embeddings
from citescape.search.neighbours import find_neighbours
from citescape.search.vectors import Vectors
from citescape.store import vector_index
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE
from citescape.store.state import EMBEDDING_RUN, read_meta
from citescape.store.vector_index import VECTOR_INDEX
from tests.neo4j.guide import vector_index_query
from tests.neo4j.server import CHOSEN

IDS = [f"doi:10.1/{number:02d}" for number in range(30)]


@pytest.fixture
def graph(store: GraphStore) -> Iterator[GraphStore]:
    """A store with thirty papers."""
    store.apply([Change("insert", "Paper", papers(IDS))])
    yield store
    if store.dialect == "neo4j":
        store.write(f"DROP INDEX {VECTOR_INDEX} IF EXISTS")


def papers(ids: list[str]) -> pa.Table:
    schema = NODE["Paper"].arrow
    columns = {name: pa.nulls(len(ids), schema.field(name).type) for name in schema.names}
    columns |= {"id": pa.array(ids), "title": pa.array([f"On {id_}" for id_ in ids])}
    columns["fulltext"] = pa.array([True] * len(ids))
    columns |= {"sources": pa.array([["jats"]] * len(ids))}
    columns |= {"source_ids": pa.array([[id_] for id_ in ids])}
    return pa.table(columns, schema)


def vectors(dimensions: int, seed: int = 0, ids: list[str] = IDS) -> Vectors:
    values = np.random.default_rng(seed).normal(size=(len(ids), dimensions)).astype(np.float32)
    return Vectors(pa.table({"id": ids, "text": ["title"] * len(ids)}), values)


def record(name: str) -> RunRecord:
    return RunRecord(name, "embed", {}, {}, started="2026-01-01T00:00:00+00:00")


def count(store: GraphStore) -> tuple[int, int]:
    nodes = store.read("MATCH (e:Embedding) RETURN count(e) AS n")["n"][0].as_py()
    links = store.read("MATCH (:Paper)-[x:HAS_EMBEDDING]->(:Embedding) RETURN count(x) AS n")
    return nodes, links["n"][0].as_py()


def test_vectors_are_read_exactly(graph: GraphStore) -> None:
    embeddings = vectors(8)
    embeddings.values[0, :4] = [2.0**-149, -(2.0**-149), 3.4e38, -0.0]
    assert read_embeddings(graph) is None
    written = write_embeddings(graph, embeddings, record("embed-1"))
    assert (written.inserted, written.removed, written.not_in_graph) == (30, 0, 0)
    found = read_embeddings(graph)
    assert found is not None
    assert found.ids.to_pylist() == IDS
    assert found.papers["text"].to_pylist() == ["title"] * 30
    assert np.abs(found.values - embeddings.values).max() == 0
    again = write_embeddings(graph, embeddings, record("embed-1"))
    assert (again.inserted, again.removed) == (0, 0)


def test_another_run_replaces_the_first(graph: GraphStore) -> None:
    write_embeddings(graph, vectors(8), record("embed-1"))
    written = write_embeddings(graph, vectors(5, seed=1), record("embed-2"))
    assert (written.inserted, written.removed) == (30, 30)
    assert read_meta(graph, EMBEDDING_RUN) == "embed-2"
    assert count(graph) == (30, 30)
    assert not is_partly_written(graph, "vectors")
    found = read_embeddings(graph)
    assert found is not None
    assert (found.values == vectors(5, seed=1).values).all()
    runs = graph.read("MATCH (r:Run) RETURN r.id AS id ORDER BY id")["id"].to_pylist()
    assert runs == ["embed-1", "embed-2"]


@pytest.mark.parametrize("step", [1, 3, 4, 6, 7])
def test_an_interrupted_write_leaves_a_complete_run_and_is_resumed(
    graph: GraphStore, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(vector_index, "_NUMBERS", 50)
    monkeypatch.setattr(graph_vectors, "_DELETED", 10)
    old, new = vectors(5), vectors(5, seed=1)
    write_embeddings(graph, old, record("embed-1"))
    left = [step]

    def cut(_: str) -> None:
        left[0] -= 1
        if not left[0]:
            raise StoreError("cut off")

    finished = True
    try:
        write_embeddings(graph, new, record("embed-2"), progress=cut)
    except StoreError:
        finished = False
    found = read_embeddings(graph)
    assert found is not None
    switched = read_meta(graph, EMBEDDING_RUN) == "embed-2"
    assert switched == (step > 3)
    assert (found.values == (new if switched else old).values).all()
    assert finished == (step > 6)
    assert ("it was interrupted while it wrote vectors" in read_pending(graph)) == (1 < step < 7)
    write_embeddings(graph, new, record("embed-2"))
    assert count(graph) == (30, 30)
    found = read_embeddings(graph)
    assert found is not None
    assert (found.values == new.values).all()


def test_papers_missing_from_the_graph_are_counted(graph: GraphStore) -> None:
    written = write_embeddings(graph, vectors(4, ids=[*IDS[:3], "pmid:9"]), record("embed-1"))
    assert (written.inserted, written.not_in_graph) == (3, 1)


def test_vectors_are_removed_with_papers_and_changed_texts(
    graph: GraphStore,
) -> None:
    embeddings = vectors(4)
    write_embeddings(graph, embeddings, record("embed-1"))
    replace_papers(graph, {"Paper": papers(IDS[:2])}, gone=IDS[5:6])
    assert count(graph) == (27, 27)
    graph.apply([Change("delete", "Paper", pa.table({"id": IDS[7:9]}))])
    resolve(graph)
    assert count(graph) == (25, 25)
    written = write_embeddings(graph, embeddings, record("embed-1"))
    assert (written.inserted, written.not_in_graph) == (2, 3)


def test_a_library_query_finds_the_same_neighbours(graph: GraphStore) -> None:
    embeddings = vectors(6)
    write_embeddings(graph, embeddings, record("embed-1"))
    expected = find_neighbours(embeddings, 5)
    for row in (0, 17):
        found = graph.read(query("explore/similar"), paper=IDS[row], limit=5).to_pylist()
        ids = [IDS[k] for k in expected.indices[row]]
        assert [row_of_result["id"] for row_of_result in found] == ids
        assert [row_of_result["similarity"] for row_of_result in found] == pytest.approx(
            expected.scores[row].tolist(), abs=1e-6
        )
        assert found[0]["text"] == "title"


@pytest.mark.parametrize("fresh_store", ["neo4j"], indirect=True)
def test_neo4j_index_finds_neighbours_for_vectors_of_any_length(graph: GraphStore) -> None:
    """Only Neo4j is tested, because the vector index of ladybug is a download.

    The search is approximate: neighbours of similar rank may be swapped, and one may be missed.
    """
    for dimensions in (6, 9):
        embeddings = vectors(dimensions)
        write_embeddings(graph, embeddings, record(f"embed-{dimensions}"))
        expected = find_neighbours(embeddings, 5)
        units = embeddings.values / np.linalg.norm(embeddings.values, axis=1, keepdims=True)
        cosines = units @ units.T
        for row in (0, 17):
            found = graph.read(vector_index_query(CHOSEN), paper=IDS[row]).slice(1, 5)
            scores = found["cosine"].to_numpy()
            of_each = cosines[row, [IDS.index(id_) for id_ in found["id"].to_pylist()]]
            assert scores == pytest.approx(of_each, abs=2e-3)
            nearest = np.sort(expected.scores[row])[::-1]
            assert (scores <= nearest + 1e-2).all()  # the index may miss one of them
            assert np.isclose(scores[:, None], nearest, atol=1e-2).any(axis=1).sum() >= 4
