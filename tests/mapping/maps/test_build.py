"""A map in its run directory: every file, what is not made twice, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.mapping.maps.build import build_map
from citescape.mapping.maps.config import MapConfig
from citescape.mapping.maps.layout import place
from citescape.mapping.maps.map_run import PAPERS, MapRun
from citescape.mapping.maps.overlays import OVERLAYS
from citescape.mapping.maps.spaces import VectorSpace
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import Vectors, write_vectors
from citescape.store.graph_store import Change, GraphStore, open_store
from tests.mapping.communities.clusterings import keep_clustering
from tests.mapping.maps.points import heaps
from tests.mapping.maps.stores import (
    IDS,
    LAYOUT,
    QUICK,
    fill,
    keep_communities,
    keep_topics,
    keep_vectors,
    middles,
)

pytest.importorskip("matplotlib")
FEW = ("community",)


def draw(store: GraphStore, runs: Path, **settings: Any) -> MapRun:
    config = {**QUICK, "overlays": FEW, **settings}
    return build_map(store, MapConfig(**config), runs=runs)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """The store for tests that write nothing to it and in which the engine does not matter."""
    with closing(open_store(str(tmp_path_factory.mktemp("lone") / "lone.lbug"))) as store:
        yield fill(store)


def test_every_file(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    topics = keep_topics(store, runs, keep_communities(runs), "micro")
    made = draw(store, runs, overlays=())
    assert dict(made.counts) == {
        "papers": 40,
        "without_vector": 0,
        "zero_vector": 0,
        "topics": 4,
        "topics_placed": 4,
        "papers_placed_by": made.counts["papers_placed_by"],
        "topics_placed_by": {"method": "classical scaling", "kept": None, "chance": None},
        "weight": "importance",
        "places_reused": False,
        "lacking": [],
        "overlays": list(OVERLAYS),
    }
    pictures = [f"map-{name}.{end}" for name in OVERLAYS for end in ("png", "svg")]
    placing = made.placing("papers")
    assert placing.kept
    assert (placing.method, placing.kept.chance) == ("UMAP of 6 neighbours", round(10 / 39, 4))
    tables = ["papers.parquet", "topics.parquet", "map.html", "run.json"]
    assert sorted(path.name for path in made.path.iterdir()) == sorted([*pictures, *tables])
    assert [path.is_file() for path in made.pictures] == [True] * len(OVERLAYS)
    assert made.page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert made.record.inputs["topics"] == topics.run
    assert set(made.record.timings) == {"read", "place", "draw"}
    assert (made.level, made.unchanged) == ("micro", False)


def test_papers_and_topics(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs, without=1)
    topics = keep_topics(store, runs, keep_communities(runs), "micro")
    made = draw(store, runs)
    papers, table = made.read_papers(), made.read_topics()
    assert papers["id"].to_pylist() == IDS[:39]
    own = {f"micro-{k % 4}" for k in range(4)}
    assert set(papers["community"].to_pylist()) == own
    labels = dict(
        zip(*(topics.read()[name].to_pylist() for name in ("name", "label")), strict=True)
    )
    told = zip(*(papers[name].to_pylist() for name in ("community", "label")), strict=True)
    assert all(labels[name] == label for name, label in told)
    assert papers["year"].to_pylist() == [2000 + k for k in range(39)]
    space = VectorSpace(heaps(40, groups=4).select_rows(np.arange(39)))
    expected = place(space, LAYOUT)
    np.testing.assert_array_equal(papers["x"].to_numpy(), expected.positions[:, 0])
    np.testing.assert_array_equal(papers["y"].to_numpy(), expected.positions[:, 1])
    for name, middle in middles(papers).items():
        row = table["name"].to_pylist().index(name)
        spot = np.array([table["paper_x"][row].as_py(), table["paper_y"][row].as_py()])
        assert np.linalg.norm(spot - middle) < 1
    assert table["placed"].to_pylist() == [10, 10, 10, 9]
    assert np.isfinite(table["x"].to_numpy()).all()


def test_a_map_is_not_made_twice(lone: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    keep_communities(runs)
    made = draw(lone, runs)
    before = {path.name: path.stat().st_mtime_ns for path in made.path.iterdir()}
    again = draw(lone, runs)
    assert (again.run, again.unchanged) == (made.run, True)
    assert {path.name: path.stat().st_mtime_ns for path in made.path.iterdir()} == before


def test_places_are_kept_where_only_the_drawing_differs(lone: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    keep_communities(runs)
    made = draw(lone, runs)
    assert made.counts["places_reused"] is False
    other = draw(lone, runs, overlays=("density",))
    assert (other.counts["places_reused"], other.run == made.run) == (True, False)
    assert other.read_papers().equals(made.read_papers())
    assert other.placing("papers") == made.placing("papers")
    coarse = draw(lone, runs, level="macro")
    assert coarse.counts["places_reused"] is True
    moved = draw(lone, runs, seed=1)
    assert moved.counts["places_reused"] is False
    assert not moved.read_papers()["x"].equals(made.read_papers()["x"])


def test_another_network_of_nearest_papers_is_another_map(store: GraphStore, runs: Path) -> None:
    """It decides the places; where it is gone they are sought again, as another run."""
    fill(store)
    keep_vectors(runs)
    made = []
    for k in (12, 14):
        network = build(store, NetworkConfig(k=k), runs=runs)
        made.append(draw(store, runs, clustering=keep_communities(runs, network=network.run).run))
        assert made[-1].record.inputs["nearest"] == network.run
    network.path.rename(runs / "elsewhere")
    made.append(draw(store, runs, clustering=made[-1].clustering))
    assert made[-1].record.inputs["nearest"] == ""
    assert len({one.run for one in made}) == len({one.record.inputs["layout"] for one in made}) == 3
    assert not any(one.counts["places_reused"] for one in made)


@pytest.mark.parametrize("revision", ["_LAYOUT", "_DRAWING"])
def test_what_a_revision_made_anew_is_not_taken_for_what_was(
    lone: GraphStore, runs: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    from citescape.mapping.maps import build as module

    keep_vectors(runs)
    keep_communities(runs)
    before = draw(lone, runs)
    monkeypatch.setattr(module, revision, getattr(module, revision) + 1)
    after = draw(lone, runs)
    assert after.run != before.run
    assert after.counts["places_reused"] is (revision == "_DRAWING")


def test_an_abstract_makes_no_other_map_and_a_title_does(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    keep_communities(runs)
    made = draw(store, runs)
    store.apply([Change("update", "Paper", pa.table({"id": IDS[:1], "abstract": ["New."]}))])
    assert draw(store, runs).run == made.run
    store.apply([Change("update", "Paper", pa.table({"id": IDS[:1], "title": ["New"]}))])
    assert draw(store, runs).run != made.run


def test_damaged_places_are_found_anew(lone: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    keep_communities(runs)
    made = draw(lone, runs)
    before = made.read_papers()
    (made.path / PAPERS).write_bytes(b"PAR1")
    with pytest.raises(SourceError, match="expected a file of `platform map`"):
        made.read_papers()
    other = draw(lone, runs, overlays=("density",))
    assert other.counts["places_reused"] is False
    assert other.read_papers().equals(before)


def test_without_topics_scores_or_vectors(store: GraphStore, runs: Path) -> None:
    fill(store, scored=False)
    keep_communities(runs)
    build(store, NetworkConfig("coupling"), runs=runs)
    made = draw(store, runs, network="coupling", overlays=())
    assert made.counts["lacking"] == ["field", "diversity", "year", "importance"]
    assert made.counts["overlays"] == [
        "community",
        "density",
        "papers-year",
        "papers-importance",
    ]
    assert made.counts["weight"] == "citations"
    assert made.counts["papers"] + made.counts["not_linked"] == 40
    assert made.counts["topics_placed"] == 1
    table = made.read_topics()
    assert np.isnan(table["x"].to_numpy()).sum() == 3
    assert table["placed"].to_pylist().count(0) == 3


@pytest.mark.parametrize("kind", ["citation", "coupling"])
def test_a_topic_with_a_place_has_papers_with_one(store: GraphStore, runs: Path, kind: str) -> None:
    """The network links papers of the smaller topic only."""
    fill(store)
    keep_clustering(runs, {"all": [IDS[1::4] + IDS[2::4] + IDS[3::4], IDS[0::4]]})
    text = "MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.id AS `from`, b.id AS `to`"
    rows = store.read(text).combine_chunks()
    gone = pc.invert(pc.is_in(rows["from"], value_set=pa.array(IDS[0::4])))
    store.apply([Change("delete", "CITES", rows.filter(gone))])
    network = build(store, NetworkConfig(kind), runs=runs)
    made = draw(store, runs, network=network.run)
    table = made.read_topics().to_pylist()
    assert [row["placed"] > 0 for row in table] == [False, True]
    assert [bool(np.isfinite(row["x"])) for row in table] == [False, True]
    assert [bool(np.isfinite(row["paper_x"])) for row in table] == [False, True]


def test_vectors_of_topics_that_add_up_to_nothing(lone: GraphStore, runs: Path) -> None:
    values = np.tile([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], (10, 1))
    with open_run(runs, "embed-000000000001") as directory:
        table = pa.table({"id": pa.array(IDS, pa.string())})
        write_vectors(directory.path, Vectors(table, values.astype(np.float32)))
        directory.complete(RunRecord("embed-000000000001", "embed", {}, {}, started="2026"))
    keep_clustering(runs, {"all": [IDS]})
    made = draw(lone, runs, overlays=("community", "density"))
    assert (made.counts["papers"], made.counts["topics_placed"]) == (40, 0)


def test_a_requested_overlay_without_values_is_refused(lone: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    clustering = keep_communities(runs)
    message = f"no values for the overlay field; .*topics --clustering {clustering.run}"
    with pytest.raises(ConfigError, match=message):
        draw(lone, runs, overlays=("community", "field"))
    assert not list(runs.glob("map-*"))
    assert not list(runs.glob(".map-*"))


def test_one_community_of_two_papers(lone: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    keep_clustering(runs, {"all": [IDS[:2]]})
    made = draw(lone, runs, overlays=("community", "density"))
    assert (made.counts["papers"], made.counts["topics_placed"]) == (2, 1)
