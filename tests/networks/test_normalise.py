"""Normalised weights compared with their formulas; the strongest edges, with plain loops."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.networks.config import NORMALISATIONS
from citescape.networks.network import Network, build_network
from citescape.networks.normalise import normalise, prune

IDS = pa.array(list("abcdefg"))
Edges = dict[tuple[int, int], float]
EDGES = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] < pair[1]),
    st.integers(1, 9).map(float),
)


def network(edges: Edges) -> Network:
    ends = np.array(list(edges), np.int32).reshape(-1, 2).T
    return build_network(IDS, (ends[0], ends[1]), np.array(list(edges.values())))


def listed(network_: Network) -> Edges:
    return {(int(a), int(b)): float(w) for a, b, w in zip(*network_.upper(), strict=True)}


PATH = {(0, 1): 1.0, (1, 2): 3.0, (2, 3): 2.0}
"""a -1- b -3- c -2- d and three papers alone: strengths 1, 4, 5, 2; N = 7, 2m = 12."""


def test_normalised_weights_by_hand() -> None:
    assert listed(normalise(network(PATH), "fractional")) == pytest.approx(
        {
            (0, 1): 1 * 7 * (1 / 1 + 1 / 4) / 2,
            (1, 2): 3 * 7 * (1 / 4 + 1 / 5) / 2,
            (2, 3): 2 * 7 * (1 / 5 + 1 / 2) / 2,
        }
    )
    assert listed(normalise(network(PATH), "association")) == pytest.approx(
        {(0, 1): 1 * 12 / (1 * 4), (1, 2): 3 * 12 / (4 * 5), (2, 3): 2 * 12 / (5 * 2)}
    )
    assert listed(normalise(network(PATH), "none")) == PATH


@settings(max_examples=100)
@given(EDGES)
def test_normalised_weights_equal_the_formulas(edges: Edges) -> None:
    size = len(IDS)
    strength = [sum(w for pair, w in edges.items() if k in pair) for k in range(size)]
    double = 2 * sum(edges.values())
    formulas = {
        "none": lambda i, j, w: w,
        "fractional": lambda i, j, w: w * size * (1 / strength[i] + 1 / strength[j]) / 2,
        "association": lambda i, j, w: w * double / (strength[i] * strength[j]),
    }
    assert set(formulas) == set(NORMALISATIONS)
    for method, formula in formulas.items():
        given_ = network(edges)
        normalised = normalise(given_, method)
        expected = {(i, j): formula(i, j, w) for (i, j), w in edges.items()}
        assert listed(normalised) == pytest.approx(expected, rel=1e-14)
        assert listed(given_) == edges, "what is given is left as it is"


@settings(max_examples=100)
@given(EDGES)
def test_fractional_weights_sum_to_the_number_of_papers(edges: Edges) -> None:
    """The sum over both directions is N for each paper with links."""
    normalised = normalise(network(edges), "fractional")
    linked = int((normalised.degrees > 0).sum())
    assert float(normalised.weights.sum()) == pytest.approx(linked * len(IDS))


def test_fractional_weights_with_papers_outside_the_core() -> None:
    """a and d link b and c of the core; the edge between them is removed. N = 2."""
    tied = network({(0, 1): 1.0, (0, 2): 1.0, (1, 2): 2.0, (2, 3): 3.0, (0, 3): 5.0})
    core = np.array([False, True, True, False, False, False, False])
    normalised = normalise(Network(tied.ids, tied.weights, core), "fractional")
    assert listed(normalised) == pytest.approx(
        {
            (0, 1): 1 * 2 * (1 / 3) / 2,
            (0, 2): 1 * 2 * (1 / 6) / 2,
            (1, 2): 2 * 2 * (1 / 3 + 1 / 6) / 2,
            (2, 3): 3 * 2 * (1 / 6) / 2,
        }
    )
    assert normalised.core is core


def test_edges_outside_the_core_are_removed() -> None:
    """a is the core, b and c are linked to it: N = 1, s_a = 2; the given network keeps b - c."""
    ends = (np.array([0, 0, 1]), np.array([1, 2, 2]))
    given_ = build_network(IDS, ends, np.array([1.0, 1.0, 5.0]), core=np.arange(7) == 0)
    normalised = normalise(given_, "fractional")
    assert listed(normalised) == {(0, 1): 1 * 1 * (1 / 2) / 2, (0, 2): 1 * 1 * (1 / 2) / 2}
    assert listed(given_) == {(0, 1): 1, (0, 2): 1, (1, 2): 5}, "what is given is left as it is"


def test_empty_networks_are_normalised() -> None:
    empty = network({})
    for method in NORMALISATIONS:
        assert normalise(empty, method).edges == 0


def test_an_unknown_normalisation_is_refused() -> None:
    with pytest.raises(ConfigError, match="expected one of: association, fractional, none"):
        normalise(network(PATH), "cosine")


@settings(max_examples=100)
@given(EDGES, st.integers(0, 4))
def test_an_edge_stays_if_it_is_among_the_strongest_of_either_end(edges: Edges, top: int) -> None:
    kept = set()
    for k in range(len(IDS)):
        own = [(-w, *(set(pair) - {k}), pair) for pair, w in edges.items() if k in pair]
        kept |= {pair for _, _, pair in sorted(own)[: top or None]}
    given_ = network(edges)
    pruned = prune(given_, top)
    assert listed(pruned) == {pair: w for pair, w in edges.items() if pair in kept}
    assert listed(given_) == edges, "what is given is left as it is"
    assert listed(prune(pruned, top)) == listed(pruned)


def test_equal_edges_are_kept_by_lower_id() -> None:
    star = {(0, k): 1.0 for k in range(1, 4)} | {(k, k + 3): 2.0 for k in range(1, 4)}
    assert listed(prune(network(star), 1)) == {
        (0, 1): 1.0, (1, 4): 2.0, (2, 5): 2.0, (3, 6): 2.0,
    }  # fmt: skip


def test_many_equal_edges_are_kept_by_lower_id() -> None:
    """60 papers linked to the first with weight 1, and in pairs with weight 2."""
    ids = pa.array([f"p{k:02d}" for k in range(61)])
    leaves = np.arange(1, 61)
    ends = (np.append(np.zeros(60, int), leaves[::2]), np.append(leaves, leaves[1::2]))
    star = build_network(ids, ends, np.append(np.ones(60), np.full(30, 2.0)))
    kept = prune(star, 1)
    assert kept.weights[[0]].indices.tolist() == [1]
    assert kept.edges == 1 + 30


def test_the_core_is_kept() -> None:
    core = np.arange(7) < 3
    ends = (np.array([0, 1, 2]), np.array([1, 2, 3]))
    given_ = build_network(IDS, ends, np.ones(3), core=core)
    for result in (prune(given_, 1), normalise(given_, "fractional")):
        assert result.in_core.tolist() == core.tolist()


def test_a_negative_top_is_refused() -> None:
    with pytest.raises(ConfigError, match="top is -1; expected 0 for all edges, or more"):
        prune(network(PATH), -1)
