"""Topics of a store, checked by hand: columns, vectors, runs, the graph and missing data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, SourceError, TransientStoreError
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.topic_table import SCHEMA, flatten_topics
from citescape.mapping.communities.topic_vectors import average_vectors
from citescape.mapping.communities.topics import (
    TopicsConfig,
    TopicsRun,
    describe_topics,
    is_in_graph,
    write_topics,
)
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import VECTORS, Vectors, write_vectors
from citescape.store.graph_store import GraphStore
from citescape.store.schema import NODE
from citescape.store.state import IMPORTANCE_RUN, write_meta
from citescape.store.statements import read_text
from tests.importance.conftest import insert
from tests.mapping.communities.clusterings import keep_clustering, put_in_graph

PAPERS: dict[str, tuple[str, str, int | None, str]] = {
    "a": ("Salt stress in rice", "Salt stress of seedlings.", 2016, "Rice"),
    "b": ("Salt stress and yield", "", 2018, "Plant J."),
    "c": ("Frost damage", "Frost of wheat.", 2019, "Rice"),
    "d": ("", "Frost.", None, "Rice"),
    "e": ("Honeybees", "", 2010, "Bees"),
}
CITES = {"ab": 0.25, "cb": 0.5, "cd": 0.125, "xa": 1.0, "xb": 0.5, "ax": 0.75, "cy": 0.5}
LEVELS = {"macro": ["abcd", "e"], "micro": ["ab", "cd", "e"]}


def fill(store: GraphStore, *, scored: bool = True, cites: bool = True) -> GraphStore:
    papers = [
        {"id": id_, "title": title, "abstract": text, "year": year, "venue": venue}
        for id_, (title, text, year, venue) in PAPERS.items()
    ]
    outside = [{"id": "x", "venue": "Plant J"}, {"id": "y", "venue": "Cold"}]
    insert(store, "Paper", [*papers, *outside])
    insert(store, "Subject", [{"id": name.lower(), "text": name} for name in ("Soil", "Cold")])
    ends = [("a", "soil"), ("b", "soil"), ("b", "cold"), ("c", "cold")]
    insert(store, "HAS_SUBJECT", [{"from": paper, "to": term} for paper, term in ends])
    if cites:
        list_rows = [
            {"from": ends[0], "to": ends[1], "importance": value if scored else None}
            for ends, value in CITES.items()
        ]
        insert(store, "CITES", list_rows)
        write_meta(store, IMPORTANCE_RUN, "score-1" if scored else "")
    return store


def cluster(runs: Path, **how: Any) -> ClusterRun:
    return keep_clustering(runs, {name: list(of) for name, of in LEVELS.items()}, **how)


def keep_vectors(runs: Path, vectors: dict[str, tuple[float, float]]) -> None:
    ids = pa.table({"id": pa.array(sorted(vectors), pa.string())})
    values = np.array([vectors[id_] for id_ in sorted(vectors)], np.float32)
    with open_run(runs, "embed-1") as directory:
        write_vectors(directory.path, Vectors(ids, values))
        directory.complete(RunRecord("embed-1", "embed", {}, {}, started="2026"))


def list_rows(topics_run: TopicsRun) -> list[dict[str, Any]]:
    topic_rows: list[dict[str, Any]] = topics_run.read().to_pylist()
    return topic_rows


def test_columns_of_topics(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    topics_run = describe_topics(fill(store), cluster(runs), runs=runs)
    assert topics_run.read().schema == SCHEMA
    salt, frost, bees = list_rows(topics_run)
    assert [row["name"] for row in (salt, frost, bees)] == ["micro-0", "micro-1", "micro-2"]
    assert [row["parent"] for row in (salt, frost, bees)] == ["macro-0", "macro-0", "macro-1"]
    assert [row["size"] for row in (salt, frost, bees)] == [2, 2, 1]
    assert [row["label"] for row in (salt, frost, bees)] == ["Salt stress", "Frost", "Honeybees"]
    assert [row["mean_year"] for row in (salt, frost, bees)] == [(2016 + 2018) / 2, 2019, 2010]
    assert salt["years"] == [{"year": 2016, "papers": 1}, {"year": 2018, "papers": 1}]
    received = {"a": 1.0, "b": 0.25 + 0.5 + 0.5, "d": 0.125}
    assert salt["importance"] == pytest.approx(received["a"] + received["b"])
    assert [frost["importance"], bees["importance"]] == [0.125, 0.0]
    assert [paper["id"] for paper in salt["papers"]] == ["b", "a"]
    assert salt["papers"][1] == {
        "id": "a",
        "title": "Salt stress in rice",
        "year": 2016,
        "importance": 1.0,
    }
    assert frost["papers"][0] == {"id": "d", "title": "", "year": None, "importance": 0.125}
    assert [row["field"] for row in (salt, frost, bees)] == ["Soil", "Cold", None]
    # Soil: a cites b and x of Plant J; Cold: c cites b of Plant J, d of Rice and y of Cold
    cosine = 2 * 1 / (2 * 3**0.5)
    assert salt["diversity"] == pytest.approx(2 / 2 * (1 - (-0.5 + 1.5) / (2 * 2)) * (1 - cosine))
    assert [frost["diversity"], bees["diversity"]] == [0, None]
    assert salt["terms"][0]["term"] == "Salt stress"
    assert salt["terms"][0]["papers"] == 2
    assert [term["score"] for term in salt["terms"]] == sorted(
        (term["score"] for term in salt["terms"]), reverse=True
    )


def test_counts_and_identity_of_a_run(store: GraphStore, tmp_path: Path) -> None:
    runs, made_before = tmp_path / "runs", []
    run = cluster(runs)
    topics_run = describe_topics(fill(store), run, runs=runs)
    assert dict(topics_run.counts) == {
        "topics": 3,
        "papers": 5,
        "without_label": 0,
        "without_text": 0,
        "without_year": 1,
        "without_field": 2,
        "fields": 2,
        "labels_without_paper": 0,
        "weight": "importance",
        "with_vector": 0,
    }
    assert (topics_run.unchanged, topics_run.clustering, topics_run.level) == (
        False,
        run.run,
        "micro",
    )
    again = describe_topics(store, run, TopicsConfig(level="micro"), runs=runs)
    assert (again.run, again.unchanged) == (topics_run.run, True)
    for config in (TopicsConfig(level="macro"), TopicsConfig(fields="venue"), TopicsConfig(top=2)):
        made_before.append(describe_topics(store, run, config, runs=runs).run)
    labels = [("a", "Soil")]
    made_before.append(
        describe_topics(store, run, TopicsConfig(fields="labels"), labels=labels, runs=runs).run
    )
    insert(store, "Paper", [{"id": "z", "title": "Rye"}])
    insert(store, "CITES", [{"from": "z", "to": "a", "importance": 0.5}])
    made_before.append(describe_topics(store, run, runs=runs).run)
    assert len({topics_run.run, *made_before}) == 6


def test_topics_of_a_coarser_level(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    found = list_rows(
        describe_topics(fill(store), cluster(runs), TopicsConfig(level="macro"), runs=runs)
    )
    assert [row["size"] for row in found] == [4, 1]
    assert [row["parent"] for row in found] == [None, None]
    with pytest.raises(ConfigError, match="has no level 'meso'; expected: macro, micro"):
        describe_topics(store, cluster(runs), TopicsConfig(level="meso"), runs=runs)


def test_papers_outside_the_core_are_ignored(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    topics_run = describe_topics(fill(store), cluster(runs, core="abe"), runs=runs)
    assert [row["size"] for row in list_rows(topics_run)] == [2, 1]
    assert topics_run.counts["papers"] == 3


def test_without_scores_citations_are_counted(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    topics_run = describe_topics(fill(store, scored=False), cluster(runs), runs=runs)
    assert topics_run.counts["weight"] == "citations"
    assert [row["importance"] for row in list_rows(topics_run)] == [4.0, 1.0, 0.0]
    assert list_rows(topics_run)[0]["papers"][0]["importance"] == 3.0


def test_topics_without_any_data(store: GraphStore, tmp_path: Path) -> None:
    """No texts, years, citations, fields or vectors, and papers missing from the store."""
    runs = tmp_path / "runs"
    insert(store, "Paper", [{"id": "a"}, {"id": "b"}])
    topics_run = describe_topics(store, cluster(runs), runs=runs)
    assert topics_run.counts["without_label"] == 3
    assert topics_run.counts["without_text"] == topics_run.counts["without_year"] == 5
    assert topics_run.counts["weight"] == "none"
    empty = ("label", "mean_year", "field", "diversity", "importance")
    for row in list_rows(topics_run):
        assert [row[name] for name in empty] == [None] * 5
        assert (row["years"], row["terms"]) == ([], [])
        assert {paper["importance"] for paper in row["papers"]} == {None}
    assert topics_run.vectors() is None
    assert flatten_topics(topics_run.read())["terms"].to_pylist() == ["", "", ""]


def test_topic_vectors_are_means(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    keep_vectors(runs, {"a": (1, 3), "b": (3, 5), "d": (4, 0), "x": (9, 9)})
    topics_run = describe_topics(fill(store), cluster(runs), runs=runs)
    found = topics_run.vectors()
    assert found is not None
    assert found.ids.to_pylist() == ["micro-0", "micro-1"]
    assert found.papers["papers"].to_pylist() == [2, 1]
    assert found.values.tolist() == [[(1 + 3) / 2, (3 + 5) / 2], [4, 0]]
    assert (topics_run.counts["with_vector"], topics_run.record.inputs["vectors"]) == (2, "embed-1")
    insert(store, "CITES", [{"from": "b", "to": "a"}])
    topics_run = describe_topics(store, cluster(runs), runs=runs)
    assert topics_run.counts["weight"] == "citations", "one has no importance"
    with pytest.raises(ConfigError, match="no run 'embed-2'"):
        describe_topics(store, cluster(runs), TopicsConfig(vectors="embed-2"), runs=runs)


def test_errors_are_not_treated_as_missing_data(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After damaged vectors or a lost connection no incomplete run is saved."""
    runs = tmp_path / "runs"
    keep_vectors(runs, {"a": (1, 3)})
    (runs / "embed-1" / VECTORS).write_bytes(b"no array")
    record = RunRecord("network-1", "network", {"kind": "knn"}, {"vectors": "embed-1"})
    with open_run(runs, record.id) as directory:
        directory.complete(record)
    run = cluster(runs, network=record.id)
    fill(store)
    with pytest.raises(SourceError, match="one is cut short or damaged"):
        describe_topics(store, run, runs=runs)
    with pytest.raises(SourceError, match="one is cut short or damaged"):
        describe_topics(store, cluster(runs), runs=runs)

    def lose(store: GraphStore, **how: object) -> None:
        raise TransientStoreError("connection lost")

    monkeypatch.setattr("citescape.mapping.communities.topic_papers.read_citations", lose)
    with pytest.raises(TransientStoreError):
        describe_topics(store, run, runs=runs)
    assert not list(runs.glob("topics-*"))


def test_means_equal_those_of_a_loop() -> None:
    random = np.random.default_rng(0)
    ids = pa.array([f"p{k:02d}" for k in range(30)])
    some = np.sort(random.choice(30, 20, replace=False))
    vectors = Vectors(
        pa.table({"id": ids.take(pa.array(some))}), random.random((20, 3), np.float32)
    )
    labels = random.integers(-1, 12, 30)
    names = [f"c{k}" for k in range(12)]  # c10 comes before c2
    found = average_vectors(vectors, ids, labels, names=names)
    assert found.ids.to_pylist() == sorted(found.ids.to_pylist())
    for name, mean in zip(found.ids.to_pylist(), found.values, strict=True):
        own = [k for k, row in enumerate(some) if labels[row] == names.index(name)]
        assert mean == pytest.approx(np.mean([vectors.values[k] for k in own], axis=0), abs=1e-6)
    having = {names[labels[row]] for row in some if labels[row] >= 0}
    assert set(found.ids.to_pylist()) == having


def test_topics_are_written_to_the_graph(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    run = cluster(runs)
    topics_run = describe_topics(fill(store), run, runs=runs)
    assert not is_in_graph(store, topics_run)
    assert write_topics(store, topics_run) == 0
    put_in_graph(store, run)
    assert write_topics(store, topics_run) == write_topics(store, topics_run) == 3
    held = {row["name"]: row for row in store.read(read_text(NODE["Community"])).to_pylist()}
    assert held["macro-0"]["label"] is None
    for row in list_rows(topics_run):
        found = held[row["name"]]
        for name in ("label", "field"):
            assert found[name] == row[name]
        for name in ("mean_year", "importance", "diversity"):
            assert found[name] == pytest.approx(row[name])
        assert found["terms"] == [term["term"] for term in row["terms"]]
    assert topics_run.run in store.read(read_text(NODE["Run"], []))["id"].to_pylist()
    coarse = describe_topics(store, run, TopicsConfig(level="macro"), runs=runs)
    assert write_topics(store, coarse) == 2
    held = {row["name"]: row for row in store.read(read_text(NODE["Community"])).to_pylist()}
    assert (held["macro-1"]["label"], held["micro-1"]["label"]) == ("Honeybees", "Frost")


def test_citation_counts_are_not_written_as_importance(store: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    run = cluster(runs)
    put_in_graph(fill(store, scored=False), run)
    topics_run = describe_topics(store, run, runs=runs)
    assert write_topics(store, topics_run) == 3
    held = store.read(read_text(NODE["Community"]))
    assert held["importance"].null_count == len(held)


def test_an_unwritable_folder_is_reported_first(store: GraphStore, tmp_path: Path) -> None:
    run = cluster(tmp_path / "runs")
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ConfigError, match="cannot write run directories"):
        describe_topics(fill(store), run, runs=file / "runs")
    with pytest.raises(ConfigError, match="top is 0; expected 1 or more"):
        TopicsConfig(top=0)
