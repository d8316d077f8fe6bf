"""Why shared works are normalised by default: planted topics, with and without it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from citescape.demo.world import World, generate_world
from citescape.mapping.communities.agreement import compute_ari
from citescape.mapping.communities.leiden import find_communities, prepare
from citescape.mapping.communities.search import Goal, find_resolution
from citescape.networks.citations import Citations, build_citations
from citescape.networks.kinds import KINDS
from citescape.networks.network import Network
from citescape.networks.normalise import normalise
from citescape.networks.shared import link_shared

PAPERS = 300


def names(works: np.ndarray) -> pa.StringArray:
    return pa.array([f"p{work:06d}" for work in works.tolist()])


def cite(world: World) -> Citations:
    ends = {"citing": names(world.pairs.citing), "cited": names(world.pairs.cited)}
    return build_citations(pa.table({**ends, "weight": np.ones(len(world.pairs))}))


def agree(network: Network, topics: np.ndarray) -> float:
    """Communities by CPM, as many as topics."""
    prepared = prepare(network)
    resolution = find_resolution(prepared, Goal("communities", len(np.unique(topics))))
    return compute_ari(topics, find_communities(prepared, resolution, seed=0).labels)


@pytest.mark.parametrize("seed", [0, 1])
def test_normalised_shared_works_recover_topics(seed: int) -> None:
    """Raw counts are uninformative: a paper with many references shares some with most papers."""
    world = generate_world(papers=PAPERS, seed=seed)
    topics = np.array([work.topic for work in world.works[:PAPERS]], np.int32)
    core = names(np.arange(PAPERS))
    for kind, least in (("coupling", 0.25), ("co-citation", 0.05)):
        raw = link_shared(cite(world), core, cocited=kind == "co-citation").network
        assert agree(raw, topics) < 0.1
        assert agree(normalise(raw, KINDS[kind].normalise), topics) > least
