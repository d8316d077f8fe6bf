"""Warnings about levels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from citescape.mapping.communities.clustering import order_labels
from citescape.mapping.communities.levels import Level
from citescape.mapping.communities.search import Goal
from citescape.mapping.communities.tables import list_warnings
from tests.mapping.communities.small_networks import names, network


@pytest.mark.parametrize(
    ("finer", "same"), [([0, 0, 0, 0, 1, 1], False), ([1, 1, 1, 0, 0, 0], True)]
)
def test_equal_numbers_of_communities_may_differ(finer: list[int], same: bool) -> None:
    """{012}{345} equals {345}{012}, but not {0123}{45}."""
    levels = [
        Level(name, resolution, order_labels(names(6), np.array(labels)), 0.5)
        for name, resolution, labels in (("0.1", 0.1, [0, 0, 0, 1, 1, 1]), ("0.2", 0.2, finer))
    ]
    ring = network(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)])
    warning = list_warnings(ring, levels, 1.0)
    assert warning == (["0.1 and 0.2 have the same communities"] if same else [])


def test_only_requested_sizes_are_reported_as_missed() -> None:
    """Default sizes of levels follow from the number of papers and are no goals."""
    goal = Goal("communities", 1)
    pairs = network(4, [(0, 1), (2, 3)])
    level = Level("x", 0.1, order_labels(names(4), np.array([0, 0, 1, 1])), 0.5, goal)
    warning = "x: 2 communities found, 1 requested; the network has 2 components"
    assert list_warnings(pairs, [level], 1.0) == [warning]
    assert list_warnings(pairs, [level], 1.0, warn_missed=False) == []
    apart = replace(level, clustering=order_labels(names(4), np.array([0, 1, 2, 2])))
    assert list_warnings(pairs, [apart], 1.0) == ["x: 3 communities found, 1 requested"]
