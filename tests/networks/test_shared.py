"""Coupling and co-citation, by hand, compared with sets and with the full product."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.networks.network import Network
from citescape.networks.normalise import prune
from citescape.networks.shared import link_shared
from tests.networks.conftest import CITES, CORE, OUTSIDE, Edges, listed, make_citations

IDS = pa.array(list(CORE))
PAIRS = st.sets(
    st.tuples(st.sampled_from(CORE + OUTSIDE), st.sampled_from(CORE + OUTSIDE))
    .filter(lambda ends: ends[0] != ends[1])
    .map("".join),
    max_size=40,
)


def link(pairs: set[str], *, cocited: bool = False, top: int = 0) -> Network:
    citations = make_citations(dict.fromkeys(sorted(pairs), 1.0))
    return link_shared(citations, IDS, cocited=cocited, top=top).network


def test_coupling_by_hand() -> None:
    """a {b u}, b {a u}, c {a u v}, d {a b v w}, e {x}: works of the core count like others."""
    assert listed(link(set(CITES))) == {"ab": 1, "ac": 1, "ad": 1, "bc": 2, "bd": 1, "cd": 2}


def test_cocitation_by_hand() -> None:
    """d cites a and b; z, outside the core, cites a and d. u is not a paper of the core."""
    assert listed(link(set(CITES), cocited=True)) == {"ab": 1, "ad": 1}


def test_the_strongest_edges_by_hand() -> None:
    """a has weight 1 to b, c, d and keeps b; b and c keep each other, d keeps c."""
    assert listed(link(set(CITES), top=1)) == {"ab": 1, "bc": 2, "cd": 2}


@settings(max_examples=60)
@given(PAIRS, st.booleans(), st.integers(0, 3))
def test_shared_works_equal_plain_sets(pairs: set[str], cocited: bool, top: int) -> None:
    def works(paper: str) -> set[str]:
        if cocited:
            return {citing for citing, cited in pairs if cited == paper}
        return {cited for citing, cited in pairs if citing == paper}

    shared = {
        first + second: len(works(first) & works(second)) for first, second in combinations(CORE, 2)
    }
    expected: Edges = {pair: count for pair, count in shared.items() if count}
    whole = link(pairs, cocited=cocited)
    assert listed(whole) == expected
    citations = make_citations(dict.fromkeys(sorted(pairs), 1.0))
    network = link_shared(citations, IDS, cocited=cocited, top=top)
    assert listed(network.network) == listed(prune(whole, top))
    if top:
        assert network.strengths is not None
        assert network.strengths.tolist() == whole.strengths.tolist()


@settings(max_examples=60)
@given(PAIRS)
def test_coupling_and_cocitation_equal_matrix_products(pairs: set[str]) -> None:
    names = sorted(CORE + OUTSIDE)
    matrix = np.array([[a + b in pairs for b in names] for a in names], np.int64)
    inside = [names.index(name) for name in CORE]
    for cocited, product in ((False, matrix @ matrix.T), (True, matrix.T @ matrix)):
        np.fill_diagonal(product, 0)
        linked = link(pairs, cocited=cocited).weights.toarray()
        assert (linked == product[np.ix_(inside, inside)]).all()


def test_papers_without_shared_works_are_isolated() -> None:
    for cocited in (False, True):
        network = link({"uv"}, cocited=cocited, top=2)
        assert (network.ids.to_pylist(), network.edges) == (list(CORE), 0)
