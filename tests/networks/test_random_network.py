"""G(n, p): edges are independent and equally likely, and the same for equal seeds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chi2

from citescape.networks.network import Network
from citescape.networks.random_network import build_random_network
from citescape.networks.triangles import count_triangles, local_clustering
from tests.networks.graphs import make, networks


def ring(papers: int, each: int) -> Network:
    return make(
        papers, [(k, (k + step) % papers) for k in range(papers) for step in range(1, each + 1)]
    )


@settings(max_examples=100)
@given(networks(), st.integers(0, 2**31 - 1))
def test_random_networks_have_the_same_papers_no_loops_and_unit_weights(
    network: Network, seed: int
) -> None:
    random_network = build_random_network(network, seed=seed)
    assert random_network.ids.equals(network.ids)
    assert (random_network.weights.data == 1).all()
    if not network.edges:
        assert random_network.edges == 0
    if network.edges == math.comb(len(network), 2):
        assert random_network.edges == network.edges


def test_all_pairs_are_equally_likely() -> None:
    """6 papers, p = 5 / 15; each of 15 pairs occurs in 3,000 p of 3,000 networks."""
    like, seeds = make(6, [(0, k) for k in range(1, 6)]), 3000
    counts, edges = np.zeros((6, 6)), []
    for seed in range(seeds):
        random_network = build_random_network(like, seed=seed)
        counts += random_network.weights.toarray()
        edges.append(random_network.edges)
    p = 5 / 15
    seen = counts[np.triu_indices(6, 1)]
    assert ((seen - seeds * p) ** 2 / (seeds * p * (1 - p))).sum() < chi2.ppf(0.9999, 15)
    expected = binom.pmf(np.arange(16), 15, p) * seeds
    occurrences = np.bincount(edges, minlength=16)
    many = expected >= 5
    assert ((occurrences - expected)[many] ** 2 / expected[many]).sum() < chi2.ppf(
        0.9999, many.sum()
    )


def test_a_large_random_network_has_expected_edges_clustering_and_degrees() -> None:
    """n = 20,000 and p = 2 * 10 / (n - 1): edges, clustering p, isolated n (1 - p)^(n - 1)."""
    like = ring(20_000, 3)
    n, pairs = len(like), math.comb(20_000, 2)
    p = like.edges / pairs
    random_network = build_random_network(like, seed=1)
    assert abs(random_network.edges - like.edges) < 4 * math.sqrt(pairs * p * (1 - p))
    degrees = random_network.degrees
    assert degrees.var() == pytest.approx((n - 1) * p * (1 - p), rel=0.05)
    isolated = n * (1 - p) ** (n - 1)
    assert abs((degrees == 0).sum() - isolated) < 4 * math.sqrt(isolated)
    triangles = count_triangles(random_network)
    expected = math.comb(n, 3) * p**3
    assert abs(triangles.sum() / 3 - expected) < 4 * math.sqrt(expected)
    assert (local_clustering(degrees, triangles) or 0) < 10 * p


def test_equal_seeds_give_equal_networks() -> None:
    like = ring(500, 4)
    first, again, other = (build_random_network(like, seed=seed) for seed in (7, 7, 8))
    assert (first.weights != again.weights).nnz == 0
    assert (first.weights != other.weights).nnz > 1000


def test_the_core_is_preserved() -> None:
    core = np.arange(10) < 4
    like = replace(ring(10, 2), core=core)
    assert build_random_network(like).in_core.tolist() == core.tolist()
