"""Shared edges, compared with sets of pairs and with chance."""

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
    rows, columns, _ = network.upper()
    return {frozenset((ids[a], ids[b])) for a, b in zip(rows, columns, strict=True)}


def select_papers(network: Network, keep: list[bool]) -> Network:
    return network.where(np.array(keep, np.bool_))


@st.composite
def two(draw: st.DrawFn) -> tuple[Network, Network]:
    """Two networks with some papers in common."""
    networks_ = []
    for _ in range(2):
        network = draw(networks())
        keep = [draw(st.booleans()) for _ in range(len(network))]
        networks_.append(select_papers(network, keep))
    return networks_[0], networks_[1]


@settings(max_examples=80)
@given(two())
def test_any_two_networks(given_: tuple[Network, Network]) -> None:
    network, other = given_
    common = set(network.ids.to_pylist()) & set(other.ids.to_pylist())
    first = {pair for pair in pairs(network) if pair <= common}
    second = {pair for pair in pairs(other) if pair <= common}
    overlap = compare_edges(network, other)
    assert overlap == EdgeOverlap(
        len(common),
        len(first),
        len(second),
        len(first & second),
        left_out=len(pairs(network) - first),
        other_left_out=len(pairs(other) - second),
    )
    assert overlap.share == (len(first & second) / len(first) if first else None)
    assert overlap.other_share == (len(first & second) / len(second) if second else None)
    either = len(first | second)
    assert overlap.jaccard == (len(first & second) / either if either else None)


@settings(max_examples=50)
@given(two())
def test_overlap_is_symmetric(given_: tuple[Network, Network]) -> None:
    forward, backward = compare_edges(*given_), compare_edges(*reversed(given_))
    assert (forward.shared, forward.papers, forward.jaccard) == (
        backward.shared,
        backward.papers,
        backward.jaccard,
    )
    assert (forward.share, forward.other_share) == (backward.other_share, backward.share)
    assert forward.expected == pytest.approx(backward.expected)


@given(networks())
def test_overlap_of_a_network_with_itself(network: Network) -> None:
    overlap = compare_edges(network, network)
    assert overlap.shared == overlap.edges == network.edges
    assert overlap.jaccard == (1 if network.edges else None)


def test_expected_overlap_equals_the_published_value() -> None:
    """CIA, Fig. 7b: 446 edges shared with a random network of 515,344,156; E1 p = 481."""
    result = EdgeOverlap(33_230_001, 515_352_109, 515_344_156, 446)
    assert result.expected == pytest.approx(
        515_352_109 * 2 * 515_344_156 / (33_230_001 * 33_230_000)
    )
    assert f"{result.expected:.0f}" == "481"
    assert abs(446 - result.expected) / math.sqrt(result.expected) == pytest.approx(1.6, abs=0.05)
    assert result.times_expected == pytest.approx(446 / 481, rel=1e-3)


def test_overlap_of_random_networks_equals_chance() -> None:
    """Compares the mean over 60 seeds, with the standard error of a sum of rare events."""
    network = scale_free(400, seed=1)
    result = [compare_edges(network, build_random_network(network, seed=s)) for s in range(60)]
    expected = sum(overlap.expected for overlap in result)
    assert abs(sum(overlap.shared for overlap in result) - expected) < 4 * math.sqrt(expected)


def test_chance_refers_to_common_papers() -> None:
    """A chain of four and a chain of three, with three papers in common: p = 2 / 3."""
    network = make(4, [(0, 1), (1, 2), (2, 3)])
    other = select_papers(make(4, [(0, 1), (0, 2), (2, 3)]), [True, True, True, False])
    overlap = compare_edges(network, other)
    assert (overlap.papers, overlap.edges, overlap.other_edges, overlap.shared) == (3, 2, 2, 1)
    assert (overlap.left_out, overlap.other_left_out) == (1, 0)
    assert overlap.expected == 2 * (2 / 3)
    assert overlap.times_expected == 1 / (2 * (2 / 3))


def test_disjoint_and_empty_networks() -> None:
    apart = Network(pa.array(["x", "y"]), make(2, [(0, 1)]).weights)
    for network, other in ((make(2, [(0, 1)]), apart), (make(0, []), make(0, []))):
        overlap = compare_edges(network, other)
        assert (overlap.papers, overlap.edges, overlap.shared, overlap.expected) == (0, 0, 0, 0)
        assert {overlap.share, overlap.other_share, overlap.jaccard, overlap.times_expected} == {
            None
        }
    lone = compare_edges(make(1, []), make(1, []))
    assert (lone.papers, lone.expected, lone.times_expected) == (1, 0, None)


def test_several_networks() -> None:
    named = {"a": make(4, [(0, 1), (1, 2)]), "b": make(4, [(0, 1)]), "c": make(3, [])}
    rows = overlap_table(named).to_pylist()
    assert [(row["network"], row["other"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row in rows:
        overlap = compare_edges(named[row["network"]], named[row["other"]])
        for name, value in row.items():
            assert name in ("network", "other") or value == getattr(overlap, name)
    assert overlap_table({"a": named["a"]}).num_rows == 0
