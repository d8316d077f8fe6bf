"""Exports from runs and the graph to files: content, selection and messages, on both engines."""

from __future__ import annotations

import csv
import json
import os
from itertools import product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, SourceError
from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.exports.config import ExportConfig
from citescape.mapping.exports.export import export, gather
from citescape.mapping.exports.formats import FORMATS
from citescape.mapping.exports.sources import RunNames
from citescape.networks.network import Network, build_network
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.importance.conftest import insert
from tests.mapping.exports.conftest import Runs

IDS = ("doi:10.1/a", "doi:10.1/b", "doi:10.1/c", "doi:10.1/d", "doi:10.1/e")
CITES = (
    {"from": IDS[0], "to": IDS[1], "mentions": 3, "importance": 0.5, "n_background": 1,
     "n_method": 2, "n_result": 0},
    {"from": IDS[2], "to": IDS[1], "mentions": 1, "importance": 0.25, "n_background": 1,
     "n_method": 0, "n_result": 0},
    {"from": IDS[1], "to": IDS[3], "mentions": 1, "importance": 0.125, "n_background": 0,
     "n_method": 0, "n_result": 1},
)  # fmt: skip


def fill(store: GraphStore, *, scored: bool = True) -> GraphStore:
    """Five papers; the last is not cited."""
    papers = [
        {"id": id_, "doi": id_[4:], "title": f"On {id_[-1]} & <b>", "year": 2000 + k,
         "fulltext": k < 4, "surnames": ["Ng"], "givens": ["A."], "roles": ["author"]}
        for k, id_ in enumerate(IDS)
    ]  # fmt: skip
    insert(store, "Paper", papers)
    known = CITES if scored else [{**row, "importance": None} for row in CITES]
    insert(store, "CITES", list(known))
    write_meta(store, IMPORTANCE_RUN, "score-1" if scored else "")
    return store


def network(core: tuple[bool, ...] | None = None) -> Network:
    """a-b .5, b-c .4, c-d .3; e alone."""
    ends = (np.array([0, 1, 2]), np.array([1, 2, 3]))
    mask = None if core is None else np.array(core)
    return build_network(pa.array(IDS), ends, np.array([0.5, 0.4, 0.3]), core=mask)


def cluster(runs: Runs, of: str, digits: str = "2") -> str:
    """Communities {a, b} and {c, d}; e is in no community."""
    ids = pa.array(IDS)
    every = np.ones(5, np.bool_)
    fine = Clustering(ids, np.array([0, 0, 1, 1, 2], np.int32), every)
    return runs.clustering(digits, of, {"fine": fine}, {})


@pytest.fixture
def sources(runs: Runs) -> Runs:
    """A network with communities, topics and a map without e."""
    own = cluster(runs, runs.network("1", network()))
    runs.topics("3", own, [
        {"name": "fine-0", "label": "rust", "importance": 0.75},
        {"name": "fine-1", "label": "wheat", "importance": 1.5},
    ])  # fmt: skip
    papers = [{"id": id_, "x": float(k), "y": -float(k)} for k, id_ in enumerate(IDS[:4])]
    runs.map("4", own, papers, [{"name": f"fine-{k}", "x": 1.0 * k, "y": 0.0} for k in (0, 1)])
    return runs


def test_all_attributes_are_exported(store: GraphStore, sources: Runs) -> None:
    content = gather(fill(store), runs=sources.path)
    first, second, *_, last = content.nodes.to_pylist()
    assert second == {
        "id": "doi:10.1/b",
        "title": "On b & <b>",
        "authors": "Ng, A.",
        "year": 2001,
        "venue": None,
        "doi": "10.1/b",
        "url": "https://doi.org/10.1/b",
        "fulltext": True,
        "citations": 2,
        "mentions": 4,
        "importance": 0.75,
        "background": 2,
        "method": 2,
        "result": 0,
        "x": 1.0,
        "y": -1.0,
        "community_fine": "fine-0",
        "topic_fine": "rust",
    }
    assert (first["citations"], first["importance"]) == (0, 0.0)
    assert (last["x"], last["community_fine"], last["topic_fine"]) == (None, "fine-2", None)
    a_b, b_c, c_d = content.edges().to_pylist()
    assert a_b == {
        **{"source": 0, "target": 1, "weight": 0.5, "citing": "source"},
        **{"mentions": 3, "importance": 0.5, "background": 1, "method": 2, "result": 0},
    }
    assert (b_c["citing"], b_c["importance"]) == ("target", 0.25)
    assert set(c_d.values()) == {2, 3, 0.3, None}
    assert content.notes == ()
    assert content.about | {"citescape": ""} == {
        "network": "network-000000000001",
        "clustering": "cluster-000000000002",
        "topics": "topics-000000000003",
        "map": "map-000000000004",
        "citescape": "",
    }


def test_every_format_of_papers_and_topics(
    store: GraphStore, sources: Runs, tmp_path: Path
) -> None:
    fill(store)
    for form, (of, size) in product(FORMATS, (("papers", 5), ("topics", 3))):
        out, config = tmp_path / form / of, ExportConfig(of=of)
        out.parent.mkdir(exist_ok=True)
        done = export(store, form, out, config=config, runs=sources.path)
        assert len(done.content.network) == size
        assert {path.name: path.stat().st_size for path in out.parent.glob(f"{of}*")} == {
            path.name: number for path, number in done.files.items()
        }
        with pytest.raises(ConfigError, match="exists; name another file, or add --force"):
            export(store, form, out, config=config, runs=sources.path)
        before = {path: path.read_bytes() for path in done.files}
        export(store, form, out, config=config, runs=sources.path, force=True)
        assert {path: path.read_bytes() for path in done.files} == before


def test_topics_without_attributes_report_missing_data(store: GraphStore, sources: Runs) -> None:
    """A map of other communities is not among the sources."""
    other = cluster(sources, sources.network("5", network()), "6")
    content = gather(
        fill(store), ExportConfig(of="topics"), named=RunNames(clustering=other), runs=sources.path
    )
    assert content.notes == (
        "topics have no labels: run "
        f"{quote_command(f'topics --clustering {other} --level fine', store.location)}",
        "topics have no places: run "
        f"{quote_command(f'map --clustering {other} --level fine', store.location)}",
    )
    assert set(content.about) == {"network", "clustering", "citescape"}
    found = gather(
        store,
        ExportConfig(of="topics"),
        named=RunNames(network="network-000000000005"),
        runs=sources.path,
    )
    assert found.about["clustering"] == other
    apart = RunNames(network="network-000000000005", clustering="cluster-000000000002")
    (note,) = gather(store, ExportConfig(of="topics"), named=apart, runs=sources.path).notes
    assert note == (
        "communities of cluster-000000000002 are from another network, network-000000000001"
    )


def test_topics_and_their_edges(store: GraphStore, sources: Runs, tmp_path: Path) -> None:
    done = export(fill(store), "gexf", tmp_path / "t", config=ExportConfig(of="topics"),
                  runs=sources.path)  # fmt: skip
    graph = nx.read_gexf(next(iter(done.files)))
    assert graph.nodes["fine-0"]["label"] == "rust"
    assert graph.nodes["fine-2"]["label"] == "fine-2"
    assert (graph.nodes["fine-0"]["size"], graph.nodes["fine-0"]["weight_inside"]) == (2, 0.5)
    assert list(graph.edges(data="weight")) == [("fine-0", "fine-1", 0.4)]
    assert (graph.nodes["fine-1"]["x"], "x" in graph.nodes["fine-2"]) == (1.0, False)


def test_citations_are_directed_in_gephi(store: GraphStore, runs: Runs, tmp_path: Path) -> None:
    ends = (np.array([0, 1, 1]), np.array([1, 2, 3]))
    runs.network("1", build_network(pa.array(IDS), ends, np.ones(3)), "citation")
    done = export(fill(store), "gexf", tmp_path / "x", runs=runs.path)
    graph = nx.read_gexf(next(iter(done.files)))
    assert set(graph.edges) == {(row["from"], row["to"]) for row in CITES}
    assert graph.is_directed()


def test_missing_importance_is_reported(store: GraphStore, sources: Runs) -> None:
    content = gather(fill(store, scored=False), runs=sources.path)
    assert "importance" not in content.nodes.column_names
    assert "importance" not in content.links.column_names
    (note,) = content.notes
    assert note.startswith("importance is missing: run `platform score")


def test_a_network_without_other_runs(store: GraphStore, runs: Runs) -> None:
    runs.network("1", network())
    content = gather(fill(store), runs=runs.path)
    assert content.membership is None
    assert not {"x", "core"} & set(content.nodes.column_names)
    assert not [name for name in content.nodes.column_names if name.startswith("community")]


def test_a_network_without_edges(store: GraphStore, runs: Runs, tmp_path: Path) -> None:
    """Without edges no attributes of citations are exported."""
    none = np.array([], int)
    runs.network("1", build_network(pa.array(IDS), (none, none), np.array([])))
    fill(store)
    for form in FORMATS:
        done = export(store, form, tmp_path / form, runs=runs.path)
        assert done.content.network.edges == 0
        assert done.content.links.column_names == []
        limits = [note for note in done.content.notes if "cannot lay out" in note]
        assert bool(limits) == form.startswith("vosviewer")


def test_edges_without_citations_have_no_attributes(store: GraphStore, runs: Runs) -> None:
    tied = build_network(pa.array(IDS), (np.array([0]), np.array([4])), np.array([1.0]))
    runs.network("1", tied)
    assert gather(fill(store), runs=runs.path).links.column_names == []


def test_export_of_the_core_only(store: GraphStore, runs: Runs) -> None:
    runs.network("1", network(core=(True, True, False, True, True)), "extended")
    fill(store)
    whole = gather(store, runs=runs.path)
    assert whole.nodes["core"].to_pylist() == [True, True, False, True, True]
    core = gather(store, ExportConfig(papers="core"), runs=runs.path)
    assert core.network.ids.to_pylist() == [IDS[0], IDS[1], IDS[3], IDS[4]]
    assert "core" not in core.nodes.column_names
    assert core.edges()["weight"].to_pylist() == [0.5]


def test_selection_of_papers(store: GraphStore, sources: Runs) -> None:
    fill(store)
    for config, kept in (
        (ExportConfig(placed=True), "abcd"),
        (ExportConfig(linked=True), "abcd"),
        (ExportConfig(largest=2), "bd"),
        (ExportConfig(largest=2, linked=True), "ab"),
        (ExportConfig(min_weight=0.4, linked=True), "abc"),
        (ExportConfig(top=1), "abcde"),
    ):
        content = gather(store, config, runs=sources.path)
        assert "".join(id_[-1] for id_ in content.network.ids.to_pylist()) == kept, config
        assert content.nodes["id"].to_pylist() == content.network.ids.to_pylist()
        assert len(content.edges()) == content.network.edges


def test_a_named_network_ranks_by_its_weights(store: GraphStore, sources: Runs) -> None:
    """The sums of weights are a .5, b .9, c .7, d .3; d is second by importance."""
    fill(store)
    for config, kept in (
        (ExportConfig(largest=1), "b"),
        (ExportConfig(largest=2), "bc"),
        (ExportConfig(largest=3), "abc"),
        (ExportConfig(largest=3, linked=True), "abc"),
        (ExportConfig(largest=2, of="topics"), "01"),
    ):
        content = gather(store, config, named=RunNames(network="knn"), runs=sources.path)
        assert "".join(id_[-1] for id_ in content.network.ids.to_pylist()) == kept, config


def test_missing_papers_and_communities_of_another_network(store: GraphStore, runs: Runs) -> None:
    ids = pa.array([*IDS, "gone"])
    runs.network("1", build_network(ids, (np.array([0]), np.array([5])), np.array([1.0])))
    cluster(runs, "network-other")
    content = gather(fill(store), runs=runs.path)
    assert content.notes == (
        "papers of the network that are no longer in the graph: 1",
        "communities of cluster-000000000002 are from another network, network-other",
    )
    assert content.titles.to_pylist()[-1] == "gone"


def test_invalid_settings_are_refused(store: GraphStore, sources: Runs, tmp_path: Path) -> None:
    fill(store)
    out = tmp_path / "out"
    out.mkdir()
    for config, message in (
        ({"of": "authors"}, "of is 'authors'; expected one of: papers, topics"),
        ({"papers": "some"}, "papers is 'some'; expected one of: all, core"),
        ({"level": "finest"}, "has no level 'finest'; expected: fine"),
        ({"largest": -1}, "largest is -1; expected 0 or more"),
    ):
        with pytest.raises(ConfigError, match=message):
            export(store, "csv", out / "x", config=ExportConfig(**config), runs=sources.path)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="format is 'gml'; expected one of: csv, gexf, graphml"):
        export(store, "gml", out / "x", runs=sources.path)
    nothing = RunNames(clustering="none", map="none")
    for config, message in (
        ({"of": "topics"}, "no communities were found"),
        ({"placed": True}, "no place on a map for 5 papers; run"),
    ):
        with pytest.raises(ConfigError, match=message):
            export(store, "csv", out / "x", config=ExportConfig(**config), named=nothing,
                   runs=sources.path)  # type: ignore[arg-type]  # fmt: skip
    assert os.listdir(out) == []


def test_a_level_without_communities_is_refused(store: GraphStore, sources: Runs) -> None:
    with pytest.raises(ConfigError, match=r"level is 'fine', .*no communities.*platform cluster"):
        gather(fill(store), ExportConfig(level="fine"), named=RunNames(clustering="none"),
               runs=sources.path)  # fmt: skip


def test_existing_files_are_refused_before_reading(
    store: GraphStore, runs: Runs, tmp_path: Path
) -> None:
    """Files are refused first, although there is no network."""
    for form in FORMATS:
        (tmp_path / f"{form}{FORMATS[form].suffix}").touch()
        with pytest.raises(ConfigError, match="exists; name another file, or add --force"):
            export(store, form, tmp_path / form, runs=runs.path)


def test_outdated_files_of_an_earlier_export_are_reported(
    store: GraphStore, sources: Runs, tmp_path: Path
) -> None:
    """Files of Pajek partitions depend on the known attributes."""
    fill(store)
    done = export(store, "pajek", tmp_path / "x", runs=sources.path)
    assert not [note for note in done.content.notes if "earlier export" in note]
    bare = RunNames(clustering="none")
    again = export(store, "pajek", tmp_path / "x", named=bare, runs=sources.path, force=True)
    gone = set(done.files) - set(again.files)
    assert gone == {tmp_path / "x-fine.clu"}
    assert again.content.notes[-1].endswith(f"with this name: {tmp_path / 'x-fine.clu'}")


def test_a_damaged_run_is_reported(store: GraphStore, sources: Runs, tmp_path: Path) -> None:
    (sources.path / "topics-000000000003" / "topics.parquet").write_bytes(b"no Parquet")
    with pytest.raises(SourceError, match=r"topics\.parquet: expected a file of `platform topics`"):
        export(fill(store), "csv", tmp_path / "x", runs=sources.path)
    assert not list(tmp_path.glob("x*"))


def test_formats_agree(store: GraphStore, sources: Runs, tmp_path: Path) -> None:
    """Importance is the same in every file."""
    fill(store)
    expected = dict(zip(IDS, (0.0, 0.75, 0.0, 0.125, 0.0), strict=True))
    files: dict[str, list[Path]] = {}
    for form in FORMATS:
        files[form] = list(export(store, form, tmp_path / form, runs=sources.path).files)
    gexf: Any = nx.read_gexf(files["gexf"][0])
    graphml: Any = nx.read_graphml(files["graphml"][0])
    with files["csv"][0].open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: float(row["importance"]) for row in csv.DictReader(file)}
    parquet = pq.read_table(files["parquet"][0])
    items = json.loads(files["vosviewer"][0].read_bytes())["network"]["items"]
    vector = next(path for path in files["pajek"] if path.name.endswith("importance.vec"))
    assert {node: gexf.nodes[node]["importance"] for node in gexf} == expected
    assert {graphml.nodes[n]["name"]: graphml.nodes[n]["importance"] for n in graphml} == expected
    assert rows == expected
    assert (
        dict(zip(*(parquet[c].to_pylist() for c in ("id", "importance")), strict=True)) == expected
    )
    assert [item["weights"]["Importance"] for item in items] == list(expected.values())
    assert [float(line) for line in vector.read_text().splitlines()[1:]] == list(expected.values())
