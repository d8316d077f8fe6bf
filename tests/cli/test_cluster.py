"""Output of `platform cluster`."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest

import citescape
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.config import ITERATIONS
from citescape.mapping.communities.leiden import ENGINES
from citescape.mapping.communities.quality import QUALITIES
from citescape.mapping.communities.steps import Cluster
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.runs.kept import find_kept
from citescape.runs.step import describe
from citescape.store.graph_store import open_store
from tests.cli.conftest import Platform


@pytest.fixture(scope="module")
def network_folder(generated: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scored store and two networks."""
    folder = tmp_path_factory.mktemp("networked")
    shutil.copy(generated.store, folder / "citescape.lbug")
    store = open_store(str(folder / "citescape.lbug"))
    for kind in ("coupling", "citation"):
        build(store, NetworkConfig(kind, papers="all"), runs=folder / "runs")
    store.close()
    return folder


@pytest.fixture
def workdir(network_folder: Path, platform: Platform) -> Path:
    """A copy of that folder as the working directory."""
    shutil.copytree(network_folder, Path.cwd(), dirs_exist_ok=True)
    return Path.cwd()


def test_three_levels_are_found_and_written(platform: Platform, workdir: Path) -> None:
    first = platform("cluster", "--network", "citation")
    assert (first.status, first.err) == (0, "")
    run = find_kept(ClusterRun, workdir / "runs")
    lines = first.out.splitlines()
    assert lines[0].endswith(f"papers of {run.network} (citation), 0 without edges; cpm by igraph")
    header = (
        "level resolution communities largest median weighted mean singletons granularity quality"
    )
    assert lines[2].split() == header.split()
    for line, row in zip(lines[3:6], run.figures().to_pylist(), strict=True):
        values = line.replace(",", "").split()
        assert values[:4] == [
            row["level"], f"{row['resolution']:g}", str(row["communities"]), str(row["largest"])
        ]  # fmt: skip
        assert values[6:] == [
            str(row["singletons"]), f"{row['granularity']:.4f}", f"{row['quality']:.4f}"
        ]  # fmt: skip
    assert f"run {run.run} in runs/{run.run} (" in first.out
    communities = sum(run.record.counts["communities"].values())
    assert f"graph: {communities} communities written, " in first.out
    name = run.communities()["name"][0].as_py()
    assert f"platform cypher explore/community --param name={name}\n" in first.out
    assert ": platform topics\n" in first.out
    shown = platform("cypher", "explore/community", "--param", f"name={name}")
    assert shown.status == 0
    assert len(shown.out.splitlines()) > 3
    again = platform("cluster", "--network", "citation")
    assert "unchanged" in again.out
    assert "graph: 0 communities written, 0 memberships; 0 of earlier runs removed" in again.out
    assert "its communities are in the graph" in platform("status").out
    other = platform("cluster", "--network", "citation", "--seed", 1)
    assert f"named after {run.run}: " in other.out


def test_json_is_one_line(platform: Platform, workdir: Path) -> None:
    done = platform("cluster", "--size", 12, "--seeds", 3, "--min-size", 2, "--json")
    assert (done.status, done.err) == (0, "")
    result = done.json
    run = find_kept(ClusterRun, workdir / "runs", result["run"])
    assert result["levels"] == run.figures().to_pylist()
    (level,) = result["levels"]
    assert level["level"] == f"{level['resolution']:g}"
    assert 0 < level["ari"] <= 1
    assert result["network"] == run.network
    assert result["graph"]["memberships"] == result["papers"]
    assert result["warnings"] == run.record.counts["warnings"]
    assert (result["previous"], result["lineage"]) == (None, {})
    shown = platform("cluster", "--size", 12, "--seeds", 3, "--min-size", 2)
    assert "3 seeds agree by an adjusted Rand index of" in shown.out
    if level["reassigned"]:
        assert "of small communities merged into larger communities" in shown.out


def test_community_names_continue_from_the_graph(platform: Platform, workdir: Path) -> None:
    held = platform("cluster", "--network", "citation", "--json").json["run"]
    for seed in (1, 2):
        tried = platform("cluster", "--network", "citation", "--seed", seed, "--no-write", "--json")
        assert tried.json["previous"] == held


def test_many_singletons_give_a_warning(platform: Platform, workdir: Path) -> None:
    alone = ("cluster", "--network", "citation", "-r", 50, "--no-write")
    assert "papers with edges are singletons; use a lower resolution" in platform(*alone).out
    assert "warning" not in platform(*alone, "--warn-singletons", 1).out


def test_a_sweep_is_written_where_a_level_is_named(platform: Platform, workdir: Path) -> None:
    sweep = ("cluster", "--network", "citation", "-r", 0.1, "-r", 0.01)
    done = platform(*sweep)
    assert done.status == 0
    assert done.out.splitlines()[2].split()[:2] == ["resolution", "communities"]
    assert "graph: no level written; --write-level LEVEL writes one of 0.01, 0.1" in done.out
    assert platform(*sweep, "--json").json["graph"] is None
    written = platform(*sweep, "--write-level", 0.1, "--json").json
    assert written["graph"]["communities"] == written["levels"][1]["communities"]
    beside = platform(*sweep, "--no-write")
    assert "written, " not in beside.out
    assert "explore/community" not in beside.out
    wrong = platform(*sweep, "--write-level", "0.2")
    assert (wrong.status, wrong.err.count("\n")) == (1, 1)
    assert "has no level '0.2'; expected: 0.01, 0.1" in wrong.err


def test_start_and_previous_clustering_are_options(platform: Platform, workdir: Path) -> None:
    first = platform("cluster", "-n", 5, "--no-write", "--json").json
    nested = platform("cluster", "-n", 3, "-n", 6, "--nested", "--no-write", "--json").json
    assert [row["level"] for row in nested["levels"]] == ["macro", "micro"]
    second = platform(
        "cluster", "-n", 5, "--start", first["run"], "--previous", "none", "--engine", "leidenalg",
        "--quality", "modularity", "--iterations", 2, "--no-write", "--json",
    ).json  # fmt: skip
    assert second["previous"] is None
    run = find_kept(ClusterRun, workdir / "runs", second["run"])
    assert run.record.inputs["start"] == first["run"]
    assert run.record.config["engine"] == "leidenalg"
    assert run.record.config["quality"] == "modularity"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--network", "knn"), 1, "expected a network by its run, folder or kind"),
        (("-n", "9999"), 1, "communities or sizes of 9999 for"),
        (("-n", "5", "--nested"), 2, "a hierarchy of 1 levels; expected two or three"),
        (("-n", "5", "--size", "3"), 2, "expected at most one of them"),
        (("-n", "5", "-n", "5"), 2, "levels by 5, 5; expected numbers above 0, each once"),
        (("--previous", "x"), 1, "no run 'x' in runs; expected a run of `platform cluster`"),
        (("--iterations", "0"), 1, "iterations is 0; expected 1 or more, or -1"),
    ],
)
def test_errors_are_reported_in_one_line(
    platform: Platform, workdir: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    failed = platform("cluster", *arguments)
    assert (failed.status, failed.err.count("\n")) == (status, 1)
    assert message in failed.err
    assert not list((workdir / "runs").glob("*cluster-*"))


def test_a_missing_network_names_the_command_that_builds_it(platform: Platform) -> None:
    failed = platform("cluster")
    assert (failed.status, failed.err.count("\n")) == (1, 1)
    assert "`platform network build KIND" in failed.err
    for arguments in (("--resolution", "0"), ("--size", "0.5"), ("--quality", "x"), ("--seed", -1)):
        assert platform("cluster", *arguments).status == 2


def test_options_are_those_of_the_library() -> None:
    settings = {item.name: item for item in describe(Cluster)}
    assert set(settings["quality"].choices) == set(QUALITIES)
    assert set(settings["engine"].choices) == set(ENGINES)
    assert settings["iterations"].default == ITERATIONS


def test_a_clustering_as_a_table(workdir: Path, tmp_path: Path) -> None:
    with citescape.open(workdir / "citescape.lbug") as corpus:
        result = corpus.cluster("citation", communities=(5,), write=False)
        again = corpus.cluster(result.network, communities=[5], write=False)
    assert (again.run, again.unchanged) == (result.run, True)
    frame = result.to_pandas()
    assert list(frame.columns) == ["id", "core", *result.levels]
    assert len(frame) == result.counts["papers"]
    assert set(result.tables()) == {"papers", "communities", "levels", "lineage"}
    assert result.summarise().figures["graph"] is None


def test_communities_as_files(platform: Platform, workdir: Path) -> None:
    for name in ("papers.csv", "papers.parquet", "papers.xlsx", "papers.json"):
        assert platform("cluster", "--save", name).status == 0
        assert Path(name).stat().st_size > 0
    with open("papers.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    run = find_kept(ClusterRun, workdir / "runs")
    assert [row["micro"] for row in rows] == run.arrow["micro"].to_pylist()
