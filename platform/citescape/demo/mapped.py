"""The demo maps its corpus: which networks lead back to the planted topics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from citescape.core.progress import Progress, silent
from citescape.demo.recovery import Check, works_by_node
from citescape.demo.world import World
from citescape.mapping.communities.agreement import compute_ari
from citescape.mapping.communities.cluster import cluster
from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.config import ClusterConfig
from citescape.mapping.communities.leiden import find_communities, prepare
from citescape.mapping.communities.search import Goal, find_resolution
from citescape.mapping.communities.topic_write import write_topics
from citescape.mapping.communities.topics import describe_topics
from citescape.mapping.communities.write import write_communities
from citescape.networks.build import build
from citescape.networks.config import KindName, NetworkConfig
from citescape.networks.network import Network
from citescape.store.graph_store import GraphStore

SEEDS = 5
VECTORS: KindName = "knn"
"""The network of nearest papers by their vectors."""
KINDS: tuple[KindName, ...] = (
    VECTORS,
    "bm25",
    "coupling",
    "co-citation",
    "extended",
    "citation",
    "importance",
)
_TEXTUAL = 0.85
"""Least agreement of networks of texts, which tell their topic in nearly every word here."""
_LARGE = 300
"""Full texts from which importance is to find the topics at least as well as citations alike: in
smaller worlds a topic has so few citations that chance decides (`benchmarks/planted.py`)."""


@dataclass(frozen=True)
class Recovered:
    """Communities of one network beside the planted topics."""

    kind: str
    edges: int
    agreement: tuple[float, ...]
    """Adjusted Rand index with the topics, for each seed."""

    @property
    def mean(self) -> float:
        """Over the seeds."""
        return float(np.mean(self.agreement))

    @property
    def deviation(self) -> float:
        """Standard deviation over the seeds (n - 1)."""
        return float(np.std(self.agreement, ddof=1)) if len(self.agreement) > 1 else 0.0


@dataclass(frozen=True)
class Charted:
    """The communities of one network, named and drawn."""

    kind: str
    labels: tuple[str, ...]
    """Of the topics, the largest first."""
    picture: Path
    """PNG."""
    page: Path
    """To zoom and search."""


@dataclass(frozen=True)
class RecoveredTopics:
    """All networks, and what must hold."""

    topics: int
    """Planted among the full texts."""
    networks: tuple[Recovered, ...]
    checks: tuple[Check, ...]
    chart: Charted | None = None


def recover_topics(
    store: GraphStore,
    world: World,
    runs: Path,
    *,
    kinds: Sequence[KindName] = KINDS,
    seeds: int = SEEDS,
    progress: Progress = silent,
) -> RecoveredTopics:
    """Clusters networks of the demo's papers, and compares communities with the planted topics.

    Each network is clustered by CPM at the resolution that gives as many communities as topics
    were planted; that number is all that is told of the truth.

    Args:
        store: holds the corpus of `world`, scored; with vectors if `VECTORS` is among the kinds.
        world: the planted truth.
        runs: folder of run directories.
        kinds: networks to compare; the first one is drawn.
        seeds: clusterings of each network.
        progress: told which network is at work.

    Writes to the graph: communities of the first network, their topics and places.
    """
    found = compare_networks(store, world, runs, kinds=kinds, seeds=seeds, progress=progress)
    topics = len({world.works[paper].topic for paper in range(world.papers)})
    progress("drawing a map")
    chart = _chart(store, runs, kinds[0], communities=topics)
    return RecoveredTopics(topics, found, tuple(check_topics(found, world.papers)), chart)


def compare_networks(
    store: GraphStore,
    world: World,
    runs: Path,
    *,
    kinds: Sequence[KindName] = KINDS,
    seeds: int = SEEDS,
    progress: Progress = silent,
) -> tuple[Recovered, ...]:
    """The agreement of each kind of network with the planted topics; see `recover_topics`."""
    topics = {
        str(node): world.works[work].topic
        for node, work in works_by_node(store, world).items()
        if work < world.papers
    }
    found = []
    for kind in kinds:
        progress(f"clustering the {kind} network")
        network = build(store, NetworkConfig(kind=kind), runs=runs).read()
        found.append(_compare(kind, network, topics, seeds=seeds))
    return tuple(found)


def check_topics(found: Iterable[Recovered], papers: int) -> Iterator[Check]:
    """What must hold in this world, by means over seeds of the clustering.

    Texts lead back to the topics; of `_LARGE` full texts and more, citations by importance do so at
    least as well as citations alike. Whether they do in other worlds no seed of one can tell.

    Args:
        found: networks of one world.
        papers: full texts in it.
    """
    means = {one.kind: one.mean for one in found}
    for kind in [kind for kind in (VECTORS, "bm25") if kind in means]:
        yield Check(
            f"planted topics, {kind} network: adjusted Rand index", means[kind], "≥", _TEXTUAL
        )
    if papers >= _LARGE:
        what = "planted topics, importance network beside citation network"
        yield Check(what, means["importance"], "≥", means["citation"])


def _chart(store: GraphStore, runs: Path, kind: KindName, *, communities: int) -> Charted:
    """Communities of a network: in the graph, named, drawn."""
    from citescape.mapping.maps.build import build_map
    from citescape.mapping.maps.config import MapConfig
    from citescape.mapping.maps.write import write_map

    network = build(store, NetworkConfig(kind=kind), runs=runs)
    found = cluster(network, ClusterConfig(communities=(communities,)), runs=runs)
    write_communities(store, found)
    topics = describe_topics(store, found, runs=runs)
    write_topics(store, topics)
    placed_by = "" if kind == VECTORS else network.run
    drawn = build_map(store, MapConfig(topics=topics.run, network=placed_by), runs=runs)
    write_map(store, drawn)
    labels = tuple(label for label in topics.read()["label"].to_pylist() if label)
    return Charted(network.kind, labels, drawn.path / "map-importance.png", drawn.page)


def _compare(kind: str, network: Network, topics: Mapping[str, int], *, seeds: int) -> Recovered:
    core = network.in_core
    ids = network.ids.to_pylist()
    truth: Labels = np.array([topics[ids[row]] for row in np.flatnonzero(core)], np.int32)
    prepared = prepare(network)
    resolution = find_resolution(prepared, Goal("communities", len(set(truth.tolist()))))
    agreement = tuple(
        compute_ari(truth, find_communities(prepared, resolution, seed=seed).labels[core])
        for seed in range(seeds)
    )
    return Recovered(kind, network.edges, agreement)
