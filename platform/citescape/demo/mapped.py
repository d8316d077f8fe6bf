"""Mapping part of the demo: which networks recover the planted topics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from citescape.corpus import Corpus
from citescape.demo.recovery import Check, works_by_node
from citescape.demo.world import World
from citescape.mapping.communities.agreement import compute_ari
from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.leiden import find_communities, prepare
from citescape.mapping.communities.search import Goal, find_resolution
from citescape.mapping.maps.map_run import MapRun
from citescape.networks.config import KindName

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
"""Minimum agreement of text networks; in generated texts nearly every word depends on the topic."""
_LARGE = 300
"""Minimum number of full texts for the check that importance recovers topics at least as well as
unweighted citations: in smaller worlds a topic has too few citations (`benchmarks/planted.py`)."""


@dataclass(frozen=True)
class NetworkRecovery:
    """Agreement of the communities of one network with the planted topics."""

    kind: str
    edges: int
    agreement: tuple[float, ...]
    """Adjusted Rand index with the topics, for each seed."""

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return float(np.mean(self.agreement))

    @property
    def deviation(self) -> float:
        """Standard deviation over the seeds (n - 1)."""
        return float(np.std(self.agreement, ddof=1)) if len(self.agreement) > 1 else 0.0


@dataclass(frozen=True)
class TopicRecovery:
    """All networks, and the checks on them."""

    topics: int
    """Number of planted topics among the full texts."""
    networks: tuple[NetworkRecovery, ...]
    checks: tuple[Check, ...]
    map: MapRun | None = None
    """Map of the labelled communities of the first network."""


def recover_topics(
    corpus: Corpus, world: World, *, kinds: Sequence[KindName] = KINDS, seeds: int = SEEDS
) -> TopicRecovery:
    """Clusters networks of the demo's papers, and compares communities with the planted topics.

    Each network is clustered by CPM at the resolution that gives as many communities as planted
    topics; the ground truth is not used otherwise.

    Args:
        corpus: scored corpus of `world`, with vectors if `kinds` contains `VECTORS`.
        world: the ground truth.
        kinds: networks to compare; the first is drawn as a map.
        seeds: number of clusterings of each network.

    Writes to the graph: communities of the first network, their topics and places.
    """
    networks = compare_networks(corpus, world, kinds=kinds, seeds=seeds)
    topics = len({world.works[paper].topic for paper in range(world.papers)})
    network = corpus.network.build(kinds[0]).run
    corpus.cluster(network, communities=(topics,))
    corpus.topics()
    drawn = corpus.map(network="" if kinds[0] == VECTORS else network)
    return TopicRecovery(topics, networks, tuple(check_topics(networks, world.papers)), drawn)


def compare_networks(
    corpus: Corpus, world: World, *, kinds: Sequence[KindName] = KINDS, seeds: int = SEEDS
) -> tuple[NetworkRecovery, ...]:
    """The agreement of each kind of network with the planted topics; see `recover_topics`."""
    topics = {
        str(node): world.works[work].topic
        for node, work in works_by_node(corpus.store, world).items()
        if work < world.papers
    }
    networks = []
    for kind in kinds:
        network = corpus.network.build(kind).read()
        ids = network.ids.to_pylist()
        core = np.flatnonzero(network.in_core)
        truth: Labels = np.array([topics[ids[row]] for row in core], np.int32)
        prepared = prepare(network)
        resolution = find_resolution(prepared, Goal("communities", len(set(truth.tolist()))))
        agreement = []
        for run in range(seeds):
            labels = find_communities(prepared, resolution, seed=run).labels[network.in_core]
            agreement.append(compute_ari(truth, labels))
        networks.append(NetworkRecovery(kind, network.edges, tuple(agreement)))
    return tuple(networks)


def check_topics(networks: Iterable[NetworkRecovery], papers: int) -> Iterator[Check]:
    """Checks of means over the seeds of clustering.

    Text networks recover the topics. With `_LARGE` full texts or more, citations weighted by
    importance recover them at least as well as unweighted citations. A seed of one world says
    nothing about other worlds.

    Args:
        networks: networks of one world.
        papers: number of full texts.
    """
    means = {network.kind: network.mean for network in networks}
    for kind in [kind for kind in (VECTORS, "bm25") if kind in means]:
        yield Check(
            f"planted topics, {kind} network: adjusted Rand index", means[kind], "≥", _TEXTUAL
        )
    if papers >= _LARGE:
        name = "planted topics, importance network beside citation network"
        yield Check(name, means["importance"], "≥", means["citation"])
