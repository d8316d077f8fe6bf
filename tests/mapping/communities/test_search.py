"""Resolutions for a requested number or size of communities."""

from __future__ import annotations

import numpy as np
import pytest

from citescape.mapping.communities.leiden import find_communities, prepare
from citescape.mapping.communities.search import (
    Goal,
    find_linked,
    find_resolution,
    measure,
)
from tests.mapping.communities.planted import plant_network
from tests.mapping.communities.small_networks import network

PLANTED = plant_network(12, 30, inside=0.3, outside=0.03, seed=5)


def test_mean_size_by_hand() -> None:
    """Sizes 3 and 2, and one paper without edges: (9 + 4) / 5."""
    found = network(6, [(0, 1), (1, 2), (3, 4)])
    clustering = find_communities(prepare(found), 0.1)
    assert clustering.sizes.tolist() == [3, 2, 1]
    assert find_linked(found).tolist() == [True] * 5 + [False]
    assert measure(found, clustering, "communities") == 2
    assert measure(found, clustering, "size") == (9 + 4) / 5
    assert measure(network(2, []), find_communities(prepare(network(2, [])), 1.0), "size") == 0


@pytest.mark.parametrize("quality", ["cpm", "modularity"])
@pytest.mark.parametrize("goal", [Goal("communities", 12), Goal("size", 30), Goal("size", 8)])
def test_requested_numbers_and_sizes_are_reached(goal: Goal, quality: str) -> None:
    prepared = prepare(PLANTED)
    resolution = find_resolution(prepared, goal, quality=quality)
    found = find_communities(prepared, resolution, quality=quality)
    reached = measure(PLANTED, found, goal.measure)
    assert reached == pytest.approx(goal.value, rel=0.1)
    assert resolution == float(f"{resolution:.3g}")
    assert resolution == find_resolution(prepare(PLANTED), goal, quality=quality)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_scale_of_weights_does_not_matter(scale: float) -> None:
    first, second, weights = PLANTED.upper()
    ends = list(zip(first.tolist(), second.tolist(), strict=True))
    scaled = prepare(network(len(PLANTED), ends, (weights * scale).tolist()))
    found = find_communities(scaled, find_resolution(scaled, Goal("communities", 12)))
    assert len(found) == 12


def test_a_network_of_three_components_has_three_communities() -> None:
    found = network(9, [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)])
    resolution = find_resolution(prepare(found), Goal("communities", 1))
    assert len(find_communities(prepare(found), resolution)) == 3


def test_singletons_can_be_requested() -> None:
    found = network(6, [(0, 1), (1, 2), (2, 0), (3, 4)])
    resolution = find_resolution(prepare(found), Goal("communities", 5))
    assert len(find_communities(prepare(found), resolution)) == 6
    assert find_resolution(prepare(network(3, [])), Goal("communities", 2)) == 1.0


def test_small_communities_are_reassigned_before_they_are_counted() -> None:
    from citescape.mapping.communities.leiden import find_membership, label_papers
    from citescape.mapping.communities.small import reassign_small

    prepared = prepare(PLANTED)
    resolution = find_resolution(prepared, Goal("communities", 20), min_size=5)
    membership = find_membership(prepared, resolution)
    before = label_papers(prepared, membership)
    after = label_papers(prepared, reassign_small(prepared, membership, 5)[0])
    assert (before.sizes < 5).any()
    assert after.sizes.min() >= 5
    assert len(after) == pytest.approx(20, rel=0.15)


def test_a_coarser_level_has_fewer_communities() -> None:
    below = find_communities(prepare(PLANTED), 0.4)
    prepared = prepare(PLANTED, within=below)
    assert len(below) > 40
    found = find_communities(prepared, find_resolution(prepared, Goal("communities", 12)))
    assert len(found) == pytest.approx(12, abs=1)
    assert len(np.unique(np.stack([below.labels, found.labels]), axis=1).T) == len(below)
