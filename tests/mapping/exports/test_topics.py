"""Edges between communities, compared with sums in plain Python, and topic attributes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import Clustering, ClusterRun
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.exports.topics import build_topics, link_topics
from citescape.networks.network import Network, build_network
from citescape.runs.directory import read_run
from tests.mapping.exports.conftest import Runs


@st.composite
def clustered(draw: st.DrawFn) -> tuple[Network, np.ndarray]:
    size = draw(st.integers(1, 8))
    ids = pa.array([f"p{k}" for k in range(size)])
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    weights = draw(st.dictionaries(st.sampled_from(pairs), st.floats(0.001, 1e6))) if pairs else {}
    sources, targets = np.array(list(weights), int).reshape(-1, 2).T
    labels = np.array(draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size)), np.int32)
    return build_network(ids, (sources, targets), np.array(list(weights.values()))), labels


@given(clustered())
def test_weights_between_and_within_topics(case: tuple[Network, np.ndarray]) -> None:
    network, labels = case
    low, high, weights, inside = link_topics(network, labels, 4)
    dense = network.weights.toarray()
    for a in range(4):
        own = labels == a
        assert inside[a] == pytest.approx(dense[np.ix_(own, own)].sum() / 2)
    found = {(int(a), int(b)): w for a, b, w in zip(low, high, weights, strict=True)}
    expected = {
        (a, b): dense[np.ix_(labels == a, labels == b)].sum()
        for a in range(4)
        for b in range(a + 1, 4)
    }
    assert found == pytest.approx({pair: w for pair, w in expected.items() if w > 0})


def ring(size: int) -> Network:
    ids = pa.array([f"p{k:02d}" for k in range(size)])
    papers = np.arange(size)
    return build_network(ids, (papers, (papers + 1) % size), np.full(size, 0.5))


@pytest.fixture
def clustering(runs: Runs) -> ClusterRun:
    """A ring of 24 papers: twelve communities of two papers, within two communities of twelve."""
    ids, every = ring(24).ids, np.ones(24, np.bool_)
    coarse = Clustering(ids, (np.arange(24) // 12).astype(np.int32), every)
    fine = Clustering(ids, (np.arange(24) // 2).astype(np.int32), every)
    parents = {"fine": [f"coarse-{k // 6}" for k in range(12)]}
    id_ = runs.clustering("1", "network-1", {"coarse": coarse, "fine": fine}, parents)
    return ClusterRun(runs.path / id_, read_run(runs.path / id_))


def keep_topics(
    runs: Runs, digits: str, of: ClusterRun, rows: list[dict[str, object]], **options: str
) -> TopicsRun:
    path = runs.path / runs.topics(digits, of.run, rows, **options)
    return TopicsRun(path, read_run(path))


def test_a_ring_of_topics(clustering: ClusterRun, runs: Runs) -> None:
    about = [
        {"name": "fine-10", "label": "ten", "mean_year": 2010.5, "field": "A", "importance": 2.0},
        {"name": "fine-0", "label": "zero\n", "field": "", "diversity": 0.25},
    ]
    topics = {
        "fine": keep_topics(runs, "2", clustering, about),
        "coarse": keep_topics(
            runs, "3", clustering, [{"name": "coarse-1", "label": "second"}], level="coarse"
        ),
    }
    tied, nodes, parents = build_topics(ring(24), clustering, known=topics)
    names = sorted(f"fine-{k}" for k in range(12))  # fine-10 before fine-2
    assert tied.ids.to_pylist() == nodes["id"].to_pylist() == names
    pairs = {frozenset((names[i], names[j])) for i, j, _ in zip(*tied.upper(), strict=True)}
    assert pairs == {frozenset((f"fine-{k}", f"fine-{(k + 1) % 12}")) for k in range(12)}
    assert set(tied.weights.data) == {0.5}
    row = {row["id"]: row for row in nodes.to_pylist()}
    assert row["fine-10"] == {
        **{"id": "fine-10", "label": "ten", "size": 2, "parent": "coarse-1", "mean_year": 2010.5},
        **{"field": "A", "diversity": None, "importance": 2.0, "weight_inside": 0.5},
    }
    assert (row["fine-0"]["label"], row["fine-0"]["field"]) == ("zero", None)
    assert row["fine-1"]["label"] is None
    assert parents
    assert parents.level == "coarse"
    assert parents.titles.to_pylist() == ["coarse-0", "second"]
    where = {name: int(label) for name, label in zip(names, parents.labels, strict=True)}
    assert where == {f"fine-{k}": k // 6 for k in range(12)}


def test_topics_of_papers_without_importance(clustering: ClusterRun, runs: Runs) -> None:
    """Topics then have counts of citations instead of importance."""
    topics = keep_topics(
        runs, "2", clustering, [{"name": "fine-3", "importance": 7.0}], weight="citations"
    )
    _, nodes, _ = build_topics(ring(24), clustering, known={"fine": topics})
    assert "importance" not in nodes.column_names
    assert nodes["citations"].to_pylist()[nodes["id"].to_pylist().index("fine-3")] == 7.0


def test_levels_that_are_not_nested_have_no_parents(runs: Runs) -> None:
    ids, every = ring(24).ids, np.ones(24, np.bool_)
    coarse = Clustering(ids, (np.arange(24) // 12).astype(np.int32), every)
    id_ = runs.clustering("1", "network-1", {"coarse": coarse, "fine": coarse}, {})
    apart = ClusterRun(runs.path / id_, read_run(runs.path / id_))
    assert build_topics(ring(24), apart, known={})[2] is None


def test_the_coarsest_level_has_no_parents(clustering: ClusterRun) -> None:
    tied, nodes, parents = build_topics(ring(24), clustering, level="coarse", known={})
    assert parents is None
    assert tied.edges == 1
    assert nodes.column_names == ["id", "label", "size", "parent", "weight_inside"]
    assert nodes["size"].to_pylist() == [12, 12]
    assert nodes["weight_inside"].to_pylist() == [5.5, 5.5]
    with pytest.raises(ConfigError, match=r"no level 'finest'; expected: coarse, fine"):
        build_topics(ring(24), clustering, level="finest", known={})


def test_papers_without_a_community_link_no_topics(clustering: ClusterRun) -> None:
    """A ring of 26: the last two papers are in no community, so the ring is open."""
    tied, _, _ = build_topics(ring(26), clustering, known={})
    assert tied.edges == 11
