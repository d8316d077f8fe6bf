"""The demo maps its corpus: which networks lead back to the planted topics."""

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
from citescape.mapping.maps.drawn import MapRun
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
class RecoveredTopics:
    """All networks, and what must hold."""

    topics: int
    """Planted among the full texts."""
    networks: tuple[Recovered, ...]
    checks: tuple[Check, ...]
    map: MapRun | None = None
    """The communities of the first network, named and drawn."""


def recover_topics(
    corpus: Corpus, world: World, *, kinds: Sequence[KindName] = KINDS, seeds: int = SEEDS
) -> RecoveredTopics:
    """Clusters networks of the demo's papers, and compares communities with the planted topics.

    Each network is clustered by CPM at the resolution that gives as many communities as topics
    were planted; that number is all that is told of the truth.

    Args:
        corpus: that of `world`, scored; with vectors if `VECTORS` is among the kinds.
        world: the planted truth.
        kinds: networks to compare; the first one is drawn.
        seeds: clusterings of each network.

    Writes to the graph: communities of the first network, their topics and places.
    """
    found = compare_networks(corpus, world, kinds=kinds, seeds=seeds)
    topics = len({world.works[paper].topic for paper in range(world.papers)})
    network = corpus.network.build(kinds[0]).run
    corpus.cluster(network, communities=(topics,))
    corpus.topics()
    drawn = corpus.map(network="" if kinds[0] == VECTORS else network)
    return RecoveredTopics(topics, found, tuple(check_topics(found, world.papers)), drawn)


def compare_networks(
    corpus: Corpus, world: World, *, kinds: Sequence[KindName] = KINDS, seeds: int = SEEDS
) -> tuple[Recovered, ...]:
    """The agreement of each kind of network with the planted topics; see `recover_topics`."""
    topics = {
        str(node): world.works[work].topic
        for node, work in works_by_node(corpus.store, world).items()
        if work < world.papers
    }
    found = []
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
        found.append(Recovered(kind, network.edges, tuple(agreement)))
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
