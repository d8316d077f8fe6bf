"""Topic vectors: the mean of the vectors of a topic's papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.labels import build_members
from citescape.runs.directory import find_run, read_run
from citescape.search.stored import RunVectors, find_vectors
from citescape.search.vectors import VECTORS, Vectors, slices
from citescape.store.graph_store import GraphStore


def find_topic_vectors(
    store: GraphStore, clustering: ClusterRun, runs: Path, *, name: str = ""
) -> RunVectors | None:
    """Finds vectors of papers: of a named run, else of the clustered network, else `find_vectors`.

    Args:
        store: store whose graph may have vectors.
        clustering: the clustering.
        runs: folder of runs.
        name: run of vectors, or empty.

    Returns:
        Vectors; None if no run is named and no vectors exist.

    Raises:
        ConfigError: the run does not exist.
        SourceError: the vectors, or the record of the network, are damaged.
    """
    path = find_run(runs, clustering.network)
    used = str(read_run(path).inputs.get("vectors", "")) if path else ""
    if name or (runs / used / VECTORS).is_file():
        return find_vectors(store, runs, name or used)
    try:
        return find_vectors(store, runs)
    except ConfigError:  # no vectors
        return None


def average_vectors(
    vectors: Vectors, ids: pa.StringArray, labels: npt.NDArray[np.integer], *, names: Sequence[str]
) -> Vectors:
    """Computes v_T, the mean of v_i over papers i of T with a vector (CIA, section 5.4.2).

    Vectors are not scaled to length 1.

    Args:
        vectors: vectors of papers.
        ids: (papers,) ascending.
        labels: (papers,) rows of `names`, -1 for papers without a topic.
        names: names of topics.

    Returns:
        Vectors of topics that have papers with vectors, by name, ascending; `papers` also has the
        number of these papers.
    """
    rows = vectors.rows(ids)
    known = np.flatnonzero((rows >= 0) & (labels >= 0))
    known = known[np.argsort(rows[known], kind="stable")]  # in the order of the file
    sums = np.zeros((len(names), vectors.dimensions))
    for part in slices(len(known)):
        own = np.asarray(vectors.values[rows[known[part]]], np.float64)
        sums += build_members(labels[known[part]], len(names)) @ own
    counts = np.bincount(labels[known], minlength=len(names))
    present = [row for row in np.argsort(np.array(names, object)) if counts[row]]
    table = {
        "id": pa.array([names[row] for row in present], pa.string()),
        "papers": counts[present],
    }
    means = sums[present] / counts[present][:, np.newaxis]
    return Vectors(pa.table(table), means.astype(np.float32))
