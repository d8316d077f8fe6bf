"""Which clustering is meant where none is named."""

from __future__ import annotations

from pathlib import Path

from citescape.mapping.communities.clustering import ClusterRun
from citescape.runs.kept import find_kept, open_kept
from citescape.store.graph_store import GraphStore
from citescape.store.state import CLUSTER_RUN, read_meta


def find_clustering(store: GraphStore, runs: Path, named: str = "") -> ClusterRun:
    """The clustering named, else the one in the graph, else the last one made.

    So what was tried beside the graph changes nothing until it is named.

    Args:
        store: the graph; only read.
        runs: folder of run directories.
        named: run or folder.

    Raises:
        ConfigError: there is none; the message says which there are, or how to make one.
    """
    current = "" if named else read_meta(store, CLUSTER_RUN) or ""
    found = open_kept(ClusterRun, runs, current)
    return found or find_kept(ClusterRun, runs, named, location=store.location)
