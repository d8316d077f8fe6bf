"""Runs of `platform cluster`, and stores with their papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.mapping.communities.clustering import (
    COMMUNITIES,
    LEVELS,
    Clustering,
    ClusterRun,
    order_labels,
    write_papers,
)
from citescape.runs.directory import RunRecord, open_run, read_run, run_id
from citescape.store.graph_store import GraphStore
from citescape.store.state import CLUSTER_RUN, write_meta
from tests.importance.conftest import insert

Groups = Sequence[Sequence[str]]


def keep_clustering(
    runs: Path,
    levels: Mapping[str, Groups],
    *,
    network: str = "",
    core: Sequence[str] = (),
    started: str = "",
) -> ClusterRun:
    """A clustering of the papers in the given groups, at levels from coarse to fine.

    Community k of a level is named `LEVEL-k`; its parent is the community of its first paper.
    """
    ids = pa.array(sorted({id_ for groups in levels.values() for of in groups for id_ in of}))
    mask = np.array([not core or id_ in core for id_ in ids.to_pylist()], np.bool_)
    found = [_cluster(ids, groups, mask) for groups in levels.values()]
    config = {name: [list(of) for of in groups] for name, groups in levels.items()}
    record = RunRecord(
        run_id("cluster", config, {"network": network}),
        "cluster",
        config,
        {"network": network},
        started=started,
    )
    with open_run(runs, record.id) as directory:
        communities = _communities(list(levels), found)
        pq.write_table(communities, directory.path / COMMUNITIES)
        names = {
            level: communities.filter(pc.equal(communities["level"], level))["name"].to_pylist()
            for level in levels
        }
        papers = {level: (own, names[level]) for level, own in zip(levels, found, strict=True)}
        write_papers(directory.path, papers)
        levels_table = {
            "level": list(levels),
            "resolution": [0.1 * 2**k for k in range(len(levels))],
        }
        pq.write_table(pa.table(levels_table), directory.path / LEVELS)
        path = directory.complete(record)
    return ClusterRun(path, read_run(path))


def _cluster(ids: pa.StringArray, groups: Groups, mask: Any) -> Clustering:
    place = {id_: k for k, group in enumerate(groups) for id_ in group}
    return order_labels(ids, np.array([place[id_] for id_ in ids.to_pylist()]), mask)


def _communities(levels: Sequence[str], found: Sequence[Clustering]) -> pa.Table:
    rows = []
    for place, (level, own) in enumerate(zip(levels, found, strict=True)):
        for label, size in enumerate(own.sizes.tolist()):
            above = None
            if place:
                first = int(np.flatnonzero(own.labels == label)[0])
                above = f"{levels[place - 1]}-{found[place - 1].labels[first]}"
            rows.append((level, label, f"{level}-{label}", size, above))
    names = ("level", "label", "name", "size", "parent")
    types = (pa.string(), pa.int32(), pa.string(), pa.int64(), pa.string())
    columns = [pa.array([row[k] for row in rows], types[k]) for k in range(5)]
    return pa.table(columns, names=names)


def put_in_graph(store: GraphStore, run: ClusterRun) -> None:
    """Write the communities of all levels as nodes, as the current clustering of the graph."""
    rows = [
        {"id": f"{run.run}/{row['name']}", "run": run.run, "level": level, **row}
        for level in run.levels
        for row in run.communities(level).select(["name", "size"]).to_pylist()
    ]
    insert(store, "Community", rows)
    write_meta(store, CLUSTER_RUN, run.run)
