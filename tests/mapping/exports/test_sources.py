"""Runs from which an export is made."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.exports.sources import RunNames, find_sources
from citescape.networks.network import build_network
from tests.mapping.exports.conftest import Runs

IDS = pa.array(["a", "b"])
TIED = build_network(IDS, (np.array([0]), np.array([1])), np.array([1.0]))
TOGETHER = {"one": Clustering(IDS, np.zeros(2, np.int32), np.ones(2, np.bool_))}
PLACES = [{"id": "a", "x": 0.0, "y": 1.0}]
TOPIC = [{"name": "one-0", "label": "wheat"}]


def test_a_network_alone_is_enough(runs: Runs) -> None:
    network = runs.network("1", TIED)
    found = find_sources(runs.path, RunNames())
    assert found.runs == {"network": network}
    assert (found.clustering, found.topics, found.map) == (None, {}, None)


def test_a_missing_network_names_the_command(runs: Runs) -> None:
    with pytest.raises(ConfigError, match=r"no network in .*`platform network build KIND"):
        find_sources(runs.path, RunNames())


def test_the_last_matching_runs_are_used(runs: Runs) -> None:
    """Two networks have their own runs; those of the other network are later."""
    knn, coupling = runs.network("1", TIED), runs.network("2", TIED, "coupling")
    own = runs.clustering("3", knn, TOGETHER, {})
    runs.clustering("4", coupling, TOGETHER, {})
    runs.topics("5", own, TOPIC)
    topics = runs.topics("6", own, TOPIC)
    runs.topics("7", "cluster-other", TOPIC)
    places = runs.map("8", own, PLACES, [{"name": "one-0", "x": 0.0, "y": 0.0}])
    runs.map("9", "cluster-other", PLACES)
    found = find_sources(runs.path, RunNames(network="knn"))
    assert found.runs == {"network": knn, "clustering": own, "topics": topics, "map": places}


def test_communities_in_the_graph_are_preferred(runs: Runs) -> None:
    """Clusterings that are not in the graph, and later networks, are not exported."""
    knn = runs.network("1", TIED)
    held = runs.clustering("2", knn, TOGETHER, {})
    tried = runs.clustering("3", runs.network("4", TIED, "coupling"), TOGETHER, {})
    found = find_sources(runs.path, RunNames(), current=held)
    assert found.runs == {"network": knn, "clustering": held}
    assert find_sources(runs.path, RunNames()).runs["clustering"] == tried
    named = find_sources(runs.path, RunNames(network="coupling"), current=held)
    assert named.runs["clustering"] == tried, "of the network that is named"


def test_a_named_map_determines_its_clustering(runs: Runs) -> None:
    knn = runs.network("1", TIED)
    first, _ = runs.clustering("2", knn, TOGETHER, {}), runs.clustering("3", knn, TOGETHER, {})
    places = runs.map("4", first, PLACES)
    found = find_sources(runs.path, RunNames(map=places))
    assert found.runs == {"network": knn, "clustering": first, "map": places}


def test_a_map_without_its_clustering_gives_coordinates(runs: Runs) -> None:
    knn = runs.network("1", TIED)
    places = runs.map("4", "cluster-gone", PLACES)
    assert find_sources(runs.path, RunNames(map=places)).runs == {"network": knn, "map": places}


def test_topics_are_on_a_map_of_their_level(runs: Runs) -> None:
    """The last map of the clustering has another level, so its topics differ."""
    own = runs.clustering("2", runs.network("1", TIED), TOGETHER, {})
    coarse_map, fine_map = (
        runs.map("3", own, PLACES, level="one"),
        runs.map("4", own, PLACES, level="two"),
    )
    found = find_sources(runs.path, RunNames())
    assert found.runs["map"] == fine_map, "papers have places by id"
    assert found.with_topic_map(runs.path, "one", named=False).runs["map"] == coarse_map
    assert "map" not in found.with_topic_map(runs.path, "one", named=True).runs
    assert "map" not in found.with_topic_map(runs.path, "three", named=False).runs


def test_without_topics_the_last_clustering_and_map_are_used(runs: Runs) -> None:
    knn = runs.network("1", TIED)
    other = runs.clustering("2", "network-other", TOGETHER, {})
    runs.topics("3", "cluster-other", TOPIC)
    places = runs.map("4", "cluster-0", PLACES)
    found = find_sources(runs.path, RunNames())
    assert found.runs == {"network": knn, "clustering": other, "map": places}


def test_the_last_topics_of_each_level(runs: Runs) -> None:
    own = runs.clustering("2", runs.network("1", TIED), TOGETHER, {})
    coarse = runs.topics("3", own, TOPIC, level="coarse")
    runs.topics("4", own, TOPIC)
    fine = runs.topics("5", own, TOPIC)
    found = find_sources(runs.path, RunNames()).topics
    assert {level: run.run for level, run in found.items()} == {"coarse": coarse, "fine": fine}


def test_runs_may_be_named_by_id_or_folder(runs: Runs) -> None:
    knn, _ = runs.network("1", TIED), runs.network("2", TIED)
    first, _ = runs.clustering("3", knn, TOGETHER, {}), runs.clustering("4", knn, TOGETHER, {})
    topics = runs.topics("5", first, TOPIC)
    places, _ = runs.map("6", first, PLACES), runs.map("7", first, PLACES)
    expected = {"network": knn, "clustering": first, "topics": topics, "map": places}
    assert find_sources(runs.path, RunNames(**expected)).runs == expected
    folders = RunNames(**{name: str(runs.path / run) for name, run in expected.items()})
    assert find_sources(runs.path, folders).runs == expected


def test_named_topics_determine_their_clustering(runs: Runs) -> None:
    knn = runs.network("1", TIED)
    first, last = runs.clustering("2", knn, TOGETHER, {}), runs.clustering("3", knn, TOGETHER, {})
    topics = runs.topics("4", first, TOPIC)
    found = find_sources(runs.path, RunNames(topics=topics))
    assert found.runs == {"network": knn, "clustering": first, "topics": topics}
    for other in (last, "none"):
        with pytest.raises(ConfigError, match=f"{topics} describes {first}, not {other}; name"):
            find_sources(runs.path, RunNames(topics=topics, clustering=other))


def test_none_leaves_a_source_out(runs: Runs) -> None:
    knn = runs.network("1", TIED)
    runs.topics("3", runs.clustering("2", knn, TOGETHER, {}), TOPIC)
    runs.map("4", "cluster-000000000002", PLACES)
    found = find_sources(runs.path, RunNames(clustering="none", topics="none", map="none"))
    assert found.runs == {"network": knn}


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (
            RunNames(network="absent"),
            r"no run 'absent' in .*expected a network by its run, folder or",
        ),
        (
            RunNames(clustering="absent"),
            r"no run 'absent' .*expected a run of `platform cluster`: clu",
        ),
        (RunNames(topics="absent"), r"no run 'absent' in .*expected a run of `platform topics`"),
        (RunNames(map="absent"), r"no run 'absent' in .*expected a run of `platform map`: map-0"),
        (
            RunNames(map="network-000000000001"),
            r"is a run of `platform network`; expected a run of",
        ),
    ],
)
def test_missing_runs_are_refused(runs: Runs, named: RunNames, message: str) -> None:
    runs.clustering("2", runs.network("1", TIED), TOGETHER, {})
    runs.map("3", "cluster-000000000002", PLACES)
    with pytest.raises(ConfigError, match=message):
        find_sources(runs.path, named)
