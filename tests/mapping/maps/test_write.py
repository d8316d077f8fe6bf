"""Map positions in the graph: written once, updated, and only for current communities."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.ingest.overview import read_overview, read_pending
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.write import write_communities
from citescape.mapping.maps.build import build_map
from citescape.mapping.maps.config import MapConfig
from citescape.mapping.maps.map_run import MapRun
from citescape.mapping.maps.write import WrittenPlaces, is_in_graph, write_map
from citescape.runs.directory import read_run
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.queries import query
from citescape.store.schema import NODE
from citescape.store.state import CLUSTER_RUN, MAP_RUN, read_meta, write_meta
from citescape.store.statements import read_text
from tests.copies import fill_store, read_tables
from tests.mapping.maps.stores import IDS, QUICK, fill, keep_communities, keep_vectors

pytest.importorskip("matplotlib")
Place = tuple[float | None, float | None]


@dataclass(frozen=True)
class Drawn:
    """A graph and runs with which the tests start."""

    tables: Mapping[str, pa.Table]
    """A graph with a hierarchy of two levels of communities."""
    runs: Path
    """Runs of vectors, communities and two maps."""
    clustering: ClusterRun


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    folder = tmp_path_factory.mktemp("drawn")
    with closing(open_store(str(folder / "drawn.lbug"))) as store:
        fill(store)
        keep_vectors(folder / "runs")
        run = keep_communities(folder / "runs")
        nested = replace(run, record=replace(run.record, counts={"nested": True}))
        write_communities(store, nested)
        draw(store, folder)
        draw(store, folder, level="macro", seed=3)
        return Drawn(read_tables(store), folder / "runs", run)


@pytest.fixture
def clustering(store: GraphStore, tmp_path: Path, drawn: Drawn) -> ClusterRun:
    """The communities in the graph; their maps are computed already."""
    fill_store(store, drawn.tables)
    runs = Path(shutil.copytree(drawn.runs, tmp_path / "runs"))
    return replace(drawn.clustering, path=runs / drawn.clustering.run)


def draw(store: GraphStore, tmp_path: Path, level: str = "micro", seed: int = 0) -> MapRun:
    config = MapConfig(**{**QUICK, "level": level, "seed": seed, "overlays": ("community",)})
    return build_map(store, config, runs=tmp_path / "runs")


def held_topics(store: GraphStore, run: str, level: str) -> dict[str, Place]:
    rows = store.read(query("maps/communities"), run=run).to_pylist()
    return {row["name"]: (row["x"], row["y"]) for row in rows if row["level"] == level}


def held_papers(store: GraphStore, run: str) -> dict[tuple[str, str], Place]:
    rows = store.read(query("maps/papers"), run=run).to_pylist()
    return {(row["from"], row["to"]): (row["x"], row["y"]) for row in rows}


def drawn_places(map_run: MapRun, of: str) -> dict[str, Place]:
    table, key = (
        (map_run.read_papers(), "id") if of == "papers" else (map_run.read_topics(), "name")
    )
    return {row[key]: (row["x"], row["y"]) for row in table.to_pylist()}


def test_positions_of_topics_and_papers(
    store: GraphStore, tmp_path: Path, clustering: ClusterRun
) -> None:
    map_run = draw(store, tmp_path)
    assert write_map(store, map_run) == WrittenPlaces(4, 80)
    assert held_topics(store, clustering.run, "micro") == drawn_places(map_run, "topics")
    assert held_topics(store, clustering.run, "macro") == dict.fromkeys(
        ["macro-0", "macro-1"], (None, None)
    )
    papers = drawn_places(map_run, "papers")
    held = held_papers(store, clustering.run)
    assert len(held) == 80
    assert all(place == papers[paper] for (paper, _), place in held.items())
    assert map_run.run in store.read(read_text(NODE["Run"], []))["id"].to_pylist()


class CutOffError(Exception):
    """Interrupts a write."""


@pytest.mark.parametrize("part", range(3))
def test_an_incomplete_map_is_not_current(
    store: GraphStore, tmp_path: Path, clustering: ClusterRun, part: int
) -> None:
    """Until the last row is written, the graph names no map."""
    write_map(store, draw(store, tmp_path))
    map_run = draw(store, tmp_path, level="macro", seed=3)
    assert "map" not in read_pending(store)

    def stop(message: str) -> None:
        steps.append(message)
        if len(steps) > part:
            raise CutOffError

    steps: list[str] = []
    try:
        write_map(store, map_run, progress=stop)
    except CutOffError:
        assert read_meta(store, MAP_RUN) == ""
        assert "interrupted while it wrote places" in read_pending(store)
        assert not is_current(store, map_run.run)
    else:
        assert part == len(steps)
    write_map(store, map_run)
    assert read_meta(store, MAP_RUN) == map_run.run
    assert "map" not in read_pending(store)
    assert is_current(store, map_run.run)


def is_current(store: GraphStore, run: str) -> bool:
    return any(row["current"] for row in read_overview(store).runs if row["id"] == run)


def test_maps_of_other_communities_are_not_current(
    store: GraphStore, tmp_path: Path, clustering: ClusterRun
) -> None:
    write_map(store, draw(store, tmp_path))
    write_communities(store, clustering, level="macro")
    assert read_meta(store, MAP_RUN) != ""  # fewer communities, all of them on the map
    nested = replace(clustering, record=replace(clustering.record, counts={"nested": True}))
    write_communities(store, nested)
    assert read_meta(store, MAP_RUN) == ""


def test_writing_again_does_nothing(
    store: GraphStore, tmp_path: Path, clustering: ClusterRun
) -> None:
    map_run = draw(store, tmp_path)
    write_map(store, map_run)
    before = held_papers(store, clustering.run)
    assert write_map(store, map_run) == WrittenPlaces(0, 0)
    assert held_papers(store, clustering.run) == before


def test_an_interrupted_write_is_completed(
    store: GraphStore, tmp_path: Path, clustering: ClusterRun
) -> None:
    map_run = draw(store, tmp_path)
    write_map(store, map_run)
    members = store.read(query("maps/papers"), run=clustering.run).slice(0, 11)
    wrong = members.set_column(2, "x", members["y"])
    store.apply([Change("update", "IN_COMMUNITY", wrong)])
    assert write_map(store, map_run) == WrittenPlaces(0, 11)
    papers = drawn_places(map_run, "papers")
    assert all(at == papers[paper] for (paper, _), at in held_papers(store, clustering.run).items())


def test_another_map_replaces_the_first(
    store: GraphStore, tmp_path: Path, clustering: ClusterRun
) -> None:
    write_map(store, draw(store, tmp_path))
    gone = tmp_path / "runs" / "embed-000000000001"
    gone.rename(tmp_path / "elsewhere")
    keep_vectors(tmp_path / "runs", without=2)
    map_run = draw(store, tmp_path, level="macro", seed=3)
    written = write_map(store, map_run)
    assert written
    assert written.communities == 4 + 2  # positions of the other level are removed
    assert set(held_topics(store, clustering.run, "micro").values()) == {(None, None)}
    assert held_topics(store, clustering.run, "macro") == drawn_places(map_run, "topics")
    assert read_meta(store, MAP_RUN) == map_run.run
    papers = drawn_places(map_run, "papers")
    for (paper, _), place in held_papers(store, clustering.run).items():
        assert place == papers.get(paper, (None, None))
    assert IDS[39] not in papers


def test_communities_of_another_clustering_are_left_alone(
    store: GraphStore, tmp_path: Path, clustering: ClusterRun
) -> None:
    map_run = draw(store, tmp_path)
    write_meta(store, CLUSTER_RUN, "cluster-000000000000")
    assert not is_in_graph(store, map_run)
    assert write_map(store, map_run) is None
    assert set(held_papers(store, clustering.run).values()) == {(None, None)}
    assert read_run(map_run.path).id == map_run.run
