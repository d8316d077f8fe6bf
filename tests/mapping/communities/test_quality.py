"""Quality functions, compared with sums over pairs of papers and other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.mapping.communities.quality import QUALITIES, compute_quality
from citescape.networks.network import Network
from tests.mapping.communities.small_networks import bridge, network, networks


def labels(*values: int) -> Any:
    return np.array(values, np.int32)


def test_quality_of_two_triangles_by_hand() -> None:
    """(2 w - r n^2) / 2m: seven edges, so 2m is 14."""
    found = bridge()
    assert compute_quality(found, labels(0, 0, 0, 1, 1, 1), 0.2) == pytest.approx(
        (2 * 6 - 0.2 * (3**2 + 3**2)) / 14
    )
    assert pytest.approx(0.6) == (2 * 6 - 0.2 * (3**2 + 3**2)) / 14
    quality = compute_quality(found, labels(0, 0, 0, 0, 0, 0), 0.2)
    assert quality == pytest.approx((14 - 0.2 * 36) / 14) == pytest.approx(0.485714, abs=1e-6)
    alone = compute_quality(found, labels(0, 1, 2, 3, 4, 5), 0.2)
    assert alone == pytest.approx(-0.2 * 6 / 14) == pytest.approx(-0.085714, abs=1e-6)


def by_pairs(found: Network, membership: Any, resolution: float, quality: str) -> float:
    """Sum of w_ij - r * expected_ij over ordered pairs i, j of a community, divided by 2m."""
    weights = found.weights.toarray()
    strengths, total = weights.sum(axis=1), weights.sum()
    score = 0.0
    for i in range(len(found)):
        for j in range(len(found)):
            if membership[i] == membership[j] and (membership[i] >= 0 or i == j):
                constant = float(found.in_core[i] and found.in_core[j])
                chance = strengths[i] * strengths[j] / total if total else 0.0
                expected = constant if quality == "cpm" else chance
                score += weights[i, j] - resolution * expected
    return score / total if total else 0.0


@given(networks(cores=True), st.data(), st.sampled_from(sorted(QUALITIES)))
def test_quality_equals_the_sum_over_pairs(
    found: Network, data: st.DataObject, quality: str
) -> None:
    size = len(found)
    membership = np.array(data.draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size)))
    resolution = data.draw(st.sampled_from([0.01, 0.5, 1.0, 3.0]))
    score = compute_quality(found, membership, resolution, quality=quality)
    assert score == pytest.approx(by_pairs(found, membership, resolution, quality), abs=1e-12)
    assert score <= 1


@given(networks(), st.data())
def test_modularity_equals_networkx(found: Network, data: st.DataObject) -> None:
    import networkx as nx

    if not found.edges:
        return
    size = len(found)
    membership = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    graph = nx.from_scipy_sparse_array(found.weights)
    groups = [{k for k in range(size) if membership[k] == label} for label in set(membership)]
    expected = nx.community.modularity(graph, groups, resolution=1.5)
    score = compute_quality(found, np.array(membership), 1.5, quality="modularity")
    assert score == pytest.approx(expected, abs=1e-12)


def test_papers_outside_the_core_have_no_size() -> None:
    """0 and 1 are linked by 2, which is outside the core: 2m = 4, n = 2."""
    found = network(3, [(0, 2), (1, 2)], core=[True, True, False])
    assert compute_quality(found, labels(0, 0, 0), 0.1) == pytest.approx((4 - 0.1 * 2**2) / 4)
    assert compute_quality(found, labels(0, 1, 1), 0.1) == pytest.approx((2 - 0.1 * 2) / 4)


def test_invalid_input_is_refused() -> None:
    with pytest.raises(ConfigError, match="quality is 'map'; expected one of: cpm, modularity"):
        compute_quality(bridge(), labels(0, 0, 0, 1, 1, 1), 0.2, quality="map")
    with pytest.raises(ConfigError, match="a network of 6 papers; expected one label per paper"):
        compute_quality(bridge(), labels(0, 0, 0), 0.2)
    assert compute_quality(network(3, []), labels(0, 0, 0), 0.2) == 0.0
