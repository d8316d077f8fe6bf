"""Small communities are merged into linked communities of sufficient size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.mapping.communities.leiden import prepare
from citescape.mapping.communities.small import reassign_small
from citescape.networks.network import Network
from tests.mapping.communities.small_networks import network, networks


def test_small_communities_join_the_strongest_link_by_size() -> None:
    """6 is linked to {0..3} by 3 and to {4, 5} by 2: 3/4 < 2/2."""
    edges = [(0, 1), (1, 2), (2, 3), (4, 5), (6, 0), (6, 4)]
    found = network(7, edges, [1, 1, 1, 1, 3, 2])
    membership = np.array([0, 0, 0, 0, 1, 1, 2])
    moved, papers = reassign_small(prepare(found), membership, 2)
    assert moved.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert papers == 1
    kept, none = reassign_small(prepare(found), membership, 1)
    assert (kept.tolist(), none) == (membership.tolist(), 0)


def test_ties_go_to_the_lowest_id() -> None:
    found = network(5, [(0, 1), (2, 3), (4, 0), (4, 2)])
    moved, _ = reassign_small(prepare(found), np.array([5, 5, 1, 1, 0]), 2)
    assert moved.tolist() == [0, 0, 1, 1, 0]


def test_small_communities_join_through_other_small_communities() -> None:
    """4 is linked to 3 only, 3 to {0, 1}; 5 and 6 only to each other; 2 has no edge."""
    prepared = prepare(network(7, [(0, 1), (0, 3), (3, 4), (5, 6)]))
    assert prepared.nodes.tolist() == [0, 1, -1, 2, 3, 4, 5]
    moved, papers = reassign_small(prepared, np.array([0, 0, 1, 2, 3, 4]), 2)
    assert moved.tolist() == [0, 0, 0, 0, 1, 2]
    assert papers == 2


def test_sizes_count_the_core_only() -> None:
    """{2, 3, 4} has one paper of the core."""
    core = [True, True, True, False, False]
    found = network(5, [(0, 1), (2, 3), (3, 4), (4, 0)], core=core)
    moved, papers = reassign_small(prepare(found), np.array([0, 0, 1, 1, 1]), 2)
    assert moved.tolist() == [0] * 5
    assert papers == 1


def merge_with_sets(found: Network, membership: list[int], least: int) -> list[set[int]]:
    """Reference implementation with sets."""
    groups = {
        label: {k for k, label_of_paper in enumerate(membership) if label_of_paper == label}
        for label in membership
    }
    core = found.in_core
    while True:
        sizes = {label: int(core[sorted(group)].sum()) for label, group in groups.items()}
        goes = {}
        for label, group in groups.items():
            if not 0 < sizes[label] < least:
                continue
            best = [
                (-weight / sizes[other], min(groups[other]), other)
                for other in groups
                if sizes[other] >= least
                for weight in [float(found.weights[sorted(group)][:, sorted(groups[other])].sum())]
                if weight
            ]
            if best:
                goes[label] = min(best)[2]
        if not goes:
            return sorted(groups.values(), key=min)
        for label, other in goes.items():
            groups[other] = groups[other] | groups.pop(label)


@given(networks(10, cores=True), st.data())
def test_merging_equals_that_of_sets(found: Network, data: st.DataObject) -> None:
    found = found.where(found.degrees > 0)
    if not len(found):
        return
    size = len(found)
    drawn = data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    least = data.draw(st.integers(1, 4))
    moved, papers = reassign_small(prepare(found), np.array(drawn), least)
    expected = merge_with_sets(found, drawn, least)
    groups = [set(np.flatnonzero(moved == k).tolist()) for k in range(int(moved.max()) + 1)]
    assert groups == expected
    assert 0 <= papers <= int(found.in_core.sum())
    if least == 1:
        assert papers == 0


@pytest.mark.parametrize("least", [2, 5])
def test_without_large_communities_nothing_changes(least: int) -> None:
    found = network(4, [(0, 1), (2, 3)])
    moved, papers = reassign_small(prepare(found), np.arange(4), least)
    assert (moved.tolist(), papers) == ([0, 1, 2, 3], 0)
