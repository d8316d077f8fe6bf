"""A map in its run directory: every file, what is not made twice, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citescape.errors import ConfigError, SourceError
from citescape.graph.store import GraphStore
from citescape.maps.build import build_map
from citescape.maps.config import MapConfig
from citescape.maps.drawn import PAPERS, MapRun
from citescape.maps.layout import place
from citescape.maps.overlays import OVERLAYS
from citescape.maps.spaces import VectorSpace
from citescape.relatedness.build import build
from citescape.relatedness.config import NetworkConfig
from tests.maps.points import heaps
from tests.maps.stores import (
    IDS,
    LAYOUT,
    SMALL,
    fill,
    keep_communities,
    keep_topics,
    keep_vectors,
    middles,
)

pytest.importorskip("matplotlib")
FEW = ("community",)


def draw(store: GraphStore, runs: Path, **settings: Any) -> MapRun:
    config = {"layout": LAYOUT, "size": SMALL, "overlays": FEW, **settings}
    return build_map(store, MapConfig(**config), runs=runs)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


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
        "kept_papers": made.counts["kept_papers"],
        "kept_topics": 1.0,
        "weight": "importance",
        "places_reused": False,
        "lacking": [],
        "overlays": list(OVERLAYS),
    }
    pictures = [f"map-{name}.{end}" for name in OVERLAYS for end in ("png", "svg")]
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
    space = VectorSpace(heaps(40, groups=4).take(np.arange(39)))
    expected = place(space, LAYOUT)
    np.testing.assert_array_equal(papers["x"].to_numpy(), expected.positions[:, 0])
    np.testing.assert_array_equal(papers["y"].to_numpy(), expected.positions[:, 1])
    for name, middle in middles(papers).items():
        row = table["name"].to_pylist().index(name)
        spot = np.array([table["paper_x"][row].as_py(), table["paper_y"][row].as_py()])
        assert np.linalg.norm(spot - middle) < 1
    assert table["placed"].to_pylist() == [10, 10, 10, 9]
    assert np.isfinite(table["x"].to_numpy()).all()


def test_a_map_is_not_made_twice(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    keep_communities(runs)
    made = draw(store, runs)
    before = {path.name: path.stat().st_mtime_ns for path in made.path.iterdir()}
    again = draw(store, runs)
    assert (again.run, again.unchanged) == (made.run, True)
    assert {path.name: path.stat().st_mtime_ns for path in made.path.iterdir()} == before


def test_places_are_kept_where_only_the_drawing_differs(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    keep_communities(runs)
    made = draw(store, runs)
    assert made.counts["places_reused"] is False
    other = draw(store, runs, overlays=("density",))
    assert (other.counts["places_reused"], other.run == made.run) == (True, False)
    assert other.read_papers().equals(made.read_papers())
    assert other.counts["kept_papers"] == made.counts["kept_papers"]
    coarse = draw(store, runs, level="macro")
    assert coarse.counts["places_reused"] is True
    moved = draw(store, runs, layout=replace(LAYOUT, seed=1))
    assert moved.counts["places_reused"] is False
    assert not moved.read_papers()["x"].equals(made.read_papers()["x"])


def test_damaged_places_are_found_anew(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    keep_communities(runs)
    made = draw(store, runs)
    before = made.read_papers()
    (made.path / PAPERS).write_bytes(b"PAR1")
    with pytest.raises(SourceError, match="expected a file of `platform map`"):
        made.read_papers()
    other = draw(store, runs, overlays=("density",))
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


def test_an_overlay_that_was_asked_for_is_not_left_out(store: GraphStore, runs: Path) -> None:
    fill(store)
    keep_vectors(runs)
    clustering = keep_communities(runs)
    message = f"nothing is known for the overlay field; .*topics --clustering {clustering.run}"
    with pytest.raises(ConfigError, match=message):
        draw(store, runs, overlays=("community", "field"))
    assert not list(runs.glob("map-*"))
    assert not list(runs.glob(".map-*"))


def test_one_community_of_two_papers(store: GraphStore, runs: Path) -> None:
    from tests.communities.clusterings import keep_clustering

    fill(store)
    keep_vectors(runs)
    keep_clustering(runs, {"all": [IDS[:2]]})
    made = draw(store, runs, overlays=("community", "density"))
    assert (made.counts["papers"], made.counts["topics_placed"]) == (2, 1)
