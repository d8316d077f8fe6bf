"""Which clustering is meant where none is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.mapping.communities.current import find_clustering
from citescape.store.graph_store import GraphStore
from citescape.store.state import CLUSTER_RUN, write_meta
from tests.mapping.communities.clusterings import keep_clustering


def test_what_is_named_then_what_is_in_the_graph_then_the_last(
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
