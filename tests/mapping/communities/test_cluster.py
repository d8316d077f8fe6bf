"""Runs of `cluster`: contents, reuse, names and refused input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError, SourceError
from citescape.mapping.communities.cluster import cluster
from citescape.mapping.communities.clustering import COMMUNITIES, LINEAGE, ClusterRun
from citescape.mapping.communities.config import ClusterConfig
from citescape.mapping.communities.levels import find_levels
from citescape.networks.build import NetworkRun
from citescape.networks.files import EDGES
from citescape.networks.network import Network, build_network
from citescape.runs.directory import read_run
from tests.mapping.communities.planted import keep_network, name_papers, plant_network
from tests.mapping.communities.small_networks import names, network

PLANTED = plant_network(8, 20, inside=0.4, outside=0.04, seed=2)


@pytest.fixture
def planted(tmp_path: Path) -> NetworkRun:
    return keep_network(tmp_path, PLANTED, "knn", papers="fulltext")


def test_a_run_holds_levels_and_communities(planted: NetworkRun, tmp_path: Path) -> None:
    config = ClusterConfig(seeds=3, min_size=3)
    run = cluster(planted, config, runs=tmp_path)
    levels = find_levels(PLANTED, config)
    assert run.levels == [level.name for level in levels]
    figures = run.figures().to_pylist()
    for level, row in zip(levels, figures, strict=True):
        clustering = level.clustering
        assert run.read(level.name).fingerprint() == clustering.fingerprint()
        assert row["fingerprint"] == clustering.fingerprint()
        assert row["resolution"] == level.resolution
        assert row["quality"] == level.quality
        assert row["communities"] == len(clustering.sizes)
        assert row["largest"] == clustering.sizes.max()
        assert row["median"] == np.median(clustering.sizes)
        assert row["granularity"] == clustering.granularity
        assert row["weighted_mean"] == pytest.approx((clustering.sizes**2).sum() / 160)
        assert row["singletons"] == (clustering.sizes == 1).sum()
        assert row["ari"] == level.figures["ari"]
        assert row["reassigned"] == level.figures["reassigned"]
    record = run.record
    assert record.inputs["network"] == planted.run
    assert record.config["seeds"] == 3
    assert record.seed == 0
    assert {"igraph", "leidenalg", "python"} <= set(record.versions)
    assert (record.counts["papers"], record.counts["edges"]) == (160, PLANTED.edges)


def test_parents_hold_their_children(planted: NetworkRun, tmp_path: Path) -> None:
    run = cluster(planted, runs=tmp_path)
    for below, above in (("micro", "meso"), ("meso", "macro")):
        parent = dict(
            zip(
                run.communities(below)["name"].to_pylist(),
                run.communities(below)["parent"].to_pylist(),
                strict=True,
            )
        )
        own, held = run.communities(below)["name"], run.communities(above)["name"]
        pairs = zip(run.read(below).labels, run.read(above).labels, strict=True)
        assert all(
            parent[own[int(child)].as_py()] == held[int(community)].as_py()
            for child, community in pairs
        )
    assert run.communities("macro")["parent"].null_count == len(run.read("macro"))
    assert run.communities("micro")["name"][0].as_py() == "micro-1"


def test_the_same_clustering_is_computed_once(planted: NetworkRun, tmp_path: Path) -> None:
    first = cluster(planted, runs=tmp_path)
    assert not first.unchanged
    again = cluster(planted, ClusterConfig(), runs=tmp_path)
    assert (again.run, again.unchanged) == (first.run, True)
    other = cluster(planted, ClusterConfig(seed=1), runs=tmp_path)
    assert other.run != first.run
    assert other.record.inputs["previous"] == first.run
    for _ in range(2):
        assert cluster(planted, runs=tmp_path).run == first.run
        assert cluster(planted, ClusterConfig(seed=1), runs=tmp_path).run == other.run
    apart = cluster(planted, ClusterConfig(seed=1, previous="none"), runs=tmp_path)
    assert apart.run != other.run
    assert apart.read().fingerprint() == other.read().fingerprint()
    assert apart.record.inputs["previous"] == ""


def test_a_changed_network_is_another_run(planted: NetworkRun, tmp_path: Path) -> None:
    first = cluster(planted, runs=tmp_path)
    edges = pq.read_table(planted.path / EDGES)
    pq.write_table(edges.slice(1), planted.path / EDGES)
    assert cluster(planted, runs=tmp_path).run != first.run


def test_the_order_of_settings_does_not_matter(planted: NetworkRun, tmp_path: Path) -> None:
    first = cluster(planted, ClusterConfig(resolutions=(0.3, 0.1)), runs=tmp_path)
    second = cluster(planted, ClusterConfig(resolutions=(0.1, 0.3)), runs=tmp_path)
    assert cluster(planted, ClusterConfig(sizes=(20,)), runs=tmp_path).run == (
        cluster(planted, ClusterConfig(sizes=(20.0,)), runs=tmp_path).run
    )
    assert first.read("0.3").fingerprint() == second.read("0.3").fingerprint()
    assert first.levels == second.levels == ["0.1", "0.3"]
    assert first.run == second.run


def test_names_continue_from_the_last_clustering_of_the_network(
    planted: NetworkRun, tmp_path: Path
) -> None:
    first = cluster(planted, ClusterConfig(resolutions=(0.15,)), runs=tmp_path)
    coarse = cluster(planted, ClusterConfig(resolutions=(0.02, 0.5)), runs=tmp_path)
    assert coarse.record.inputs["previous"] == "", "several levels do not follow a single one"
    without = np.arange(160) != 7
    less = keep_network(tmp_path, PLANTED.where(without), "knn", papers="fulltext")
    second = cluster(less, ClusterConfig(resolutions=(0.16,)), runs=tmp_path)
    assert second.record.inputs["previous"] == first.run
    names_ = [set(run.communities()["name"].to_pylist()) for run in (first, second)]
    kept = names_[0] & names_[1]
    assert len(kept) >= 8
    members = [members_of(run) for run in (first, second)]
    for name in kept:
        assert (
            len(members[0][name] & members[1][name])
            > len(members[0][name] | members[1][name]) / 3 - 1
        )
    events = second.lineage()["event"].to_pylist()
    assert second.record.counts["lineage"] == {event: events.count(event) for event in set(events)}
    other = keep_network(tmp_path, PLANTED, "knn", papers="all")
    assert (
        cluster(other, ClusterConfig(resolutions=(0.16,)), runs=tmp_path).record.inputs["previous"]
        == ""
    )
    kind = keep_network(tmp_path, PLANTED, "coupling", papers="fulltext")
    assert (
        cluster(kind, ClusterConfig(resolutions=(0.16,)), runs=tmp_path).record.inputs["previous"]
        == ""
    )
    config = ClusterConfig(resolutions=(0.16,), previous=first.run)
    assert cluster(kind, config, runs=tmp_path).record.inputs["previous"] == first.run


def members_of(run: ClusterRun) -> dict[str, set[str]]:
    names_, found = run.communities()["name"].to_pylist(), run.read()
    members: dict[str, set[str]] = {name: set() for name in names_}
    for id_, label in zip(found.ids.to_pylist(), found.labels.tolist(), strict=True):
        members[names_[label]].add(id_)
    return members


def test_names_of_other_levels_cannot_be_kept(planted: NetworkRun, tmp_path: Path) -> None:
    three = cluster(planted, runs=tmp_path)
    with pytest.raises(ConfigError, match="has the levels macro, meso, micro, which differ"):
        cluster(planted, ClusterConfig(resolutions=(0.1,), previous=three.run), runs=tmp_path)
    with pytest.raises(ConfigError, match="no run 'cluster-0' in"):
        cluster(planted, ClusterConfig(previous="cluster-0"), runs=tmp_path)
    with pytest.raises(ConfigError, match="no run 'cluster-0' in"):
        cluster(planted, ClusterConfig(start="cluster-0"), runs=tmp_path)
    assert len(list(tmp_path.glob("cluster-*"))) == 1
    assert not list(tmp_path.glob(".cluster-*"))


def test_a_run_may_start_from_another_run(planted: NetworkRun, tmp_path: Path) -> None:
    settled = cluster(planted, ClusterConfig(resolutions=(0.3,), iterations=-1), runs=tmp_path)
    less = keep_network(tmp_path, PLANTED.where(np.arange(160) > 3), "knn", papers="fulltext")
    config = ClusterConfig(resolutions=(0.3,), iterations=1, seed=5)
    started = cluster(less, replace(config, start=settled.run), runs=tmp_path)
    assert started.record.inputs["start"] == settled.run
    bare = cluster(less, config, runs=tmp_path)
    assert bare.run != started.run
    assert started.figures()["quality"][0].as_py() > bare.figures()["quality"][0].as_py()


def test_the_files_of_a_run_are_the_same_in_another_folder(
    planted: NetworkRun, tmp_path: Path
) -> None:
    files = []
    for folder in (tmp_path, tmp_path / "other"):
        run = cluster(planted, ClusterConfig(seeds=2), runs=folder)
        files.append({p.name: p.read_bytes() for p in run.path.glob("*.parquet")})
    assert files[0] == files[1]
    assert {COMMUNITIES, LINEAGE} < set(files[0])


def warnings(network_: Network, runs: Path, config: ClusterConfig, note: str) -> list[str]:
    kept = keep_network(runs, network_, "knn", note=note)
    lines: list[str] = cluster(kept, config, runs=runs).record.counts["warnings"]
    return lines


def test_warnings(tmp_path: Path) -> None:
    edges = [(0, 1), (1, 2), (2, 0), (3, 4)]
    found = warnings(network(6, edges), tmp_path, ClusterConfig(resolutions=(5.0, 0.001)), "a")
    assert found == [
        "5: 5 of 5 papers with edges are singletons; use a lower resolution or a minimum size of 2"
    ]
    triangle = [(0, 1), (1, 2), (2, 0)]
    assert warnings(network(3, triangle), tmp_path, ClusterConfig(resolutions=(0.1,)), "b") == [
        "0.1: one community has all papers with edges; a higher resolution divides it"
    ]
    lonely = warnings(network(9, triangle), tmp_path, ClusterConfig(resolutions=(0.1,)), "c")
    assert lonely[1:] == [
        "6 of 9 papers have no edges and are singletons; a network of another kind may link more "
        "of them"
    ]
    three = network(9, [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)])
    assert warnings(three, tmp_path, ClusterConfig(communities=(1,)), "d")[0].endswith(
        ": 3 communities found, 1 requested; the network has 3 components"
    )
    assert "meso and micro have the same communities" in warnings(
        network(2, [(0, 1)]), tmp_path, ClusterConfig(), "e"
    )
    quiet = ClusterConfig(resolutions=(5.0,), warn_singletons=1.0)
    assert warnings(network(6, edges), tmp_path, quiet, "f") == []


def test_extreme_resolutions_are_valid(tmp_path: Path) -> None:
    edges = [(0, 1), (1, 2), (2, 0)]
    kept = keep_network(tmp_path, network(3, edges), "knn")
    run = cluster(kept, ClusterConfig(resolutions=(5.0, 0.001)), runs=tmp_path)
    assert run.read("5").sizes.tolist() == [1, 1, 1]
    assert run.read("0.001").sizes.tolist() == [3]
    bare = keep_network(tmp_path, network(3, []), "coupling")
    alone = cluster(bare, runs=tmp_path)
    assert [row["communities"] for row in alone.figures().to_pylist()] == [3, 3, 3]
    assert alone.record.counts["isolated"] == 3


def test_invalid_networks_are_refused(tmp_path: Path, planted: NetworkRun) -> None:
    empty = keep_network(tmp_path, Network(names(0), csr_array((0, 0))), "citation")
    with pytest.raises(ConfigError, match="the network has no papers"):
        cluster(empty, runs=tmp_path)
    (planted.path / EDGES).write_bytes(b"PAR1")
    with pytest.raises(SourceError, match="move the folder away and build the network again"):
        cluster(planted, runs=tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ConfigError, match="cannot write run directories in"):
        cluster(planted, runs=blocked)
    assert not list(tmp_path.glob("*cluster-*"))


def test_papers_outside_the_core_are_labelled_but_not_counted(tmp_path: Path) -> None:
    """Two groups of three, each linked by one paper outside the core; another links no papers."""
    ends = ([0, 1, 2, 3, 4, 5, 8], [6, 6, 6, 7, 7, 7, 8])
    core = np.array([True] * 6 + [False] * 3)
    found = build_network(
        name_papers(9), (np.array(ends[0]), np.array(ends[1])), np.ones(7), core=core
    )
    run = cluster(
        keep_network(tmp_path, found, "extended"), ClusterConfig(resolutions=(0.1,)), runs=tmp_path
    )
    assert run.read().labels.tolist() == [0, 0, 0, 1, 1, 1, 0, 1, -1]
    assert run.communities()["size"].to_pylist() == [3, 3]
    assert run.record.counts["core"] == 6


def test_nearly_equal_resolutions_are_separate_levels(planted: NetworkRun, tmp_path: Path) -> None:
    run = cluster(planted, ClusterConfig(resolutions=(0.1, 0.10000001)), runs=tmp_path)
    assert run.levels == ["0.1", "0.10000001"]


def test_a_network_without_a_core_has_no_communities(tmp_path: Path) -> None:
    found = network(3, [(0, 1), (1, 2)], core=[False] * 3)
    run = cluster(keep_network(tmp_path, found, "extended"), runs=tmp_path)
    assert run.read().labels.tolist() == [-1, -1, -1]
    assert run.figures()["communities"].to_pylist() == [0, 0, 0]
    assert run.communities().num_rows == 0


def test_stages_are_reported(planted: NetworkRun, tmp_path: Path) -> None:
    stages: list[Any] = []
    cluster(planted, ClusterConfig(sizes=(20.0,)), runs=tmp_path, progress=stages.append)
    assert stages[:3] == [
        "reading the network",
        "preparing the network",
        "searching the resolution for size 20",
    ]
    assert stages[3].startswith("finding communities at resolution 0.")
    assert read_run(next(tmp_path.glob("cluster-*"))).timings.keys() == {"read", "cluster", "write"}
