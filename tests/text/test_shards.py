"""Labels over shards are those of a store, and take the place of columns of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import citescape
import citescape.text.sections.label
from citescape.core.errors import ConfigError, StoreError
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.distributed.cluster import Cluster, open_cluster
from citescape.distributed.storage import Storage
from citescape.importance.score import score
from citescape.importance.shards import score_shards
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.ingest import ingest_shards
from citescape.ingest.shards.labels import COMPLETE, FOLDER, Labels
from citescape.papers.loading.tables import WholeGraph
from citescape.runs.result import Result
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.schema import TABLE
from citescape.store.statements import read_text
from citescape.text.abstracts.train import load_splitter
from citescape.text.intents.model import resolve_model as load_intent_model
from citescape.text.intents.model import train as train_intents
from citescape.text.intents.steps import IntentConfig
from citescape.text.labeller import RULES
from citescape.text.sections.model import resolve_model as load_section_model
from citescape.text.sections.model import train as train_sections
from citescape.text.sections.steps import TrainSections
from citescape.text.shard_labellers import ABSTRACTS, INTENTS, SECTIONS
from citescape.text.shards import LabelledShards, Labeller, ModelReference, label_shards
from tests.copies import ingest_file, read_tables
from tests.ingest.papers import small_corpus, write_files
from tests.ingest.shards.graphs import (
    FailureError,
    HereOnly,
    differing,
    rows_of_graph,
    rows_of_store,
)
from tests.sharded import split_tables
from tests.small_encoder import write_small_encoder
from tests.text.intents.conftest import make_examples

OPEN = {
    "sections": replace(SECTIONS, rows=60),
    "intents": replace(INTENTS, rows=200),
    "abstracts": replace(ABSTRACTS, rows=40),
}
"""Labellers whose tasks label few papers."""
WITH_PATHS, PATHS = ("File", "Paper"), ("path", "source_paths")
"""Tables and columns with paths, which differ with the working directory."""


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Papers of which a third have headings that rules cannot type."""
    folder = tmp_path_factory.mktemp("papers") / "papers"
    write_corpus(generate_world(papers=50, seed=11), folder, topical=0.3)
    return folder


@pytest.fixture(scope="module")
def source(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of these papers."""
    return ingest_file(papers, tmp_path_factory.mktemp("store") / "papers.lbug")


@pytest.fixture
def store(source: Path, tmp_path: Path) -> Iterator[GraphStore]:
    """A copy of it."""
    path = tmp_path / "papers.lbug"
    path.write_bytes(source.read_bytes())
    with closing(open_store(str(path))) as copy:
        yield copy


@pytest.fixture(scope="module")
def divided(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of shards of them, in three parts."""
    folder = tmp_path_factory.mktemp("divided") / "shards"
    ingest_shards(Storage(str(folder)), HereOnly(), [papers], parts=3)
    return folder


@pytest.fixture
def graph(divided: Path, tmp_path: Path) -> ShardedGraph:
    """A copy of it."""
    storage = Storage(str(tmp_path / "shards"))
    for name in Storage(str(divided)).sizes():
        storage.write(name, Storage(str(divided)).read(name))
    return ShardedGraph.open(storage)


@pytest.fixture(scope="module")
def runs(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained models of sections and intents."""
    folder = tmp_path_factory.mktemp("runs")
    encoder = write_small_encoder(tmp_path_factory.mktemp("encoders") / "small")
    with closing(open_store(str(source), read_only=True)) as store:
        config = TrainSections(body=False, epochs=6, fewest_steps=1, threads=1)
        train_sections(store, replace(config, encoder=str(encoder)), runs=folder)
    train_intents(make_examples(60), IntentConfig(), runs=folder)
    return folder


def label(
    graph: ShardedGraph, kind: str, runs: Path, cluster: Cluster | None = None, named: str = RULES
) -> LabelledShards[Any]:
    """Labels one kind of text by rules, or by the trained model if `named` is empty."""
    run, settings = named, dict[str, object]()
    if kind == "intents":
        run, settings = load_intent_model(runs, named).record.id, {"threshold": 0.5}
    elif kind == "abstracts":
        run = load_splitter(runs, named).record.id
    elif named != RULES:
        model = load_section_model(runs, named)
        assert model is not None
        run = model.run
    reference = ModelReference.resolved(runs, named, run)
    return label_shards(OPEN[kind], reopen(graph), cluster or HereOnly(), reference, **settings)


def label_store(store: GraphStore, kind: str, runs: Path, named: str = RULES) -> Result:
    """The same for a store."""
    labeller: Labeller[Any] = OPEN[kind]
    result: Result = labeller.label(store, labeller.load(runs, named))
    return result


def reopen(graph: ShardedGraph) -> ShardedGraph:
    return ShardedGraph.open(graph.storage)


def figures(result: Result) -> dict[str, Any]:
    """Numbers of a result."""
    return {n: v for n, v in vars(result).items() if isinstance(v, int | dict)}


def check_equal(store: GraphStore, graph: ShardedGraph) -> None:
    """All rows of the graph are those of the store, but for paths and last bits."""
    graph = reopen(graph)
    for name, table in TABLE.items():
        if name not in (*WITH_PATHS, "Section", "Run", "Meta"):
            rows = store.read(read_text(table)).select(table.arrow.names)
            found = pa.concat_tables([table.arrow.empty_table(), *graph.iterate(name)])
            assert sorted(map(repr, rows.to_pylist())) == sorted(map(repr, found.to_pylist()))
    for name in ("Paper", "Section"):
        columns = [n for n in TABLE[name].arrow.names if n not in PATHS]
        expected = store.read(read_text(TABLE[name], columns)).select(columns)
        found = pa.concat_tables(graph.iterate(name, columns))
        check_rows(*(rows.sort_by("id").to_pylist() for rows in (expected, found)))


def check_rows(expected: list[dict[str, Any]], found: list[dict[str, Any]]) -> None:
    """Equal rows; probabilities of a network may differ in their last bits."""
    assert len(expected) == len(found)
    for one, other in zip(expected, found, strict=True):
        likely = one.pop("type_probability", None), other.pop("type_probability", None)
        assert one == other
        assert likely == pytest.approx(likely[::-1], abs=1e-5)


@pytest.mark.parametrize("kind", ["sections", "intents", "abstracts"])
def test_labels_by_rules_are_those_of_a_store(
    kind: str, store: GraphStore, graph: ShardedGraph, runs: Path
) -> None:
    expected = label_store(store, kind, runs)
    here = HereOnly()
    found = label(graph, kind, runs, here)
    assert len(here.done) > 3
    assert figures(found.labelled) == figures(expected)
    assert found.folder.startswith(f"{graph.storage.address}/{FOLDER}/{kind}/")
    check_equal(store, graph)


def test_labels_by_models_are_those_of_a_store(
    store: GraphStore, graph: ShardedGraph, runs: Path
) -> None:
    """Intents follow the section types that a model gave."""
    for kind in ("sections", "intents"):
        expected = label_store(store, kind, runs, named="")
        found = label(graph, kind, runs, named="")
        assert figures(found.labelled) == figures(expected)
        assert found.labelled.run == expected.run  # type: ignore[attr-defined]
        assert found.labelled.written > 20
    check_equal(store, graph)
    typed = pa.concat_tables(reopen(graph).iterate("Section", ["type_run"]))["type_run"]
    assert len(typed) - typed.null_count > 20


def test_processes_give_the_same(graph: ShardedGraph, runs: Path) -> None:
    label(graph, "intents", runs)
    alone = rows_of_graph(reopen(graph))
    graph.storage.remove(COMPLETE)
    graph.storage.remove(FOLDER)
    with open_cluster(workers=2) as cluster:
        assert not label(graph, "intents", runs, cluster).unchanged
    assert differing(alone, rows_of_graph(reopen(graph))) == set()


def test_an_interrupted_labelling_does_what_is_missing(graph: ShardedGraph, runs: Path) -> None:
    with pytest.raises(FailureError):
        label(graph, "intents", runs, HereOnly(fail_at=2))
    assert reopen(graph).labels == {}
    rest, whole = HereOnly(), HereOnly()
    found = label(graph, "intents", runs, rest)
    labelled = rows_of_graph(reopen(graph))
    graph.storage.remove(COMPLETE)
    graph.storage.remove(FOLDER)
    assert figures(label(graph, "intents", runs, whole).labelled) == figures(found.labelled)
    assert len(rest.done) == len(whole.done) - 2
    assert differing(labelled, rows_of_graph(reopen(graph))) == set()


def test_the_same_labels_again_do_nothing_and_others_take_their_place(
    graph: ShardedGraph, runs: Path
) -> None:
    first = label(graph, "intents", runs)
    again = label(graph, "intents", runs, HereOnly(fail_at=0))
    assert (first.unchanged, again.unchanged) == (False, True)
    unwritten = {"written": 0, "pairs_written": 0}
    assert figures(again.labelled) == {**figures(first.labelled), **unwritten}
    other = label(graph, "intents", runs, named="")
    assert other.labelled.run != first.labelled.run
    folders = {name.split("/")[2] for name in graph.storage.sizes(f"{FOLDER}/intents")}
    assert folders == {reopen(graph).labels["intents"].key}
    assert other.folder.endswith(reopen(graph).labels["intents"].key)


def test_scores_follow_section_types(
    store: GraphStore, graph: ShardedGraph, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citescape.text.sections.label, "MIN_CONFIDENCE", 0.0)
    score_shards(graph, HereOnly(), runs=runs)
    label(graph, "abstracts", runs)
    label(graph, "sections", runs)  # by rules, which changes nothing
    before = score_shards(reopen(graph), HereOnly(), runs=runs)
    assert before.unchanged
    labelled = label(graph, "sections", runs, named="")
    assert labelled.next == [("next", f"score --shards {graph.storage.address}")]
    with pytest.raises(StoreError, match="other types of its sections; score the shards again"):
        citescape.open(Path(graph.storage.address).parent / "early.lbug", create=True).load(
            graph.storage.address
        )
    found = score_shards(reopen(graph), HereOnly(), runs=runs)
    label_store(store, "sections", runs, named="")
    expected = score(store, runs=runs)
    assert (found.mentions, found.relabelled) == (expected.mentions, expected.relabelled)
    assert found.statistics == expected.statistics
    assert found.relabelled > 0 == before.relabelled
    back = label(graph, "sections", runs)  # the model's types are gone, and its scores with them
    assert back.next == [("next", f"score --shards {graph.storage.address}")]
    assert score_shards(reopen(graph), HereOnly(), runs=runs).relabelled == 0


def test_labels_are_loaded_with_their_runs(graph: ShardedGraph, runs: Path, tmp_path: Path) -> None:
    for kind in OPEN:
        label(graph, kind, runs)
    labelled = rows_of_graph(reopen(graph))
    ids = WholeGraph(reopen(graph), None).read_runs()["id"].to_pylist()
    assert len(ids) == len(set(ids)) == 2
    with citescape.open(tmp_path / "loaded.lbug", create=True) as corpus:
        corpus.load(graph.storage.address)
        assert differing(rows_of_store(corpus.store), labelled) == set()
        stored = corpus.cypher("MATCH (r:Run) RETURN r.id AS id").arrow["id"].to_pylist()
        assert sorted(stored) == sorted(ids)
        assert corpus.load(graph.storage.address).unchanged
        label(graph, "intents", runs, named="")
        with pytest.raises(StoreError, match="expected a new or an empty store"):
            corpus.load(graph.storage.address)


def test_damaged_labels_are_noticed_and_written_again(graph: ShardedGraph, runs: Path) -> None:
    label(graph, "intents", runs)
    labels = reopen(graph).labels["intents"]
    name = next(name for name in labels.files if "/Occurrence/" in name)
    content = graph.storage.read_table(name)
    graph.storage.remove(name)
    with pytest.raises(StoreError, match="is missing"):
        rows_of_graph(reopen(graph))
    assert not label(graph, "intents", runs).unchanged
    assert graph.storage.read_table(name) == content
    other = content.set_column(0, "id", pa.array([f"other {k}" for k in range(len(content))]))
    graph.storage.write_table(name, other)
    with pytest.raises(StoreError, match=r"has labels of other rows .* label the intents of the"):
        rows_of_graph(reopen(graph))


def test_citations_of_no_known_work_are_labelled(
    store: GraphStore, runs: Path, tmp_path: Path
) -> None:
    tables = read_tables(store)
    tables |= {name: tables[name].slice(0, 0) for name in ("CITES", "REFERS_TO", "MATCHES")}
    graph = split_tables(tables, tmp_path / "few", 2)
    found = label(graph, "intents", runs).labelled
    assert found.contexts == len(tables["Occurrence"]) > 100
    assert found.pairs_written == 0


def test_another_model_under_the_name_is_refused(graph: ShardedGraph, runs: Path) -> None:
    model = ModelReference.resolved(runs, RULES, "intents-rules-of-yesterday")
    with pytest.raises(
        ConfigError, match=r"is intents-rules-\w+ now; expected intents-rules-of-ye"
    ):
        label_shards(OPEN["intents"], reopen(graph), HereOnly(), model, threshold=0.5)
    assert reopen(graph).labels == {}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[", "is damaged"),
        (b"[]", "is damaged: .*; remove it and label the texts"),
        (b'{"graph": "x", "labels": {}}', "is of another graph; remove it and label"),
    ],
)
def test_a_damaged_list_of_labels(graph: ShardedGraph, content: bytes, message: str) -> None:
    graph.storage.write(COMPLETE, content)
    with pytest.raises(StoreError, match=message):
        reopen(graph)


def test_a_new_ingest_removes_labels(graph: ShardedGraph, runs: Path, tmp_path: Path) -> None:
    label(graph, "abstracts", runs)
    assert isinstance(reopen(graph).labels["abstracts"], Labels)
    (more := tmp_path / "more").mkdir()
    write_files(more, small_corpus(4))
    ingest_shards(graph.storage, HereOnly(), [more], parts=2)
    assert reopen(graph).labels == {}
    assert graph.storage.sizes(FOLDER) == {}
