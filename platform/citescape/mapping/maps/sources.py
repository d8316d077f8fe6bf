"""The runs that a map is made of, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import Clustering, ClusterRun, find_clustering
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


@dataclass(frozen=True)
class MapSources:
    """What is mapped."""

    clustering: ClusterRun
    level: str
    topics: TopicsRun | None
    """None: communities have no labels yet."""
    source: str
    """Run of the vectors or the network."""
    space: Space
    """Of the papers that can be placed."""
    left_out: Mapping[str, int]
    """Papers that cannot, by reason."""

    members: Clustering
    """At its level, papers of the core."""
    described: pa.Table
    """A row a community, in the order of labels; see `atlas.draw_up`."""
    nearest: str = ""
    """Run of the network that says which papers are nearest; empty where they are sought."""


def find_sources(store: GraphStore, runs: Path, config: MapConfig) -> MapSources:
    """Finds the runs and the papers that can be placed.

    Raises:
        ConfigError: there is no such run, or none at all; topics are of another clustering or
            level than named; no paper can be placed. The message says what to do.
    """
    topics = _find_named_topics(store, runs, config)
    named = config.clustering or (topics.clustering if topics else "")
    clustering = find_clustering(store, runs, str(named))
    topics = topics or _find_last_topics(runs, clustering, config.level)
    level = clustering.level(config.level or (topics.level if topics else ""))
    _check_topics(topics, clustering, level)
    members = clustering.read(level).of_core()
    of = (clustering, level, topics)
    told = {"members": members, "described": _describe(*of)}
    if config.network:
        found = find_network(runs, str(config.network), location=store.location)
        linked, left_out = _link(found.read(), members.ids)
        return MapSources(*of, found.run, linked, left_out, **told)
    vectors = _find_vectors(store, runs, clustering, named=str(config.vectors))
    placed, left_out = _take(vectors, members.ids)
    known = _find_nearest(runs, clustering, vectors.run, neighbours=config.neighbours)
    space = VectorSpace(placed, known.read if known else None)
    run = known.run if known else ""
    return MapSources(*of, vectors.run, space, left_out, **told, nearest=run)


def _describe(clustering: ClusterRun, level: str, topics: TopicsRun | None) -> pa.Table:
    plain = ["name", "label", "size", "field", "diversity", "mean_year", "importance"]
    if topics:
        table = topics.read()
        terms = [[one["term"] for one in told or ()] for told in table["terms"].to_pylist()]
        column = pa.array(terms, pa.list_(pa.string()))
        return table.select(plain).append_column("terms", column)
    found = clustering.communities(level)
    texts, numbers = (pa.nulls(len(found), kind) for kind in (pa.string(), pa.float64()))
    lists = pa.nulls(len(found), pa.list_(pa.string()))
    known = {"name": found["name"], "size": found["size"], "terms": lists}
    empty = {"label": texts, "field": texts, **dict.fromkeys(plain[4:], numbers)}
    return pa.table({**known, **empty}).select([*plain, "terms"])


def _find_named_topics(store: GraphStore, runs: Path, config: MapConfig) -> TopicsRun | None:
    if not config.topics:
        return None
    return find_kept(TopicsRun, runs, str(config.topics), location=store.location)


def _find_last_topics(runs: Path, clustering: ClusterRun, level: str) -> TopicsRun | None:
    """The last topics of a clustering, at its level if one is named."""
    made = list_kept(TopicsRun, runs)
    own = [one for one in made if one.clustering == clustering.run and level in ("", one.level)]
    return own[-1] if own else None


def _check_topics(topics: TopicsRun | None, clustering: ClusterRun, level: str) -> None:
    if topics is None:
        return
    if topics.clustering != clustering.run:
        raise ConfigError(
            f"{topics.run} describes {topics.clustering}; expected topics of {clustering.run}: "
            "give other --topics, or leave --clustering out"
        )
    if topics.level != level:
        raise ConfigError(
            f"{topics.run} describes the level {topics.level}; expected {level}: give other "
            "--topics, or leave --level out"
        )


def _find_vectors(
    store: GraphStore, runs: Path, clustering: ClusterRun, *, named: str
) -> RunVectors:
    found = find_topic_vectors(store, clustering, runs, named=named)
    if found:
        return found
    raise ConfigError(
        f"no vectors of papers in {runs} or in {store.location}, which papers are placed by; make "
        f"them with {quote_command('embed', store.location)}, or give --network to place papers by "
        "the edges of a network"
    )


def _take(vectors: RunVectors, ids: pa.StringArray) -> tuple[Vectors, dict[str, int]]:
    rows = vectors.vectors.rows(ids)
    known = vectors.vectors.take(rows[rows >= 0])
    placed = known.take(np.flatnonzero(known.placed))
    if not len(placed):
        raise ConfigError(
            f"none of {len(ids):,} papers has a vector in {vectors.run}; give other --vectors, or "
            "embed these papers"
        )
    left_out = {"without_vector": len(ids) - len(known), "zero_vector": len(known) - len(placed)}
    return placed, left_out


def _find_nearest(
    runs: Path, clustering: ClusterRun, vectors: str, *, neighbours: int
) -> NetworkRun | None:
    """The clustered network, where it says which papers are nearest by these vectors."""
    found = open_kept(NetworkRun, runs, clustering.network)
    return found if found and _tells_nearest(found, vectors, neighbours) else None


def _tells_nearest(found: NetworkRun, vectors: str, neighbours: int) -> bool:
    config = found.record.config
    plain = config.get("normalise") == "none" and not config.get("top") and config.get("weighted")
    wide = int(config.get("k", 0)) >= max(neighbours - 1, AMONG)
    return found.kind == KNN and bool(plain) and wide and found.record.inputs["vectors"] == vectors


def _link(network: Network, ids: pa.StringArray) -> tuple[NetworkSpace, dict[str, int]]:
    inside = pc.is_in(network.ids, value_set=ids).to_numpy(zero_copy_only=False)
    space = linked_space(network.where(inside))
    if not len(space.ids):
        raise ConfigError(
            f"the network links none of {len(ids):,} papers to another; expected some edges: give "
            "another --network"
        )
    return space, {"not_linked": len(ids) - len(space.ids)}
