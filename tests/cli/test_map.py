"""Output of `platform map`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import get_args

import numpy as np
import pyarrow as pa
import pytest

import citescape
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.maps.config import OverlayName
from citescape.mapping.maps.map_run import POINTS
from citescape.mapping.maps.overlays import OVERLAYS
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import Vectors, write_vectors
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.mapping.communities.clusterings import keep_clustering, put_in_graph
from tests.mapping.maps.packed import unpack
from tests.mapping.maps.points import make_clustered_vectors

pytest.importorskip("matplotlib")
SMALL = ("--size", "80x60", "--dpi", "50", "--overlay", "community")
VECTORS = "embed-000000000001"


@pytest.fixture
def store_path(generated: GeneratedCorpus, tmp_path: Path) -> Path:
    """A copy of the store with vectors of all full texts except one."""
    path, runs = tmp_path / "own.lbug", tmp_path / "runs"
    shutil.copy(generated.store, path)
    ids = list_papers(path)[:-1]
    with open_run(runs, VECTORS) as directory:
        table = pa.table({"id": pa.array(ids, pa.string())})
        write_vectors(directory.path, Vectors(table, make_clustered_vectors(len(ids)).values))
        directory.complete(RunRecord(VECTORS, "embed", {}, {}, started="2026"))
    return path


@pytest.fixture
def run(store_path: Path, tmp_path: Path) -> ClusterRun:
    """Two levels of communities: of ten papers and of five papers."""
    ids = list_papers(store_path)
    levels = {f"l{size}": [ids[k : k + size] for k in range(0, len(ids), size)] for size in (10, 5)}
    return keep_clustering(tmp_path / "runs", levels)


def list_papers(store: Path) -> list[str]:
    with citescape.open(store, read_only=True) as corpus:
        rows = corpus.cypher("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id ORDER BY id")
    ids: list[str] = rows.arrow["id"].to_pylist()
    return ids


def test_overlays_equal_those_of_the_library() -> None:
    assert tuple(OVERLAYS) == get_args(OverlayName)


def test_prints_layout_run_and_files(
    platform: Platform, store_path: Path, run: ClusterRun, tmp_path: Path
) -> None:
    done = platform("map", *SMALL, "--store", store_path, "--json")
    assert done.status == 0, done.err
    result = done.json
    assert (result["papers"], result["without_vector"]) == (49, 1)
    assert (result["topics"], result["topics_placed"], result["graph"]) == (10, 10, None)
    assert (result["clustering"], result["level"], result["unchanged"]) == (run.run, "l5", False)
    layout, topic_layout = result["papers_placed_by"], result["topics_placed_by"]
    assert 0 < layout["kept"] <= 1
    assert layout["method"] == "UMAP of 15 neighbours"
    assert layout["chance"] == round(10 / 48, 4)
    assert topic_layout == {"method": "classical scaling", "kept": None, "chance": None}
    assert Path(result["page"]).is_file()
    assert [Path(path).name for path in result["pictures"]] == ["map-community.png"]
    shown = platform("map", *SMALL, "--store", store_path)
    lines = shown.out.splitlines()
    assert lines == [
        f"49 papers and 10 of 10 topics placed by {VECTORS}: {run.run}, level l5",
        "1 paper without a vector excluded",
        "topics have no labels; run `platform topics`",
        f"papers: UMAP of 15 neighbours; {layout['kept']:.0%} of the 10 nearest kept, by chance "
        "21%",
        "topics: classical scaling; too few points to measure how many neighbours are kept",
        f"run {result['run']} in {result['path']} (unchanged)",
        "pictures: map-community.png, and as SVG",
        "no values for: field, diversity, year, importance",
        f"page: {result['page']}",
        f"for other tools: platform export gexf -o map.gexf --map {result['run']} "
        f"--store {store_path}",
    ]


def test_labels_of_topics(platform: Platform, store_path: Path, run: ClusterRun) -> None:
    topics = platform("topics", "--level", "l10", "--store", store_path, "--json").json
    result = platform("map", "--size", "80x60", "--dpi", "50", "--store", store_path, "--json").json
    assert result["level"] == "l10"
    assert {"year", "importance", "community"} <= set(result["overlays"])
    header, _ = unpack(Path(result["page"]).with_name(POINTS).read_bytes())
    assert (header["papers"], header["level"]) == (result["papers"], "l10")
    assert [level["name"] for level in header["levels"]] == ["l10", "l5"]
    assert any(entry["label"] for entry in header["levels"][0]["communities"])
    assert any(VECTORS in line for line in header["how"])
    assert topics["run"]
    assert "no labels;" not in platform("map", *SMALL, "--store", store_path).out


def test_positions_are_written_to_communities_in_the_graph(
    platform: Platform, store_path: Path, run: ClusterRun
) -> None:
    with citescape.open(store_path) as corpus:
        put_in_graph(corpus.store, run)
    kept = platform("map", *SMALL, "--no-write", "--store", store_path, "--json").json
    assert kept["graph"] is None
    shown = platform("map", *SMALL, "--store", store_path)
    assert "graph: places of 10 communities and 0 memberships written" in shown.out
    with citescape.open(store_path, read_only=True) as corpus:
        rows = corpus.cypher("MATCH (c:Community) WHERE c.level = 'l5' RETURN c.x AS x")
    assert np.isfinite(rows.arrow["x"].to_numpy()).all()
    assert "its places are in the graph" in platform("status", "--store", store_path).out


def test_a_network_replaces_vectors(platform: Platform, store_path: Path, run: ClusterRun) -> None:
    with citescape.open(store_path, read_only=True) as corpus:
        network = build(corpus.store, NetworkConfig("coupling"), runs=run.path.parent)
    done = platform("map", *SMALL, "--network", "coupling", "--store", store_path)
    assert done.status == 0, done.err
    assert f"placed by {network.run}" in done.out.splitlines()[0]


def test_size_of_pictures(platform: Platform, store_path: Path, run: ClusterRun) -> None:
    result = platform("map", *SMALL, "--store", store_path, "--json").json
    png = Path(result["pictures"][0]).read_bytes()
    sides = [int.from_bytes(png[k : k + 4], "big") for k in (16, 20)]
    assert sides == pytest.approx([80 / 25.4 * 50, 60 / 25.4 * 50], abs=1)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--store", "absent.lbug"), 1, "no store at absent.lbug"),
        (("--clustering", "absent"), 1, "no run 'absent' in "),
        (("--level", "l7"), 1, "has no level 'l7'; expected: l10, l5"),
        (("--vectors", "absent"), 1, "no run 'absent' in "),
        (("--topics", "absent"), 1, "no run 'absent' in "),
        (("--overlay", "field"), 1, "no values for the overlay field"),
        (("--overlay", "age"), 2, "'age' is not one of 'field'"),
        (("--size", "big"), 2, "'big'; expected width and height such as 240x170"),
        (("--size", "9x9"), 2, "size is 9 x 9 mm; expected sides of 60 to 2,000 mm"),
        (("--neighbours", 1), 2, "1 is not in the range x>=2"),
        (("--vectors", "a", "--network", "b"), 2, "papers are placed by vectors or by a network"),
    ],
)
def test_bad_arguments(
    platform: Platform,
    store_path: Path,
    run: ClusterRun,
    arguments: tuple[object, ...],
    *,
    status: int,
    message: str,
) -> None:
    words = arguments if "--store" in arguments else (*arguments, "--store", store_path)
    done = platform("map", *words)
    assert done.status == status
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert not list(run.path.parent.glob("*map-*"))


def test_missing_matplotlib_is_named(
    platform: Platform, store_path: Path, run: ClusterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citescape.core.extras.find_spec", lambda name: None)
    done = platform("map", "--store", store_path)
    assert (done.status, done.out) == (1, "")
    expected = "matplotlib not installed; run `pip install 'citescape[map]'`"
    assert expected in done.err
