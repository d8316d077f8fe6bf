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
def made(runs: Runs) -> ClusterRun:
    """a and b together, c alone, d, which is outside the core, in nothing; and all in one."""
    core = np.array([True, True, True, False])
    coarse = Clustering(CLUSTERED, np.array([0, 0, 0, -1], np.int32), core)
    fine = Clustering(CLUSTERED, np.array([0, 0, 1, -1], np.int32), core)
    id_ = runs.clustering("1", "network-1", {"coarse": coarse, "fine": fine}, {})
    return ClusterRun(runs.path / id_, read_run(runs.path / id_))


def test_papers_of_a_network_need_not_be_those_that_were_clustered(made: ClusterRun) -> None:
    ids = pa.array(["b", "c", "d", "other"])
    coarse, fine = read_memberships(made, ids, {})
    assert (coarse.level, fine.level) == ("coarse", "fine")
    assert coarse.labels.tolist() == [0, 0, -1, -1]
    assert fine.labels.tolist() == [0, 1, -1, -1]
    assert fine.titles.to_pylist() == ["fine-0", "fine-1"]
    assert list_memberships((coarse, fine)).to_pydict() == {
        "community_coarse": ["coarse-0", "coarse-0", None, None],
        "community_fine": ["fine-0", "fine-1", None, None],
    }


def test_what_communities_are_about(made: ClusterRun, runs: Runs) -> None:
    """Topics are described a level at a time."""
    rows = [{"name": "fine-1", "label": "wheat\trust"}, {"name": "elsewhere", "label": "no"}]
    path = runs.path / runs.topics("2", made.run, rows)
    levels = read_memberships(made, CLUSTERED, {"fine": TopicsRun(path, read_run(path))})
    assert levels[0].titles.to_pylist() == ["coarse-0"]
    assert levels[1].titles.to_pylist() == ["fine-0", "wheat rust"]
    told = list_memberships(levels)
    assert told.column_names == ["community_coarse", "community_fine", "topic_fine"]
    assert told["topic_fine"].to_pylist() == [None, None, "wheat rust", None]


def test_no_levels() -> None:
    assert list_memberships(()).column_names == []
