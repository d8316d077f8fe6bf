"""Communities in the graph: one complete clustering at a time, and queries."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.ingest.overview import is_partly_written, read_pending
from citescape.ingest.replace import replace_papers
from citescape.ingest.resolve import resolve
from citescape.mapping.communities import write
from citescape.mapping.communities.cluster import cluster
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.config import ClusterConfig
from citescape.mapping.communities.write import find_graph_levels, write_communities
from citescape.networks.network import Network, build_network
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE
from citescape.store.state import CLUSTER_RUN, read_meta
from tests.mapping.communities.planted import keep_network, plant_network

PAPERS = 60
IDS = [f"doi:10.1/{k:03d}" for k in range(PAPERS)]
PLANTED = plant_network(4, 15, inside=0.5, outside=0.04)


def insert(store: GraphStore, name: str, rows: list[dict[str, Any]]) -> None:
    schema = TABLE[name].arrow
    full = [{column: row.get(column) for column in schema.names} for row in rows]
    store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])


@pytest.fixture
def graph(store: GraphStore) -> GraphStore:
    """Sixty papers, each of which cites the next."""
    insert(store, "Paper", [{"id": id_, "title": f"On {id_}", "year": 2000} for id_ in IDS])
    cited = [{"from": a, "to": b} for a, b in pairwise(IDS)]
    insert(store, "CITES", [row | {"importance": 0.5} for row in cited])
    return store


Clustered = Callable[[ClusterConfig], ClusterRun]


@pytest.fixture(scope="session")
def clustered(tmp_path_factory: pytest.TempPathFactory) -> Clustered:
    """Function that clusters the papers; each setting is computed once."""
    runs = tmp_path_factory.mktemp("runs")
    network = Network(pa.array(IDS), PLANTED.weights)
    kept = keep_network(runs, network, "knn", papers=PAPERS)
    return cache(lambda config: cluster(kept, config, runs=runs))


def memberships(store: GraphStore, run: ClusterRun) -> dict[str, dict[str, str]]:
    """Level -> paper -> name of its community, for one run."""
    text = (
        "MATCH (p:Paper)-[x:IN_COMMUNITY]->(c:Community) WHERE c.run = $run AND x.run = $run "
        "RETURN c.level AS level, p.id AS paper, c.name AS name"
    )
    found: dict[str, dict[str, str]] = {}
    for row in store.read(text, run=run.run).to_pylist():
        assert row["paper"] not in found.setdefault(row["level"], {}), "in two of one level"
        found[row["level"]][row["paper"]] = row["name"]
    return found


def expected(run: ClusterRun, level: str) -> dict[str, str]:
    names = run.communities(level)["name"].to_pylist()
    found = run.read(level)
    pairs = zip(found.ids.to_pylist(), found.labels.tolist(), strict=True)
    return {id_: names[label] for id_, label in pairs}


def count(store: GraphStore) -> tuple[int, int, int]:
    """Number of communities, memberships and parts of all runs."""
    texts = (
        "MATCH (c:Community) RETURN count(c) AS n",
        "MATCH (:Paper)-[x:IN_COMMUNITY]->(:Community) RETURN count(x) AS n",
        "MATCH (:Community)-[x:PART_OF]->(:Community) RETURN count(x) AS n",
    )
    nodes, members, parts = (store.read(text)["n"][0].as_py() for text in texts)
    return nodes, members, parts


def test_a_hierarchy_is_written_completely(graph: GraphStore, clustered: Clustered) -> None:
    run = clustered(ClusterConfig())
    written = write_communities(graph, run)
    total = sum(len(run.read(level)) for level in run.levels)
    assert (written.communities, written.memberships) == (total, 3 * PAPERS)
    assert (written.removed, written.not_in_graph) == (0, 0)
    assert memberships(graph, run) == {level: expected(run, level) for level in run.levels}
    rows = graph.read(
        "MATCH (c:Community) RETURN c.id AS id, c.run AS run, c.level AS level, c.name AS name, "
        "c.size AS size, c.resolution AS resolution, c.label AS label"
    ).to_pylist()
    resolutions = dict(zip(run.levels, run.figures()["resolution"].to_pylist(), strict=True))
    for level in run.levels:
        wanted = [
            {
                "id": f"{run.run}/{row['name']}",
                "run": run.run,
                **{name: row[name] for name in ("level", "name", "size")},
                "resolution": resolutions[level],
                "label": None,
            }
            for row in run.communities(level).to_pylist()
        ]
        found = [row for row in rows if row["level"] == level]
        assert sorted(found, key=lambda r: r["id"]) == sorted(wanted, key=lambda r: r["id"])
    parts = graph.read(
        "MATCH (a:Community)-[:PART_OF]->(b:Community) RETURN a.name AS name, b.name AS parent"
    ).to_pylist()
    assert sorted((p["name"], p["parent"]) for p in parts) == sorted(
        (row["name"], row["parent"])
        for level in run.levels[1:]
        for row in run.communities(level).to_pylist()
    )
    assert read_meta(graph, CLUSTER_RUN) == run.run
    runs = graph.read("MATCH (r:Run) RETURN r.id AS id, r.command AS command").to_pylist()
    assert runs == [{"id": run.run, "command": "cluster"}]


def test_the_same_run_is_written_once(graph: GraphStore, clustered: Clustered) -> None:
    run = clustered(ClusterConfig())
    write_communities(graph, run)
    labels = [{"id": f"{run.run}/macro-1", "label": "rice"}]
    graph.apply([Change("update", "Community", pa.Table.from_pylist(labels))])
    before = count(graph)
    again = write_communities(graph, run)
    assert (again.communities, again.memberships, again.removed) == (0, 0, 0)
    assert count(graph) == before
    label = "MATCH (c:Community {id: $id}) RETURN c.label AS label"
    assert graph.read(label, id=f"{run.run}/macro-1")["label"].to_pylist() == ["rice"]


def test_another_run_replaces_the_first(graph: GraphStore, clustered: Clustered) -> None:
    first = clustered(ClusterConfig())
    second = clustered(ClusterConfig(resolutions=(0.2,)))
    write_communities(graph, first)
    written = write_communities(graph, second)
    assert written.removed == sum(len(first.read(level)) for level in first.levels)
    assert memberships(graph, first) == {}
    assert memberships(graph, second) == {"0.2": expected(second, "0.2")}
    assert count(graph) == (len(second.read()), PAPERS, 0)
    assert read_meta(graph, CLUSTER_RUN) == second.run


def test_one_level_of_a_sweep_is_written(graph: GraphStore, clustered: Clustered) -> None:
    run = clustered(ClusterConfig(resolutions=(0.02, 0.2, 0.5)))
    with pytest.raises(
        ConfigError, match=r"has the levels 0.02, 0.2, 0.5, which are not a hierarchy"
    ):
        write_communities(graph, run)
    with pytest.raises(ConfigError, match=r"has no level '0\.3'"):
        write_communities(graph, run, level="0.3")
    assert count(graph) == (0, 0, 0)
    for level in ("0.2", "0.5", "0.2"):
        write_communities(graph, run, level=level)
        assert memberships(graph, run) == {level: expected(run, level)}
        assert count(graph)[0] == len(run.read(level))
    hierarchy = clustered(ClusterConfig())
    assert find_graph_levels(hierarchy) == ["macro", "meso", "micro"]
    assert find_graph_levels(hierarchy, "meso") == ["meso"]
    assert find_graph_levels(run) == []
    assert find_graph_levels(run, "0.2") == ["0.2"]


def write_and_cut(
    graph: GraphStore, run: ClusterRun, *, step: int, level: str = "", rows: int = 40
) -> bool:
    """Write in small transactions, stop before one of them; return whether all was written."""
    left = [step]

    def cut(_: str) -> None:
        left[0] -= 1
        if not left[0]:
            raise StoreError("cut off")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "_SLICE", rows)
        try:
            write_communities(graph, run, level=level, progress=cut)
        except StoreError:
            return False
    return True


@pytest.mark.parametrize("step", [1, 2, 6, 7, 12, 13])
def test_an_interrupted_write_leaves_a_complete_run_and_is_resumed(
    graph: GraphStore, clustered: Clustered, step: int
) -> None:
    """Steps: communities, parents, four slices of members, five of old members, old nodes."""
    old = clustered(ClusterConfig())
    new = clustered(ClusterConfig(communities=(4, 12), nested=True))
    write_communities(graph, old)
    finished = write_and_cut(graph, new, step=step)
    current = new if read_meta(graph, CLUSTER_RUN) == new.run else old
    found = memberships(graph, current)
    if current is new:
        assert found == {level: expected(new, level) for level in new.levels}
    else:
        assert found == {level: expected(old, level) for level in old.levels}
    assert (step <= 6) == (current is old)
    assert finished == (step > 12)
    expected_message = "`platform cluster` again with the same options: it was interrupted"
    assert (expected_message in read_pending(graph)) == (1 < step <= 12)
    write_communities(graph, new)
    assert not is_partly_written(graph, "communities")
    assert memberships(graph, new) == {level: expected(new, level) for level in new.levels}
    wanted = sum(len(new.read(level)) for level in new.levels)
    assert count(graph) == (wanted, 2 * PAPERS, len(new.read()))


@pytest.mark.parametrize("before", ["0.05", "0.2"])
def test_meta_names_no_run_while_levels_are_incomplete(
    graph: GraphStore, clustered: Clustered, before: str
) -> None:
    """Interrupted at every step: the run named in Meta is complete."""
    run = clustered(ClusterConfig(resolutions=(0.05, 0.2)))
    after = "0.2" if before == "0.05" else "0.05"
    for step in range(1, 99):
        write_communities(graph, run, level=before)
        if write_and_cut(graph, run, step=step, level=after):
            break
        named = read_meta(graph, CLUSTER_RUN)
        whole = len(memberships(graph, run)) == 1
        assert named == "" or whole
        assert (named == "") == is_partly_written(graph, "communities")
    assert step > 4
    assert memberships(graph, run) == {after: expected(run, after)}
    assert read_meta(graph, CLUSTER_RUN) == run.run


def test_papers_missing_from_the_graph_are_counted(graph: GraphStore, clustered: Clustered) -> None:
    run = clustered(ClusterConfig())
    graph.apply([Change("delete", "Paper", pa.table({"id": IDS[:5]}))])
    written = write_communities(graph, run)
    assert (written.memberships, written.not_in_graph) == (3 * 55, 5)


def test_papers_may_be_loaded_anew_or_deleted(graph: GraphStore, clustered: Clustered) -> None:
    run = clustered(ClusterConfig())
    write_communities(graph, run)
    schema = TABLE["Paper"].arrow
    source = {"fulltext": True, "sources": ["jats"]}
    rows = [{"id": id_, "title": "anew", "source_ids": [id_], **source} for id_ in IDS[:3]]
    full = [{column: row.get(column) for column in schema.names} for row in rows]
    replace_papers(graph, {"Paper": pa.Table.from_pylist(full, schema)}, gone=IDS[4:5])
    graph.apply([Change("delete", "Paper", pa.table({"id": IDS[10:12]}))])
    resolve(graph)
    there = set(graph.read("MATCH (p:Paper) RETURN p.id AS id")["id"].to_pylist())
    assert there.isdisjoint(IDS[10:12])
    for level, members in memberships(graph, run).items():
        wanted = {id_: name for id_, name in expected(run, level).items() if id_ in there}
        assert members.items() <= wanted.items()
    write_communities(graph, run)
    for level, members in memberships(graph, run).items():
        wanted = {id_: name for id_, name in expected(run, level).items() if id_ in there}
        assert members == wanted


def test_papers_outside_the_core_are_in_no_community(graph: GraphStore, tmp_path: Path) -> None:
    core = np.array([True] * 3 + [False] * 2)
    ends = (np.array([0, 1, 2]), np.array([3, 3, 3]))
    network = build_network(pa.array(IDS[:5]), ends, np.ones(3), core=core)
    run = cluster(
        keep_network(tmp_path, network, "extended"),
        ClusterConfig(resolutions=(0.1,)),
        runs=tmp_path,
    )
    written = write_communities(graph, run)
    assert (written.memberships, written.not_in_graph) == (3, 0)
    assert memberships(graph, run) == {"0.1": dict.fromkeys(IDS[:3], "c1")}


def test_the_library_lists_communities_and_their_papers(
    graph: GraphStore, clustered: Clustered
) -> None:
    assert graph.read(query("explore/communities"), level="", limit=9).num_rows == 0
    write_communities(graph, clustered(ClusterConfig(resolutions=(0.1,))))
    run = clustered(ClusterConfig())
    write_communities(graph, run)
    insert(graph, "Community", [{"id": "cluster-0/x", "run": "cluster-0", "level": "macro"}])
    table = pa.concat_tables([run.communities(level) for level in run.levels])
    wanted = sorted(
        ((row["level"], row["name"], row["size"], row["parent"]) for row in table.to_pylist()),
        key=lambda row: (-row[2], row[0], row[1]),
    )
    found = graph.read(query("explore/communities"), level="", limit=500).to_pylist()
    assert [(r["level"], r["name"], r["papers"], r["part_of"]) for r in found] == wanted
    macro = graph.read(query("explore/communities"), level="macro", limit=2).to_pylist()
    names = [row[1] for row in wanted if row[0] == "macro"]
    assert [row["name"] for row in macro] == names[:2]
    members = {id_ for id_, name in expected(run, "macro").items() if name == names[0]}
    graph.write(
        "UNWIND $rows AS row MATCH (:Paper)-[c:CITES]->(p:Paper {id: row.id}) SET c.importance = 2",
        pa.table({"id": [max(members)]}),
    )
    papers = graph.read(query("explore/community"), name=names[0], limit=500).to_pylist()
    assert {row["id"] for row in papers} == members
    assert (papers[0]["id"], papers[0]["importance"]) == (max(members), 2.0)
    assert [row["cited_by"] for row in papers if row["id"] != IDS[0]] == [1] * len(
        members - {IDS[0]}
    )
    order = [(-(row["importance"] or 0.0), -row["cited_by"], row["id"]) for row in papers]
    assert order == sorted(order)
    few = graph.read(query("explore/community"), name=names[0], limit=2).to_pylist()
    assert few == papers[:2]
    own = graph.read(query("explore/communities_of"), paper=IDS[3]).to_pylist()
    assert [(row["level"], row["name"]) for row in own] == [
        (level, expected(run, level)[IDS[3]]) for level in run.levels
    ]
