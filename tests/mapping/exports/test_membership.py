"""Communities of papers at every level, by id."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from citescape.mapping.communities.clustering import Clustering, ClusterRun
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.exports.membership import list_memberships, read_memberships
from citescape.runs.directory import read_run
from tests.mapping.exports.conftest import Runs

CLUSTERED = pa.array(["a", "b", "c", "d"])


@pytest.fixture
def clustering(runs: Runs) -> ClusterRun:
    """Fine: {a, b} and {c}; coarse: {a, b, c}; d is outside the core and in no community."""
    core = np.array([True, True, True, False])
    coarse = Clustering(CLUSTERED, np.array([0, 0, 0, -1], np.int32), core)
    fine = Clustering(CLUSTERED, np.array([0, 0, 1, -1], np.int32), core)
    id_ = runs.clustering("1", "network-1", {"coarse": coarse, "fine": fine}, {})
    return ClusterRun(runs.path / id_, read_run(runs.path / id_))


def test_papers_of_the_network_may_differ_from_clustered_papers(clustering: ClusterRun) -> None:
    ids = pa.array(["b", "c", "d", "other"])
    coarse, fine = read_memberships(clustering, ids, {})
    assert (coarse.level, fine.level) == ("coarse", "fine")
    assert coarse.labels.tolist() == [0, 0, -1, -1]
    assert fine.labels.tolist() == [0, 1, -1, -1]
    assert fine.titles.to_pylist() == ["fine-0", "fine-1"]
    assert list_memberships((coarse, fine)).to_pydict() == {
        "community_coarse": ["coarse-0", "coarse-0", None, None],
        "community_fine": ["fine-0", "fine-1", None, None],
    }


def test_labels_of_topics_are_added(clustering: ClusterRun, runs: Runs) -> None:
    """Only the level with topics has labels."""
    rows = [{"name": "fine-1", "label": "wheat\trust"}, {"name": "elsewhere", "label": "no"}]
    path = runs.path / runs.topics("2", clustering.run, rows)
    levels = read_memberships(clustering, CLUSTERED, {"fine": TopicsRun(path, read_run(path))})
    assert levels[0].titles.to_pylist() == ["coarse-0"]
    assert levels[1].titles.to_pylist() == ["fine-0", "wheat rust"]
    table = list_memberships(levels)
    assert table.column_names == ["community_coarse", "community_fine", "topic_fine"]
    assert table["topic_fine"].to_pylist() == [None, None, "wheat rust", None]


def test_no_levels_give_no_columns() -> None:
    assert list_memberships(()).column_names == []
