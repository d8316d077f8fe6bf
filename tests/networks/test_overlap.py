"""Shared edges, against sets of pairs, and what chance would give."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.networks.network import Network
from citescape.networks.overlap import EdgeOverlap, compare_edges, overlap_table
from citescape.networks.random_network import build_random_network
from tests.networks.graphs import make, networks, scale_free

Pairs = set[frozenset[str]]


def pairs(network: Network) -> Pairs:
    ids = network.ids.to_pylist()
    one, other, _ = network.upper()
    return {frozenset((ids[a], ids[b])) for a, b in zip(one, other, strict=True)}


def some_of(network: Network, keep: list[bool]) -> Network:
    return network.where(np.array(keep, np.bool_))


@st.composite
def two(draw: st.DrawFn) -> tuple[Network, Network]:
    """Networks of papers some of which both have."""
    made = []
    for _ in range(2):
        network = draw(networks())
        keep = [draw(st.booleans()) for _ in range(len(network))]
        made.append(some_of(network, keep))
    return made[0], made[1]


@settings(max_examples=80)
@given(two())
def test_any_two_networks(given_: tuple[Network, Network]) -> None:
    one, other = given_
    common = set(one.ids.to_pylist()) & set(other.ids.to_pylist())
    first = {pair for pair in pairs(one) if pair <= common}
    second = {pair for pair in pairs(other) if pair <= common}
    found = compare_edges(one, other)
    assert found == EdgeOverlap(
        len(common),
        len(first),
        len(second),
        len(first & second),
        left_out=len(pairs(one) - first),
        other_left_out=len(pairs(other) - second),
    )
    assert found.share == (len(first & second) / len(first) if first else None)
    assert found.other_share == (len(first & second) / len(second) if second else None)
    either = len(first | second)
    assert found.jaccard == (len(first & second) / either if either else None)


@settings(max_examples=50)
@given(two())
def test_exchanged_they_share_the_same(given_: tuple[Network, Network]) -> None:
    there, back = compare_edges(*given_), compare_edges(*reversed(given_))
    assert (there.shared, there.papers, there.jaccard) == (back.shared, back.papers, back.jaccard)
    assert (there.share, there.other_share) == (back.other_share, back.share)
    assert there.expected == pytest.approx(back.expected)


@given(networks())
def test_with_itself(network: Network) -> None:
    found = compare_edges(network, network)
    assert found.shared == found.edges == network.edges
    assert found.jaccard == (1 if network.edges else None)


def test_published_expectation() -> None:
    """CIA, Fig. 7b: 446 edges shared with a random network of 515,344,156; E1 p = 481."""
    found = EdgeOverlap(33_230_001, 515_352_109, 515_344_156, 446)
    assert found.expected == pytest.approx(
        515_352_109 * 2 * 515_344_156 / (33_230_001 * 33_230_000)
    )
    assert f"{found.expected:.0f}" == "481"
    assert abs(446 - found.expected) / math.sqrt(found.expected) == pytest.approx(1.6, abs=0.05)
    assert found.times_expected == pytest.approx(446 / 481, rel=1e-3)


def test_random_networks_share_what_chance_gives() -> None:
    """The mean over 60 seeds, with the standard error of a sum of rare events."""
    network = scale_free(400, seed=1)
    found = [compare_edges(network, build_random_network(network, seed=s)) for s in range(60)]
    expected = sum(one.expected for one in found)
    assert abs(sum(one.shared for one in found) - expected) < 4 * math.sqrt(expected)


def test_chance_is_of_the_papers_that_both_have() -> None:
    """Of a chain of four and one of three, with three papers in common: p = 2 / 3."""
    one = make(4, [(0, 1), (1, 2), (2, 3)])
    other = some_of(make(4, [(0, 1), (0, 2), (2, 3)]), [True, True, True, False])
    found = compare_edges(one, other)
    assert (found.papers, found.edges, found.other_edges, found.shared) == (3, 2, 2, 1)
    assert (found.left_out, found.other_left_out) == (1, 0)
    assert found.expected == 2 * (2 / 3)
    assert found.times_expected == 1 / (2 * (2 / 3))


def test_nothing_in_common_or_nothing_at_all() -> None:
    apart = Network(pa.array(["x", "y"]), make(2, [(0, 1)]).weights)
    for one, other in ((make(2, [(0, 1)]), apart), (make(0, []), make(0, []))):
        found = compare_edges(one, other)
        assert (found.papers, found.edges, found.shared, found.expected) == (0, 0, 0, 0)
        assert {found.share, found.other_share, found.jaccard, found.times_expected} == {None}
    lone = compare_edges(make(1, []), make(1, []))
    assert (lone.papers, lone.expected, lone.times_expected) == (1, 0, None)


def test_several_networks() -> None:
    made = {"a": make(4, [(0, 1), (1, 2)]), "b": make(4, [(0, 1)]), "c": make(3, [])}
    rows = overlap_table(made).to_pylist()
    assert [(row["network"], row["other"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row in rows:
        found = compare_edges(made[row["network"]], made[row["other"]])
        for name, value in row.items():
            assert name in ("network", "other") or value == getattr(found, name)
    assert overlap_table({"a": made["a"]}).num_rows == 0
