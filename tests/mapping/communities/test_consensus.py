"""Consensus of several seeds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import adjusted_rand_score

from citescape.mapping.communities.consensus import find_consensus
from citescape.mapping.communities.leiden import find_communities, label_papers, prepare
from citescape.mapping.communities.quality import compute_quality
from citescape.networks.network import Network
from tests.mapping.communities.planted import plant_network
from tests.mapping.communities.small_networks import network, networks

NOISY = plant_network(10, 12, inside=0.35, outside=0.08, seed=1)
RESOLUTION = 0.15


def test_agreement_is_the_rand_index_of_all_pairs_of_seeds() -> None:
    prepared = prepare(NOISY)
    found = [find_communities(prepared, RESOLUTION, seed=seed).labels for seed in (4, 5, 6)]
    expected = [adjusted_rand_score(found[a], found[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    agreed = find_consensus(prepared, RESOLUTION, seeds=(4, 5, 6))
    assert agreed.agreement == pytest.approx(expected)
    assert min(expected) < 1, "seeds that agree prove nothing"


def test_the_consensus_is_closer_to_seeds_than_seeds_to_each_other() -> None:
    prepared = prepare(NOISY)
    seeds = range(20)
    found = [find_communities(prepared, RESOLUTION, seed=seed).labels for seed in seeds]
    agreed = find_consensus(prepared, RESOLUTION, seeds=seeds)
    labels = label_papers(prepared, agreed.membership).labels
    assert agreed.stable
    assert agreed.rounds > 1
    near = np.mean([adjusted_rand_score(labels, seed_labels) for seed_labels in found])
    assert near > float(agreed.agreement.mean())
    typical = np.mean([compute_quality(NOISY, seed_labels, RESOLUTION) for seed_labels in found])
    assert compute_quality(NOISY, labels, RESOLUTION) > typical - 0.01
    counts = [int(seed_labels.max()) + 1 for seed_labels in found]
    assert min(counts) <= int(labels.max()) + 1 <= 1.5 * max(counts)


def test_consensuses_agree_more_than_seeds() -> None:
    prepared = prepare(NOISY)
    early, late = (
        find_consensus(prepared, RESOLUTION, seeds=range(first, first + 15)) for first in (0, 50)
    )
    between = adjusted_rand_score(early.membership, late.membership)
    assert between > max(float(early.agreement.mean()), float(late.agreement.mean()))


def test_unanimous_seeds_are_the_consensus() -> None:
    planted = plant_network(5, 12, inside=0.9, outside=0.02)
    prepared = prepare(planted)
    agreed = find_consensus(prepared, 0.4, seeds=range(4))
    assert agreed.rounds == 1
    assert agreed.stable
    assert agreed.agreement.tolist() == [1.0] * 6
    single = find_communities(prepared, 0.4)
    assert label_papers(prepared, agreed.membership).fingerprint() == single.fingerprint()


@settings(max_examples=30)
@given(networks(9, cores=True))
def test_communities_of_the_consensus_are_connected(found: Network) -> None:
    import networkx as nx

    prepared = prepare(found)
    agreed = find_consensus(prepared, 0.5, seeds=range(3))
    labels = label_papers(prepared, agreed.membership).labels
    graph = nx.from_scipy_sparse_array(found.weights)
    for label in range(int(labels.max(initial=-1)) + 1):
        assert nx.is_connected(graph.subgraph(np.flatnonzero(labels == label).tolist()))
    again = find_consensus(prepared, 0.5, seeds=range(3))
    assert (again.membership == agreed.membership).all()


def test_a_paper_between_two_communities_is_assigned() -> None:
    """Paper 6 fits both triangles equally well; the seeds are divided."""
    edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (6, 0), (6, 3)]
    prepared = prepare(network(7, edges))
    placed = {
        tuple(find_communities(prepared, 0.25, seed=seed).labels.tolist()) for seed in range(20)
    }
    assert len(placed) > 1
    agreed = find_consensus(prepared, 0.25, seeds=range(20))
    assert agreed.stable
    assert (
        len(set(agreed.membership[:3].tolist())) == len(set(agreed.membership[3:6].tolist())) == 1
    )
