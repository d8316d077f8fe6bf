"""Runs of a map, and papers that can be placed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.mapping.maps.config import MapConfig
from citescape.mapping.maps.sources import MapSources, find_sources
from citescape.mapping.maps.spaces import NetworkSpace, VectorSpace
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.store.graph_store import GraphStore, open_store
from tests.mapping.maps.stores import IDS, QUICK, fill, keep_communities, keep_topics, keep_vectors


@pytest.fixture
def filled(tmp_path: Path) -> GraphStore:
    return fill(open_store(str(tmp_path / "corpus.lbug")))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def find(store: GraphStore, runs: Path, **settings: Any) -> MapSources:
    return find_sources(store, runs, MapConfig(**QUICK, **settings))


def test_the_last_communities_and_topics_are_used(filled: GraphStore, runs: Path) -> None:
    vectors, clustering = keep_vectors(runs), keep_communities(runs)
    bare = find(filled, runs)
    assert (bare.clustering.run, bare.level, bare.topics) == (clustering.run, "micro", None)
    assert bare.source == vectors
    assert bare.space.ids.to_pylist() == IDS
    assert set(bare.excluded.values()) == {0}
    coarse = keep_topics(filled, runs, clustering, "macro")
    found = find(filled, runs)
    assert found.topics
    assert (found.topics.run, found.level) == (coarse.run, "macro")
    assert find(filled, runs, level="micro").topics is None
    fine = keep_topics(filled, runs, clustering, "micro")
    for settings in ({"level": "micro"}, {"topics": fine.run}, {"topics": str(fine.path)}):
        named = find(filled, runs, **settings)
        assert named.topics
        assert (named.topics.run, named.level) == (fine.run, "micro")


def test_communities_without_topics_are_described(filled: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    clustering = keep_communities(runs)
    bare = find(filled, runs).described
    described = keep_topics(filled, runs, clustering, "micro")
    full = find(filled, runs, topics=described.run).described
    assert bare.schema.names == full.schema.names
    assert bare["name"].to_pylist() == full["name"].to_pylist()
    assert bare["size"].to_pylist() == full["size"].to_pylist() == [10] * 4
    assert bare["label"].null_count == 4
    assert full["terms"].to_pylist()[0]


def test_papers_without_vectors_are_counted(filled: GraphStore, runs: Path) -> None:
    keep_vectors(runs, without=3, zero=2)
    keep_communities(runs)
    found = find(filled, runs)
    assert found.excluded == {"without_vector": 3, "zero_vector": 2}
    assert found.space.ids.to_pylist() == IDS[2:37]


def test_neighbours_come_from_the_clustered_network(filled: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    narrow = build(filled, NetworkConfig(k=3), runs=runs)
    pruned = build(filled, NetworkConfig(k=8, top=4), runs=runs)
    wide = build(filled, NetworkConfig(k=10), runs=runs)
    for network, known in ((wide, True), (narrow, False), (pruned, False)):
        clustering = keep_communities(runs, network=network.run)
        found = find(filled, runs, clustering=clustering.run)
        assert isinstance(found.space, VectorSpace)
        assert (found.space.known is not None) is known
        assert found.nearest == (network.run if known else "")
    other = keep_vectors(runs, run="embed-000000000002", zero=1)
    assert find(filled, runs, vectors=other).nearest == ""
    clustering = keep_communities(runs, network=wide.run)
    wide.path.rename(runs / "elsewhere")
    assert find(filled, runs, clustering=clustering.run, vectors="embed-000000000001").nearest == ""


def test_the_network_is_read_only_if_needed(filled: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    network = build(filled, NetworkConfig(k=10), runs=runs)
    keep_communities(runs, network=network.run)
    (network.path / "edges.parquet").write_bytes(b"PAR1")
    found = find(filled, runs)
    assert found.nearest == network.run
    with pytest.raises(SourceError, match=r"edges\.parquet"):
        found.space.nearest(5, seed=0)


def test_a_network_instead_of_vectors(filled: GraphStore, runs: Path) -> None:
    keep_communities(runs)
    network = build(filled, NetworkConfig("citation"), runs=runs)
    found = find(filled, runs, network="citation")
    assert isinstance(found.space, NetworkSpace)
    assert found.source == network.run
    assert found.excluded == {"not_linked": 30}  # the four groups do not cite each other


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "no communities in .*; expected a run of `platform cluster`"),
        ({"clustering": "absent"}, "no run 'absent' in "),
        ({"topics": "absent"}, "no run 'absent' in .*; expected a run of `platform topics`"),
    ],
)
def test_missing_communities_are_reported(
    filled: GraphStore, runs: Path, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        find(filled, runs, **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "no vectors of papers in .*`platform embed .*or use --network"),
        ({"vectors": "absent"}, "no run 'absent' in "),
        ({"network": "absent"}, "expected a network by its run, folder or kind"),
        ({"level": "nano"}, "has no level 'nano'; expected: macro, micro"),
    ],
)
def test_missing_vectors_and_networks_are_reported(
    filled: GraphStore, runs: Path, settings: dict[str, str], message: str
) -> None:
    keep_communities(runs)
    with pytest.raises(ConfigError, match=message):
        find(filled, runs, **settings)


def test_topics_of_another_clustering_are_refused(filled: GraphStore, runs: Path) -> None:
    keep_vectors(runs)
    topics = keep_topics(filled, runs, keep_communities(runs), "macro")
    other = keep_communities(runs, network="network-1")
    with pytest.raises(ConfigError, match=f"describes .*; expected topics of {other.run}"):
        find(filled, runs, topics=topics.run, clustering=other.run)
    with pytest.raises(ConfigError, match="describes the level macro; expected micro"):
        find(filled, runs, topics=topics.run, level="micro")


def test_papers_without_vectors_are_refused(filled: GraphStore, runs: Path) -> None:
    keep_vectors(runs, zero=40)
    keep_communities(runs)
    with pytest.raises(ConfigError, match="no vectors of the 40 papers in embed-000000000001"):
        find(filled, runs)


def test_vectors_and_a_network_together_are_refused() -> None:
    with pytest.raises(ConfigError, match="papers are placed by vectors or by a network"):
        MapConfig(vectors="embed-1", network="coupling")
    with pytest.raises(ConfigError, match="overlays is 'age'"):
        MapConfig(overlays=("age",))
