"""Collisions: by hand on a line of points, and compared with sets of pairs in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.sampling.collisions import Collisions, count_collisions
from citescape.search.vectors import Vectors
from tests.sampling.conftest import name
from tests.sampling.test_neighbourhood import cloud, nearest, vectors

BANDS = st.tuples(st.integers(3, 15), st.integers(3, 19))


def line(*degrees: float) -> Vectors:
    """Points on an arc: a smaller angle means a larger cosine."""
    angles = np.radians(degrees)
    return vectors(np.stack([np.cos(angles), np.sin(angles)], axis=1))


def test_collisions_of_five_points_by_hand() -> None:
    """Neighbours, nearest first, are 1234 of 0, 0234 of 1, 1304 of 2, 2410 of 3, 3210 of 4."""
    given, every = line(0, 10, 25, 45, 70), np.ones(5, np.bool_)
    bands = [(1, 2), (1, 3), (1, 4)]
    found = count_collisions(given, every, bands, positives=1, hard=1)
    # rank 1: 01 10 21 32 43; rank 2: 02 12 23 34 42, of which 12, 23 and 34 are above
    assert found[0] == Collisions(near=1, far=2, pairs=4, collisions=3, within=0)
    assert found[0].share == 3 / 4
    # rank 3: 03 13 20 31 41; rank 4: 04 14 24 30 40
    assert [(row.collisions, row.within) for row in found[1:]] == [(0, 0), (0, 0)]


def test_reversed_roles_collide_only_across_queries() -> None:
    """2 is the nearest of 3, but 3 is the second of 2: a pair that is both close and far."""
    given = line(0, 10, 25, 45, 70)
    only = [np.isin(np.arange(5), queries) for queries in ([2], [3], [2, 3])]
    found = [count_collisions(given, mask, [(1, 2)], positives=1, hard=1)[0] for mask in only]
    assert [row.collisions for row in found] == [0, 0, 1]
    assert [row.within for row in found] == [0, 0, 0]


def test_overlapping_bands_collide_within_a_query() -> None:
    found = count_collisions(
        line(0, 10, 25, 45, 70), np.ones(5, np.bool_), [(2, 2)], positives=2, hard=1
    )
    assert found == [Collisions(near=2, far=2, pairs=6, collisions=5, within=5)]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.lists(BANDS, min_size=1, max_size=4), st.integers(1, 3))
def test_counts_equal_those_of_sets(seed: int, bands: list[tuple[int, int]], hard: int) -> None:
    given, positives = cloud(20, seed, 4), 3
    queries = np.random.default_rng(seed).random(20) < 0.7
    queries[0] = True
    found = count_collisions(given, queries, bands, positives=positives, hard=hard, threads=1)
    ranked = {q: [id_ for id_, _ in nearest(given, q)] for q in np.flatnonzero(queries).tolist()}
    for (near, far), row in zip(bands, found, strict=True):
        close = {(name(q), p) for q, ids in ranked.items() for p in ids[near - positives : near]}
        away = {(name(q), p) for q, ids in ranked.items() for p in ids[far - hard : far]}
        pairs, clash = ({frozenset(pair) for pair in some} for some in (close, away))
        expected = Collisions(near, far, len(pairs), len(pairs & clash), len(close & away))
        assert row == expected
        if far - hard >= near:
            assert row.within == 0


def test_distant_bands_have_fewer_collisions() -> None:
    """As in Fig. 4 of SciNCL: collisions decrease with the distance of bands."""
    given = cloud(300, 1, 3)
    bands = [(25, far) for far in (27, 54, 108, 216, 299)]
    shares = [row.share for row in count_collisions(given, np.ones(300, np.bool_), bands)]
    assert shares[0] > 0.1
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == 0


def test_invalid_bands_are_refused() -> None:
    every = np.ones(30, np.bool_)
    for near, far in ((4, 20), (25, 1), (25, 30)):
        with pytest.raises(ConfigError, match=r"bands reach from .* the 30 papers"):
            count_collisions(cloud(30), every, [(near, far)])
    with pytest.raises(ConfigError, match="no paper is a query"):
        count_collisions(cloud(30), ~every, [(5, 20)])
    assert Collisions(5, 20, 0, 0, 0).share == 0
