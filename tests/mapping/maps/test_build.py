"""Maps in run directories: files, reuse and refused input."""

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
from citescape.mapping.maps.map_run import PAPERS, POINTS, TEXTS, MapRun
from citescape.mapping.maps.overlays import OVERLAYS
from citescape.mapping.maps.spaces import VectorSpace
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import Vectors, write_vectors
from citescape.store.graph_store import Change, GraphStore, open_store
from tests.mapping.communities.clusterings import keep_clustering
from tests.mapping.maps.packed import read_texts, unpack
from tests.mapping.maps.points import make_clustered_vectors
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
def lone_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """Store for tests that write nothing and do not depend on the engine."""
    with closing(open_store(str(tmp_path_factory.mktemp("lone") / "lone.lbug"))) as store:
        yield fill(store)


def test_files_of_a_map(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    topics = keep_topics(store, runs, keep_communities(runs), "micro")
    map_run = draw(store, runs, overlays=())
    shown = [name for name in OVERLAYS if name != "diversity"]
    assert dict(map_run.counts) == {
        "papers": 40,
        "without_vector": 0,
        "zero_vector": 0,
        "topics": 4,
        "topics_placed": 4,
        "papers_placed_by": map_run.counts["papers_placed_by"],
        "topics_placed_by": {"method": "classical scaling", "kept": None, "chance": None},
        "weight": "importance",
        "places_reused": False,
        "lacking": [],
        "overlays": shown,
        "left_out": {"interdisciplinarity of topics": "all values are 0"},
    }
    pictures = [f"map-{name}.{end}" for name in shown for end in ("png", "svg")]
    placing = map_run.placing("papers")
    assert placing.kept
    assert (placing.method, placing.kept.chance) == ("UMAP of 6 neighbours", round(10 / 39, 4))
    tables = ["papers.parquet", "topics.parquet", "map.html", "run.json", POINTS, TEXTS]
    assert sorted(path.name for path in map_run.path.iterdir()) == sorted([*pictures, *tables])
    assert [path.is_file() for path in map_run.pictures] == [True] * len(shown)
    assert map_run.page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert map_run.record.inputs["topics"] == topics.run
    assert set(map_run.record.timings) == {"read", "place", "draw"}
    assert (map_run.level, map_run.unchanged) == ("micro", False)


def test_papers_and_topics_of_a_map(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs, without=1)
    topics = keep_topics(store, runs, keep_communities(runs), "micro")
    map_run = draw(store, runs)
    papers, table = map_run.read_papers(), map_run.read_topics()
    assert papers["id"].to_pylist() == IDS[:39]
    own = {f"micro-{k % 4}" for k in range(4)}
    assert set(papers["community"].to_pylist()) == own
    labels = dict(
        zip(*(topics.read()[name].to_pylist() for name in ("name", "label")), strict=True)
    )
    pairs = zip(*(papers[name].to_pylist() for name in ("community", "label")), strict=True)
    assert all(labels[name] == label for name, label in pairs)
    assert papers["year"].to_pylist() == [2000 + k for k in range(39)]
    space = VectorSpace(make_clustered_vectors(40, groups=4).select_rows(np.arange(39)))
    expected = place(space, LAYOUT)
    np.testing.assert_array_equal(papers["x"].to_numpy(), expected.positions[:, 0])
    np.testing.assert_array_equal(papers["y"].to_numpy(), expected.positions[:, 1])
    for name, middle in middles(papers).items():
        row = table["name"].to_pylist().index(name)
        spot = np.array([table["paper_x"][row].as_py(), table["paper_y"][row].as_py()])
        assert np.linalg.norm(spot - middle) < 1
    assert table["placed"].to_pylist() == [10, 10, 10, 9]
    assert np.isfinite(table["x"].to_numpy()).all()


def test_the_same_map_is_computed_once(lone_store: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    keep_communities(runs)
    map_run = draw(lone_store, runs)
    before = {path.name: path.stat().st_mtime_ns for path in map_run.path.iterdir()}
    again = draw(lone_store, runs)
    assert (again.run, again.unchanged) == (map_run.run, True)
    assert {path.name: path.stat().st_mtime_ns for path in map_run.path.iterdir()} == before


def test_positions_are_reused_if_only_drawing_settings_change(
    lone_store: GraphStore, runs: Path
) -> None:
    keep_vectors(runs)
    keep_communities(runs)
    map_run = draw(lone_store, runs)
    assert map_run.counts["places_reused"] is False
    other = draw(lone_store, runs, overlays=("density",))
    assert (other.counts["places_reused"], other.run == map_run.run) == (True, False)
    assert other.read_papers().equals(map_run.read_papers())
    assert other.placing("papers") == map_run.placing("papers")
    coarse = draw(lone_store, runs, level="macro")
    assert coarse.counts["places_reused"] is True
    moved = draw(lone_store, runs, seed=1)
    assert moved.counts["places_reused"] is False
    assert not moved.read_papers()["x"].equals(map_run.read_papers()["x"])


def test_another_knn_network_is_another_map(store: GraphStore, runs: Path) -> None:
    """The network determines positions; without it they are computed again in another run."""
    fill(store)
    keep_vectors(runs)
    map_runs = []
    for k in (12, 14):
        network = build(store, NetworkConfig(k=k), runs=runs)
        map_runs.append(
            draw(store, runs, clustering=keep_communities(runs, network=network.run).run)
        )
        assert map_runs[-1].record.inputs["nearest"] == network.run
    network.path.rename(runs / "elsewhere")
    map_runs.append(draw(store, runs, clustering=map_runs[-1].clustering))
    assert map_runs[-1].record.inputs["nearest"] == ""
    assert (
        len({map_run.run for map_run in map_runs})
        == len({map_run.record.inputs["layout"] for map_run in map_runs})
        == 3
    )
    assert not any(map_run.counts["places_reused"] for map_run in map_runs)


@pytest.mark.parametrize("revision", ["_LAYOUT", "_DRAWING"])
def test_another_revision_is_another_map(
    lone_store: GraphStore, runs: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    from citescape.mapping.maps import build as module

    keep_vectors(runs)
    keep_communities(runs)
    before = draw(lone_store, runs)
    monkeypatch.setattr(module, revision, getattr(module, revision) + 1)
    after = draw(lone_store, runs)
    assert after.run != before.run
    assert after.counts["places_reused"] is (revision == "_DRAWING")


def test_titles_but_not_abstracts_change_a_map(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    keep_communities(runs)
    map_run = draw(store, runs)
    store.apply([Change("update", "Paper", pa.table({"id": IDS[:1], "abstract": ["New."]}))])
    assert draw(store, runs).run == map_run.run
    store.apply([Change("update", "Paper", pa.table({"id": IDS[:1], "title": ["New"]}))])
    assert draw(store, runs).run != map_run.run


def test_notices_are_on_the_map(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    keep_communities(runs)
    map_run = draw(store, runs)
    noted = {"id": IDS[:2], "notice": ["retracted", "concern"], "notice_year": [2017, None]}
    store.apply([Change("update", "Paper", pa.table(noted))])
    again = draw(store, runs)
    assert again.run != map_run.run
    packed = (again.path / TEXTS).read_bytes()
    header, _ = unpack(packed)
    ids = read_texts(packed, "id")
    notices = {ids[row]: (state, year) for row, state, year in header["notices"]}
    assert notices == {IDS[0]: ("retracted", 2017), IDS[1]: ("concern", None)}


def test_damaged_positions_are_computed_again(lone_store: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    keep_communities(runs)
    map_run = draw(lone_store, runs)
    before = map_run.read_papers()
    (map_run.path / PAPERS).write_bytes(b"PAR1")
    with pytest.raises(SourceError, match="expected a file of `platform map`"):
        map_run.read_papers()
    other = draw(lone_store, runs, overlays=("density",))
    assert other.counts["places_reused"] is False
    assert other.read_papers().equals(before)


def test_a_map_without_topics_scores_or_vectors(store: GraphStore, runs: Path) -> None:
    fill(store, scored=False)
    keep_communities(runs)
    build(store, NetworkConfig("coupling"), runs=runs)
    map_run = draw(store, runs, network="coupling", overlays=())
    assert map_run.counts["lacking"] == ["field", "diversity", "year", "importance"]
    assert map_run.counts["overlays"] == [
        "community",
        "density",
        "papers-year",
        "papers-importance",
    ]
    assert map_run.counts["weight"] == "citations"
    assert map_run.counts["papers"] + map_run.counts["not_linked"] == 40
    assert map_run.counts["topics_placed"] == 1
    table = map_run.read_topics()
    assert np.isnan(table["x"].to_numpy()).sum() == 3
    assert table["placed"].to_pylist().count(0) == 3


@pytest.mark.parametrize("kind", ["citation", "coupling"])
def test_topics_with_positions_have_papers_with_positions(
    store: GraphStore, runs: Path, kind: str
) -> None:
    """The network links only papers of the smaller topic."""
    fill(store)
    keep_clustering(runs, {"all": [IDS[1::4] + IDS[2::4] + IDS[3::4], IDS[0::4]]})
    text = "MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.id AS `from`, b.id AS `to`"
    rows = store.read(text).combine_chunks()
    gone = pc.invert(pc.is_in(rows["from"], value_set=pa.array(IDS[0::4])))
    store.apply([Change("delete", "CITES", rows.filter(gone))])
    network = build(store, NetworkConfig(kind), runs=runs)
    map_run = draw(store, runs, network=network.run)
    table = map_run.read_topics().to_pylist()
    assert [row["placed"] > 0 for row in table] == [False, True]
    assert [bool(np.isfinite(row["x"])) for row in table] == [False, True]
    assert [bool(np.isfinite(row["paper_x"])) for row in table] == [False, True]


def test_topics_with_zero_vectors_have_no_position(lone_store: GraphStore, runs: Path) -> None:
    values = np.tile([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], (10, 1))
    with open_run(runs, "embed-000000000001") as directory:
        table = pa.table({"id": pa.array(IDS, pa.string())})
        write_vectors(directory.path, Vectors(table, values.astype(np.float32)))
        directory.complete(RunRecord("embed-000000000001", "embed", {}, {}, started="2026"))
    keep_clustering(runs, {"all": [IDS]})
    map_run = draw(lone_store, runs, overlays=("community", "density"))
    assert (map_run.counts["papers"], map_run.counts["topics_placed"]) == (40, 0)


def test_a_requested_overlay_without_values_is_refused(lone_store: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    clustering = keep_communities(runs)
    message = f"no values for the overlay field; .*topics --clustering {clustering.run}"
    with pytest.raises(ConfigError, match=message):
        draw(lone_store, runs, overlays=("community", "field"))
    assert not list(runs.glob("map-*"))
    assert not list(runs.glob(".map-*"))


def test_one_community_of_two_papers(lone_store: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    keep_clustering(runs, {"all": [IDS[:2]]})
    map_run = draw(lone_store, runs, overlays=("community", "density"))
    assert (map_run.counts["papers"], map_run.counts["topics_placed"]) == (2, 1)


def test_other_levels_are_on_the_page(lone_store: GraphStore, runs: Path) -> None:
    """Names of another level are those of its topics; they are part of the map's id."""
    keep_vectors(runs)
    clustering = keep_communities(runs)
    keep_topics(lone_store, runs, clustering, "micro")
    before = draw(lone_store, runs, level="micro")
    topics = keep_topics(lone_store, runs, clustering, "macro")
    after = draw(lone_store, runs, level="micro")
    assert after.run != before.run
    assert after.record.inputs["named_by"] == {"macro": topics.run}
    names = {}
    for map_run in (before, after):
        header, columns = unpack((map_run.path / POINTS).read_bytes())
        assert [level["name"] for level in header["levels"]] == ["micro", "macro"]
        names[map_run.run] = [entry["label"] for entry in header["levels"][1]["communities"]]
        assert sorted(np.bincount(columns["level_macro"]).tolist()) == [20, 20]
    assert names[before.run] == [None, None]
    assert names[after.run] == topics.read()["label"].to_pylist()


def test_meso_is_the_default_level(lone_store: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    groups = {"macro": [IDS], "meso": [IDS[:20], IDS[20:]], "micro": [IDS[k::4] for k in range(4)]}
    clustering = keep_clustering(runs, groups)
    assert draw(lone_store, runs).level == "meso"
    for level in ("meso", "micro"):
        keep_topics(lone_store, runs, clustering, level)
    assert draw(lone_store, runs).level == "meso"
    assert draw(lone_store, runs, level="micro").level == "micro"
