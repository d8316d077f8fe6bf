"""A store of forty papers in four groups, with vectors, citations and communities."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.topics import TopicsConfig, TopicsRun, describe_topics
from citescape.mapping.maps.config import LayoutConfig
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import Vectors, write_vectors
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.importance.conftest import insert
from tests.mapping.communities.clusterings import keep_clustering
from tests.mapping.maps.points import make_clustered_vectors

IDS = [f"doi:10.1/{k:02d}" for k in range(40)]
GROUPS = {
    "macro": [[id_ for k, id_ in enumerate(IDS) if k % 2 == half] for half in (0, 1)],
    "micro": [[id_ for k, id_ in enumerate(IDS) if k % 4 == part] for part in range(4)],
}
WORDS = ("soil frost", "honey bees", "rice blast", "salt stress")
LAYOUT = LayoutConfig(neighbours=6, epochs=40)
QUICK: dict[str, Any] = {**asdict(LAYOUT), "size": "100x80", "dpi": 60}
"""Settings of a map that is computed quickly."""


def fill(store: GraphStore, *, scored: bool = True) -> GraphStore:
    papers = [
        {
            "id": id_,
            "title": f"{WORDS[k % 4]} {k}",
            "year": 2000 + k,
            "venue": "J",
            "fulltext": True,
        }
        for k, id_ in enumerate(IDS)
    ]
    insert(store, "Paper", papers)
    insert(store, "Subject", [{"id": "soil", "text": "Soil"}, {"id": "food", "text": "Food"}])
    subjects = [{"from": id_, "to": "soil" if k % 4 < 2 else "food"} for k, id_ in enumerate(IDS)]
    insert(store, "HAS_SUBJECT", subjects)
    rows = [
        {"from": IDS[k], "to": IDS[j], "importance": k / 8 if scored else None}
        for k in range(40)
        for j in range(k % 4, k, 4)
    ]
    insert(store, "CITES", rows)
    write_meta(store, IMPORTANCE_RUN, "score-1" if scored else "")
    return store


def keep_vectors(
    runs: Path, *, run: str = "embed-000000000001", without: int = 0, zero: int = 0
) -> str:
    """Save vectors of all papers except the last `without`; the first `zero` are zero vectors."""
    values = make_clustered_vectors(40, groups=4).values[: 40 - without].copy()
    values[:zero] = 0
    with open_run(runs, run) as directory:
        ids = pa.table({"id": pa.array(IDS[: 40 - without], pa.string())})
        write_vectors(directory.path, Vectors(ids, values))
        directory.complete(RunRecord(run, "embed", {}, {}, started=run))
    return run


def keep_communities(runs: Path, *, network: str = "") -> ClusterRun:
    return keep_clustering(runs, GROUPS, network=network)


def keep_topics(store: GraphStore, runs: Path, clustering: ClusterRun, level: str) -> TopicsRun:
    return describe_topics(store, clustering, TopicsConfig(level=level), runs=runs)


def middles(table: pa.Table) -> dict[str, np.ndarray]:
    """Mean place of the papers of each community."""
    places = np.stack([table["x"].to_numpy(), table["y"].to_numpy()], axis=1)
    names = np.array(table["community"].to_pylist())
    return {str(name): places[names == name].mean(axis=0) for name in set(names.tolist())}
