"""Finds the runs of a map, and reads their content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import (
    TOPIC_LEVEL,
    Clustering,
    ClusterRun,
    find_clustering,
)
from citescape.mapping.communities.topic_vectors import find_topic_vectors
from citescape.mapping.communities.topics import TopicsRun
from citescape.mapping.maps.config import MapConfig
from citescape.mapping.maps.placing import AMONG
from citescape.mapping.maps.spaces import NetworkSpace, Space, VectorSpace, linked_space
from citescape.networks.build import NetworkRun, find_network
from citescape.networks.network import Network
from citescape.runs.kept import find_kept, list_kept, open_kept
from citescape.search.stored import RunVectors
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore

KNN = "knn"
_MOST_LEVELS = 4
"""Maximum number of levels of a clustering that a map shows; beyond, its own level alone."""


@dataclass(frozen=True)
class MapSources:
    """The content of a map."""

    clustering: ClusterRun
    level: str
    topics: TopicsRun | None
    """None without labels of communities."""
    source: str
    """Run of the vectors or the network."""
    space: Space
    """Space of the papers that can be placed."""
    excluded: Mapping[str, int]
    """Reason -> number of papers that cannot be placed."""
    members: Clustering
    """The clustering at the level, papers of the core."""
    described: pa.Table
    """One row per community, in the order of labels; see `atlas.build_atlas`."""
    nearest: str = ""
    """Run of the network with the nearest papers; empty if they are searched."""
    others: tuple[tuple[str, Clustering, pa.Table], ...] = ()
    """Other levels, see `atlas.build_atlas`."""
    named_by: Mapping[str, str] = field(default_factory=dict)
    """Other level -> run of the topics that name its communities."""


def find_sources(store: GraphStore, runs: Path, config: MapConfig) -> MapSources:
    """Finds the runs and the papers that can be placed.

    Args:
        store: store whose graph may have communities and vectors.
        runs: folder of runs.
        config: settings that name runs.

    Raises:
        ConfigError: a run does not exist; topics are of another clustering or level; no paper
            can be placed.
    """
    topics: TopicsRun | None = None
    if config.topics:
        topics = find_kept(TopicsRun, runs, str(config.topics), location=store.location)
    named = config.clustering or (topics.clustering if topics else "")
    clustering = find_clustering(store, runs, str(named))
    if topics is None:
        own = [
            run
            for run in list_kept(TopicsRun, runs)
            if run.clustering == clustering.run and config.level in ("", run.level)
        ]
        best = [run for run in own if run.level == TOPIC_LEVEL] or own
        topics = best[-1] if best else None  # the last one
    level = clustering.topic_level(config.level or (topics.level if topics else ""))
    if topics and topics.clustering != clustering.run:
        raise ConfigError(
            f"{topics.run} describes {topics.clustering}; expected topics of {clustering.run}: "
            "choose other --topics, or omit --clustering"
        )
    if topics and topics.level != level:
        raise ConfigError(
            f"{topics.run} describes the level {topics.level}; expected {level}: choose "
            "other --topics, or omit --level"
        )

    members = clustering.read(level).restrict_to_core()
    nearest = ""
    space: Space
    if config.network:
        network = find_network(runs, str(config.network), location=store.location)
        source = network.run
        space, excluded = _link(network.read(), members.ids)
    else:
        vectors = _find_vectors(store, runs, clustering, named=str(config.vectors))
        placed, excluded = _select(vectors, members.ids)
        clustered = open_kept(NetworkRun, runs, clustering.network)
        if clustered and not _has_nearest(clustered, vectors.run, config.neighbours):
            clustered = None
        nearest = clustered.run if clustered else ""
        space = VectorSpace(placed, clustered.read if clustered else None)
        source = vectors.run
    known = {
        run.level: run for run in list_kept(TopicsRun, runs) if run.clustering == clustering.run
    }
    levels = clustering.levels if len(clustering.levels) <= _MOST_LEVELS else []
    others = tuple(
        (name, clustering.read(name).restrict_to_core(), _name(clustering, name, known.get(name)))
        for name in levels
        if name != level
    )
    return MapSources(
        clustering,
        level,
        topics,
        source,
        space,
        excluded,
        members,
        _describe(clustering, level, topics),
        nearest,
        others,
        {name: known[name].run for name, *_ in others if name in known},
    )


def _name(clustering: ClusterRun, level: str, topics: TopicsRun | None) -> pa.Table:
    return _describe(clustering, level, topics).select(["name", "label", "size"])


def _describe(clustering: ClusterRun, level: str, topics: TopicsRun | None) -> pa.Table:
    names = ["name", "label", "size", "field", "diversity", "mean_year", "importance"]
    if topics:
        table = topics.read()
        terms = [[item["term"] for item in items or ()] for items in table["terms"].to_pylist()]
        column = pa.array(terms, pa.list_(pa.string()))
        return table.select(names).append_column("terms", column)
    communities = clustering.communities(level)
    texts, numbers = (pa.nulls(len(communities), kind) for kind in (pa.string(), pa.float64()))
    columns = {
        "name": communities["name"],
        "label": texts,
        "size": communities["size"],
        "field": texts,
        **dict.fromkeys(names[4:], numbers),
        "terms": pa.nulls(len(communities), pa.list_(pa.string())),
    }
    return pa.table(columns)


def _find_vectors(
    store: GraphStore, runs: Path, clustering: ClusterRun, *, named: str
) -> RunVectors:
    vectors = find_topic_vectors(store, clustering, runs, name=named)
    if vectors:
        return vectors
    raise ConfigError(
        f"no vectors of papers in {runs} or in {store.location}; run "
        f"{quote_command('embed', store.location)}, or use --network to place papers by the edges "
        "of a network"
    )


def _select(vectors: RunVectors, ids: pa.StringArray) -> tuple[Vectors, dict[str, int]]:
    """Vectors of papers that can be placed, and the number of others by reason."""
    rows = vectors.vectors.rows(ids)
    known = vectors.vectors.select_rows(rows[rows >= 0])
    placed = known.select_rows(np.flatnonzero(known.placed))
    if not len(placed):
        raise ConfigError(
            f"found no vectors of the {len(ids):,} papers in {vectors.run}; choose other "
            "--vectors, or embed these papers"
        )
    excluded = {"without_vector": len(ids) - len(known), "zero_vector": len(known) - len(placed)}
    return placed, excluded


def _has_nearest(network: NetworkRun, vectors: str, neighbours: int) -> bool:
    """Whether a network has enough nearest papers by some vectors."""
    config = network.record.config
    plain = config.get("normalise") == "none" and not config.get("top") and config.get("weighted")
    wide = int(config.get("k", 0)) >= max(neighbours - 1, AMONG)
    if network.kind != KNN or not plain or not wide:
        return False
    return bool(network.record.inputs["vectors"] == vectors)


def _link(network: Network, ids: pa.StringArray) -> tuple[NetworkSpace, dict[str, int]]:
    inside = pc.is_in(network.ids, value_set=ids).to_numpy(zero_copy_only=False)
    space = linked_space(network.where(inside))
    if not len(space.ids):
        raise ConfigError(
            f"the network has no edges between the {len(ids):,} papers; choose another --network"
        )
    return space, {"not_linked": len(ids) - len(space.ids)}
