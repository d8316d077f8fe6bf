"""Direct and extended direct citations, by hand and compared with plain loops."""

from __future__ import annotations

from itertools import combinations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.networks.direct import link_directly, link_extended
from tests.networks.conftest import CITES, CORE, OUTSIDE, Edges, listed, make_citations

IDS = pa.array(list(CORE))
PAIRS = st.dictionaries(
    st.tuples(st.sampled_from(CORE + OUTSIDE), st.sampled_from(CORE + OUTSIDE))
    .filter(lambda ends: ends[0] != ends[1])
    .map("".join),
    st.integers(0, 3).map(float),
    max_size=25,
)
"""Citing and cited paper -> weight."""
CITED_ONCE = dict.fromkeys(CITES, 1.0)


def test_direct_citations_by_hand() -> None:
    """a and b cite each other: one edge; citations out of the core give none; e, f are isolated."""
    network = link_directly(make_citations(CITED_ONCE), IDS).network
    assert listed(network) == {"ab": 2, "ac": 1, "ad": 1, "bd": 1}
    assert network.ids.to_pylist() == list(CORE)
    assert network.core is None
    once = link_directly(make_citations(CITED_ONCE), IDS, weighted=False)
    assert listed(once.network) == dict.fromkeys(("ab", "ac", "ad", "bd"), 1)
    assert once.counts == {"citations": 5, "without_weight": 0}


def test_weights_of_both_directions_are_added_and_zeros_are_no_edges() -> None:
    weighed = {pair: weights[0] for pair, weights in CITES.items()}
    linked = link_directly(make_citations(weighed), IDS)
    assert linked.counts == {"citations": 4, "without_weight": 1}
    assert listed(linked.network) == {"ab": 0.5 + 0.25, "ad": 1.0, "bd": 0.75}


def test_extended_citations_by_hand() -> None:
    """u is linked to a, b, c; v to c, d; z to a, d. w, x have one link; z-u is outside the core."""
    network = link_extended(make_citations(CITED_ONCE), IDS)
    assert network.ids.to_pylist() == [*CORE, "u", "v", "z"]
    assert network.in_core.tolist() == [True] * 6 + [False] * 3
    inside, across = ("ab", "ac", "ad", "bd"), ("au", "bu", "cu", "cv", "dv", "az", "dz")
    assert listed(network) == dict.fromkeys([*inside, *across], 1)


def test_papers_outside_the_core_need_min_links() -> None:
    three = link_extended(make_citations(CITED_ONCE), IDS, min_links=3)
    assert three.ids.to_pylist() == [*CORE, "u"]
    four = link_extended(make_citations(CITED_ONCE), IDS, min_links=4)
    assert listed(four) == dict.fromkeys(["ab", "ac", "ad", "bd"], 1)


def test_mutual_citations_are_one_link() -> None:
    """u cites a and a cites u: u is linked to only one paper of the core."""
    linked = link_extended(make_citations({"au": 1.0, "ua": 1.0, "bv": 1.0, "va": 1.0}), IDS)
    assert listed(linked) == {"av": 1, "bv": 1}


@settings(max_examples=80)
@given(PAIRS)
def test_direct_citations_equal_plain_loops(pairs: Edges) -> None:
    expected = {}
    for first, second in combinations(CORE, 2):
        weight = pairs.get(first + second, 0) + pairs.get(second + first, 0)
        expected |= {first + second: weight} if weight else {}
    assert listed(link_directly(make_citations(pairs), IDS).network) == expected


@settings(max_examples=80)
@given(PAIRS, st.integers(2, 3))
def test_extended_citations_equal_plain_loops(pairs: Edges, min_links: int) -> None:
    def tied(first: str, second: str) -> bool:
        return first + second in pairs or second + first in pairs

    ties = [x for x in OUTSIDE if sum(tied(x, own) for own in CORE) >= min_links]
    network = link_extended(make_citations(pairs), IDS, min_links=min_links)
    assert network.ids.to_pylist() == sorted([*CORE, *ties])
    known = sorted([*CORE, *ties])
    expected = {
        left + right
        for left, right in combinations(known, 2)
        if tied(left, right) and (left in CORE or right in CORE)
    }
    assert listed(network) == dict.fromkeys(sorted(expected), 1.0)
    direct = link_directly(make_citations(dict.fromkeys(pairs, 1.0)), IDS).network
    assert set(listed(network.where(network.in_core))) == set(listed(direct))


def test_a_core_without_citations() -> None:
    citations = make_citations({"uv": 1.0})
    for ids in (IDS, pa.array(["q"])):
        for network in (link_directly(citations, ids).network, link_extended(citations, ids)):
            assert (network.ids.to_pylist(), network.edges) == (ids.to_pylist(), 0)
