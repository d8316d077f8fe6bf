"""From a store to vectors in a run directory, on both engines."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("torch")

from citescape.core.errors import ConfigError, StoreError
from citescape.embeddings.graph_compose import paper_table, write_composed
from citescape.embeddings.graph_embed import EmbeddedGraph, GraphEmbedConfig, embed_graph
from citescape.encoders.graph_config import WAYS, GraphConfig, Workplace
from citescape.networks.citations import build_citations
from citescape.runs.directory import read_run
from citescape.search.vectors import Vectors, read_vectors
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.schema import NODE, REL
from tests.forks import shared_forks

GRAPH = GraphConfig(dimensions=8, epochs=4, batch=50, chunk=25, uniform=5, threads=1)
SMALL = GraphEmbedConfig(holdout=0.05, graph=GRAPH)
PAPERS, GROUPS = 90, 6


def pairs() -> list[tuple[int, int]]:
    """Papers cite older papers of their group; the first of each group cites nothing."""
    chance = np.random.default_rng(0)
    result = set()
    for paper in range(GROUPS * 2, PAPERS):
        older = np.arange(paper % GROUPS, paper, GROUPS)
        result |= {(paper, int(k)) for k in chance.choice(older, min(5, len(older)), replace=False)}
    return sorted(result)


def fill(store: GraphStore) -> None:
    ids = [f"doi:10.1/{k:03}" for k in range(PAPERS)]
    edges = pairs()
    insert(store, "Paper", id=ids)
    insert(
        store,
        "CITES",
        **{"from": [ids[a] for a, _ in edges], "to": [ids[b] for _, b in edges]},
        n_method=[a % 3 for a, _ in edges],
        n_background=[1] * len(edges),
        n_result=[0] * len(edges),
    )


def insert(store: GraphStore, table: str, **columns: list[object]) -> None:
    schema = {**NODE, **REL}[table].arrow
    rows = len(next(iter(columns.values())))
    whole = {name: columns.get(name, pa.nulls(rows)) for name in schema.names}
    store.apply([Change("insert", table, pa.table(whole).cast(schema))])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on ladybug."""
    path = tmp_path_factory.mktemp("graph") / "corpus.lbug"
    store = open_store(str(path))
    fill(store)
    store.close()
    return path


def embed(
    path: Path, config: GraphEmbedConfig, runs: Path, exclude: tuple[str, ...] = ()
) -> EmbeddedGraph:
    store = open_store(str(path), read_only=True)
    try:
        return embed_graph(store, config, exclude=exclude, runs=runs)
    finally:
        store.close()


def test_a_store_becomes_a_run_of_vectors(store: GraphStore, tmp_path: Path) -> None:
    fill(store)
    result = embed_graph(store, SMALL, runs=tmp_path)
    vectors = read_vectors(result.path)
    assert vectors.values.shape == (PAPERS, 8)
    assert vectors.ids[0].as_py() == "doi:10.1/000"
    edges = pairs()
    assert vectors.papers["cites"].to_pylist() == [sum(a == k for a, _ in edges) for k in range(90)]
    assert vectors.papers["cited"].to_pylist() == [sum(b == k for _, b in edges) for k in range(90)]
    assert np.linalg.norm(vectors.values, axis=1).min() > 0
    assert result.counts["citations"] == len(edges)
    assert result.counts["held_out"] == round(len(edges) * 0.05)
    assert {row["protocol"] for row in result.figures} > {"filtered-all", "raw-all"}
    record = read_run(result.path)
    assert record.command == "graph-embed"
    assert record.config["dimensions"] == 8
    assert record.versions["torch"]
    assert set(record.timings) == {"read", "train", "evaluate", "write"}
    again = embed_graph(store, SMALL, runs=tmp_path)
    assert replace(again, unchanged=False) == result
    assert [p.name for p in tmp_path.iterdir() if "unfinished" in p.name] == []


def test_neighbours_are_of_the_same_group(path: Path, tmp_path: Path) -> None:
    config = replace(SMALL, graph=replace(GRAPH, epochs=40))
    values = read_vectors(embed(path, config, tmp_path).path).values
    unit = values / np.linalg.norm(values, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -1)
    nearest = cosines.argmax(1)
    assert (nearest % GROUPS == np.arange(PAPERS) % GROUPS).mean() > 0.9


def test_settings_and_weights_make_other_runs(path: Path, tmp_path: Path) -> None:
    runs = {
        embed(path, config, tmp_path).run
        for config in (
            SMALL,
            replace(SMALL, weight="background", holdout=0),
            replace(SMALL, weight="method"),
            replace(SMALL, vectors="both"),
            replace(SMALL, graph=replace(GRAPH, seed=1)),
        )
    }
    assert len(runs) == 5


def test_an_explicit_default_gives_the_same_run(path: Path, tmp_path: Path) -> None:
    result = embed(path, SMALL, tmp_path)
    spelled = replace(GRAPH, learning_rate=0.4 / 8**0.5, temperature=1.0, correction=True)
    assert result.config.graph == spelled
    assert read_run(result.path).config["learning_rate"] == 0.4 / 8**0.5
    again = embed(path, replace(SMALL, graph=spelled), tmp_path)
    assert replace(again, unchanged=False) == result
    assert again.unchanged
    assert embed(path, result.config, tmp_path).run == result.run


def test_a_facet_holds_only_papers_with_such_citations(path: Path, tmp_path: Path) -> None:
    result = embed(path, replace(SMALL, weight="method"), tmp_path)
    edges = [(a, b) for a, b in pairs() if a % 3]
    assert result.counts["citations"] == len(edges)
    expected = sorted({f"doi:10.1/{k:03}" for pair in edges for k in pair})
    assert read_vectors(result.path).ids.to_pylist() == expected
    with pytest.raises(StoreError, match="importance"):
        embed(path, replace(SMALL, weight="importance"), tmp_path)


def test_excluded_papers_are_not_embedded(path: Path, tmp_path: Path) -> None:
    excluded = ("doi:10.1/003", "doi:10.1/050", "doi:10.1/unknown")
    result = embed(path, SMALL, tmp_path, excluded)
    assert result.counts["excluded"] == 2
    assert not set(read_vectors(result.path).ids.to_pylist()) & set(excluded)
    left = [pair for pair in pairs() if not {3, 50} & set(pair)]
    assert result.counts["citations"] == len(left)
    with pytest.raises(StoreError, match="90 papers excluded"):
        embed(path, SMALL, tmp_path, tuple(f"doi:10.1/{k:03}" for k in range(PAPERS)))


def embed_killed(store: str, runs: str) -> None:
    """Kills the process at the twentieth message."""
    messages: list[str] = []

    def die(text: str) -> None:
        messages.append(text)
        if len(messages) == 20:
            os.kill(os.getpid(), signal.SIGKILL)

    opened = open_store(store, read_only=True)
    embed_graph(opened, SMALL, place=Workplace(every=0), runs=Path(runs), progress=die)


def test_a_killed_run_continues(path: Path, tmp_path: Path) -> None:
    killed = str(tmp_path / "killed")
    done = shared_forks().call("tests.embeddings.test_graph_embed:embed_killed", str(path), killed)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert [p.suffix for p in (tmp_path / "killed").iterdir()] == [".unfinished"]
    resumed = embed(path, SMALL, tmp_path / "killed")
    whole = embed(path, SMALL, tmp_path / "whole")
    assert resumed.counts["steps_here"] < whole.counts["steps_here"]
    assert resumed.run == whole.run
    assert resumed.counts["losses"] == whole.counts["losses"]
    actual, expected = (read_vectors(result.path) for result in (resumed, whole))
    assert np.array_equal(actual.values, expected.values)


def test_without_holdout_links_are_not_predicted(path: Path, tmp_path: Path) -> None:
    result = embed(path, replace(SMALL, holdout=0), tmp_path)
    assert (result.counts["held_out"], result.figures) == (0, [])
    json.dumps(read_run(result.path).counts, allow_nan=False)


@pytest.fixture
def three() -> tuple[Vectors, tuple[np.ndarray, np.ndarray]]:
    """`a` only cites, `b` cites and is cited, `c` is only cited."""
    rows = pa.table({"citing": ["a", "a", "b"], "cited": ["b", "c", "c"], "weight": [1.0] * 3})
    papers = paper_table(build_citations(rows))
    sources, targets = np.array([[1], [2], [4]], "f4"), np.array([[10], [20], [40]], "f4")
    return Vectors(papers, sources), (sources, targets)


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("sum", [[1], [22], [40]]),
        ("source", [[1], [2], [0]]),
        ("target", [[0], [20], [40]]),
        ("both", [[1, 0], [2, 20], [0, 40]]),
    ],
)
def test_untrained_vectors_are_omitted(
    three: tuple[Vectors, tuple[np.ndarray, np.ndarray]],
    tmp_path: Path,
    way: str,
    expected: list[list[int]],
) -> None:
    vectors, tables = three
    assert vectors.papers.to_pydict() == {
        "id": ["a", "b", "c"],
        "cites": [2, 1, 0],
        "cited": [0, 1, 2],
    }
    graph = GraphConfig(dimensions=1)
    write_composed(tmp_path, vectors.papers, tables, way=way, graph=graph)
    assert read_vectors(tmp_path).values.tolist() == expected


def test_undirected_and_shared_tables_omit_nothing(
    three: tuple[Vectors, tuple[np.ndarray, np.ndarray]], tmp_path: Path
) -> None:
    vectors, tables = three
    for graph, expected in (
        (GraphConfig(dimensions=1, undirected=True), [11, 22, 44]),
        (GraphConfig(dimensions=1, tables="shared"), [1, 2, 4]),
    ):
        write_composed(tmp_path, vectors.papers, tables, way="sum", graph=graph)
        assert read_vectors(tmp_path).values[:, 0].tolist() == expected


def test_invalid_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match=f"expected one of: {', '.join(sorted(WAYS))}"):
        GraphEmbedConfig(vectors="mean")
    with pytest.raises(ConfigError, match="one vector"):
        GraphEmbedConfig(vectors="both", graph=GraphConfig(tables="shared"))
    with pytest.raises(ConfigError, match="a share"):
        GraphEmbedConfig(holdout=1)


def test_an_unwritable_folder_is_reported_before_the_work(path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot write run directories"):
        embed(path, SMALL, tmp_path / "file" / "runs")
