"""Clusterings: labels, sizes, granularity, and the files of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, SourceError
from citescape.mapping.communities.cluster import cluster
from citescape.mapping.communities.clustering import (
    LEVELS,
    PAPERS,
    Clustering,
    compute_granularity,
    find_clustering,
    order_labels,
    write_papers,
)
from citescape.store.graph_store import GraphStore
from citescape.store.state import CLUSTER_RUN, write_meta
from tests.mapping.communities.clusterings import keep_clustering
from tests.mapping.communities.planted import keep_network, plant_network
from tests.mapping.communities.small_networks import names


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30), st.randoms())
def test_labels_are_ordered_by_size_then_id(drawn: list[tuple[int, bool]], chance: object) -> None:
    membership = np.array([group for group, _ in drawn])
    core = np.array([inside for _, inside in drawn])
    found = order_labels(names(len(drawn)), membership, core)
    counted = {group: int(core[membership == group].sum()) for group in set(membership.tolist())}
    first = {
        group: int(np.flatnonzero((membership == group) & core)[0])
        for group, count in counted.items()
        if count
    }
    order = sorted(first, key=lambda group: (-counted[group], first[group]))
    expected = [order.index(group) if group in first else -1 for group in membership.tolist()]
    assert found.labels.tolist() == expected
    assert found.sizes.tolist() == [counted[group] for group in order]
    renamed = np.array([7 - group for group in membership])
    assert order_labels(names(len(drawn)), renamed, core).fingerprint() == found.fingerprint()


def test_granularity_by_hand() -> None:
    """Granularity of six papers: N / sum n^2."""
    assert compute_granularity(np.array([3, 2, 1])) == 6 / (9 + 4 + 1)
    assert compute_granularity(np.array([1] * 6)) == 1.0
    assert compute_granularity(np.array([6])) == 1 / 6
    assert compute_granularity(np.array([], np.int64)) == 0.0


def test_sizes_count_the_core_only() -> None:
    core = np.array([True, False, True])
    found = Clustering(names(3), np.array([0, 0, 1], np.int32), core)
    assert found.restrict_to_core().ids.to_pylist() == ["p0000", "p0002"]
    assert found.restrict_to_core().labels.tolist() == [0, 1]
    assert found.sizes.tolist() == [1, 1]
    whole = Clustering(names(3), np.array([0, 0, 1], np.int32), np.ones(3, np.bool_))
    assert whole.restrict_to_core() is whole


def test_levels_are_read_by_name(tmp_path: Path) -> None:
    planted = keep_network(tmp_path, plant_network(inside=0.5, outside=0.05), "knn")
    run = cluster(planted, runs=tmp_path)
    assert run.levels == ["macro", "meso", "micro"]
    assert run.level("") == "micro"
    assert run.read().fingerprint() == run.read("micro").fingerprint()
    for level in run.levels:
        table = run.communities(level)
        assert table["label"].to_pylist() == list(range(len(run.read(level))))
        assert table["size"].to_pylist() == run.read(level).sizes.tolist()
    assert run.network == planted.run
    with pytest.raises(ConfigError, match="has no level 'nano'; expected: macro, meso, micro"):
        run.read("nano")


def test_damaged_files_are_reported(tmp_path: Path) -> None:
    planted = keep_network(tmp_path, plant_network(inside=0.5, outside=0.05), "knn")
    run = cluster(planted, runs=tmp_path)
    (run.path / PAPERS).write_bytes(b"PAR1")
    with pytest.raises(SourceError, match="expected a file of `platform cluster`"):
        run.read()
    pq.write_table(pa.table({"level": ["micro"]}), run.path / LEVELS)
    assert run.levels == ["micro"]


def test_papers_are_saved_with_names_of_communities(tmp_path: Path) -> None:
    """The file is self-contained; papers outside the core have no community."""
    core = np.array([True, True, False, False])
    found = Clustering(names(4), np.array([1, 0, 0, -1], np.int32), core)
    write_papers(tmp_path, {"micro": (found, ["micro-7", "micro-2"])})
    kept = pq.read_table(tmp_path / PAPERS)
    assert kept["micro"].to_pylist() == ["micro-2", "micro-7", "micro-7", None]
    assert kept["core"].to_pylist() == core.tolist()


def test_papers_in_an_unknown_community_are_refused(tmp_path: Path) -> None:
    run = cluster(
        keep_network(tmp_path, plant_network(inside=0.5, outside=0.05), "knn"), runs=tmp_path
    )
    kept = pq.read_table(run.path / PAPERS)
    pq.write_table(
        kept.set_column(2, "macro", pa.array(["macro-0"] * len(kept))), run.path / PAPERS
    )
    with pytest.raises(SourceError, match=r"expected names of communities in communities\.parquet"):
        run.read("macro")


def test_the_named_then_the_stored_then_the_last_run_is_used(
    store: GraphStore, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="no communities in"):
        find_clustering(store, tmp_path)
    held = keep_clustering(tmp_path, {"all": [["a", "b"]]}, started="2026-01-01")
    tried = keep_clustering(tmp_path, {"all": [["a"], ["b"]]}, started="2026-01-02")
    assert find_clustering(store, tmp_path).run == tried.run
    for current, other in ((held, tried), (tried, held)):
        write_meta(store, CLUSTER_RUN, current.run)
        assert find_clustering(store, tmp_path).run == current.run
        assert find_clustering(store, tmp_path, other.run).run == other.run
    write_meta(store, CLUSTER_RUN, "cluster-gone")
    assert find_clustering(store, tmp_path).run == tried.run
