"""Sampling and training read a graph of shards as they read a store."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.distributed.storage import Storage
from citescape.importance.score import score
from citescape.importance.shards import score_shards
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.ingest import ingest_shards
from citescape.ingest.shards.store import ShardStore
from citescape.networks.citations import read_citations
from citescape.runs.context import Context, run
from citescape.sampling.sample import find_usable
from citescape.sampling.steps import SampleImportance, SampleSpecter
from citescape.store.graph_store import open_store
from citescape.store.queries import query
from citescape.training.steps import Train
from tests.copies import ingest_file
from tests.ingest.shards.graphs import HereOnly
from tests.small_encoder import write_small_encoder


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generated full texts."""
    folder = tmp_path_factory.mktemp("papers")
    write_corpus(generate_world(papers=60, seed=9), folder)
    return folder


@pytest.fixture(scope="module")
def scored(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of them with scores."""
    folder = tmp_path_factory.mktemp("store")
    path = ingest_file(papers, folder / "papers.lbug")
    with closing(open_store(str(path))) as store:
        score(store, runs=folder / "runs")
    return path


@pytest.fixture(scope="module")
def shards(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A graph of shards of them in three parts, with scores."""
    folder = tmp_path_factory.mktemp("divided")
    storage = Storage(str(folder / "shards"))
    graph = ingest_shards(storage, HereOnly(), [papers], parts=3).graph
    assert graph is not None
    score_shards(graph, HereOnly(), runs=folder / "runs")
    return storage.address


def test_citations_and_texts_are_those_of_a_store(scored: Path, shards: str) -> None:
    graph = ShardStore(ShardedGraph.open(Storage(shards)))
    with closing(open_store(str(scored), read_only=True)) as store:
        for weight in ("importance", "none"):
            expected, found = (read_citations(each, weight=weight) for each in (store, graph))
            assert found.ids.equals(expected.ids)
            assert found.fingerprint() == expected.fingerprint()
            assert (find_usable(graph, found.ids) == find_usable(store, found.ids)).all()
        for name in ("features/types", "training/documents"):
            expected, found = (each.read(query(name)).sort_by("id") for each in (store, graph))
            assert found.to_pylist() == expected.to_pylist()


@pytest.mark.parametrize(
    "step", [SampleImportance(short_anchors="shrink"), SampleSpecter(positives=2, hard=1)]
)
def test_triplets_are_those_of_a_store(
    step: Any, scored: Path, shards: str, tmp_path: Path
) -> None:
    of_store = run(step, Context.open(scored, runs=tmp_path / "of-store"))
    context = Context.open(runs=tmp_path / "of-shards")
    of_shards = run(replace(step, shards=shards), context)
    assert of_shards.run == of_store.run
    assert of_shards.arrow == of_store.arrow
    assert f"next: platform train --triplets {of_shards.run} --shards {shards}" in str(of_shards)


def test_an_encoder_is_that_of_a_store(scored: Path, shards: str, tmp_path: Path) -> None:
    sample = SampleImportance(short_anchors="shrink")
    base = str(write_small_encoder(tmp_path / "encoder"))
    settings: dict[str, Any] = {"base": base, "epochs": 1, "max_tokens": 32, "threads": 1}
    runs = []
    for named, where in ((str(scored), ""), ("", shards)):
        context = Context.open(named, runs=tmp_path / f"runs{bool(named)}")
        triplets = run(replace(sample, shards=where), context).run
        (trained,) = run(Train(triplets, shards=where, **settings), context)
        runs.append(trained)
    assert runs[0].run == runs[1].run
    weights = [next(each.path.rglob("*.safetensors")).read_bytes() for each in runs]
    assert weights[0] == weights[1]


def test_excluded_titles_and_missing_scores(
    shards: str, scored: Path, papers: Path, tmp_path: Path
) -> None:
    graph = ShardStore(ShardedGraph.open(Storage(shards)))
    with closing(open_store(str(scored), read_only=True)) as store:
        rows = (each.read(query("features/titles")).sort_by("id") for each in (store, graph))
        assert next(rows).to_pylist() == next(rows).to_pylist()
    storage = Storage(str(tmp_path / "unscored"))
    ingest_shards(storage, HereOnly(), [papers], parts=2)
    context = Context.open(runs=tmp_path)
    again = f"run `platform score --shards {storage.address}`"
    with pytest.raises(StoreError, match=again):
        run(SampleImportance(short_anchors="shrink", shards=storage.address), context)
    run(SampleSpecter(positives=2, hard=1, shards=storage.address), context)


def test_what_shards_do_not_answer(shards: str, tmp_path: Path) -> None:
    graph = ShardStore(ShardedGraph.open(Storage(shards)))
    for ask in (
        lambda: graph.read("MATCH (p:Paper) RETURN count(p)"),
        lambda: graph.read(query("explore/papers")),
        lambda: graph.apply([]),
    ):
        with pytest.raises(StoreError, match="load them, or the papers that you want, into a sto"):
            ask()
    step = SampleImportance(short_anchors="shrink", shards=shards)
    with pytest.raises(ConfigError, match="shards take the place of a store"):
        run(step, Context.open(tmp_path / "named.lbug", runs=tmp_path))
