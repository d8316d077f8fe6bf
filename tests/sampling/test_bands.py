"""Bands of neighbours: ranks, invalid settings and scaling."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.sampling.config import (
    PUBLISHED_FAR,
    PUBLISHED_PAPERS,
    NeighbourhoodConfig,
)


def test_numbers_equal_the_published_numbers() -> None:
    """136,820 queries with five triplets give the 684,100 triplets of SciNCL; FLeW has ten."""
    config = NeighbourhoodConfig()
    assert (config.per_anchor, config.hard, config.near) == (5, 2, 25)
    assert 136_820 * config.per_anchor == 684_100
    assert 216_000 * 10 == 2_160_000
    assert config.scaled(PUBLISHED_PAPERS).far == PUBLISHED_FAR == 4000


@pytest.mark.parametrize(
    ("papers", "far"),
    [
        (680_967, round(4000 * 680_967 / 248_007)),
        (100_000, round(4000 * 100_000 / 248_007)),
        (10_000, round(4000 * 10_000 / 248_007)),
        (2_000, 25 + 2 * 5 + 2),  # round(4000 * 2000 / 248007) = 32 would be one band away
        (38, 25 + 2 * 5 + 2),
    ],
)
def test_k_is_scaled_to_the_corpus_with_a_gap_of_two_bands(papers: int, far: int) -> None:
    assert NeighbourhoodConfig().scaled(papers).far == far


@given(
    st.integers(1, 12),
    st.integers(0, 12),
    st.integers(0, 40),
    st.integers(0, 30),
    st.integers(30, 400_000),
)
def test_bands_never_overlap(triplets: int, hard: int, more: int, wider: int, papers: int) -> None:
    """The gap is at least two bands of positives wide; an explicit k is not changed."""
    width = triplets + wider if wider else 0
    near = max(triplets, width) + more
    config = NeighbourhoodConfig(triplets, min(hard, triplets), near, width=width)
    try:
        far = config.scaled(papers).far
    except ConfigError:
        assert near + 2 * config.band + config.hard_band >= papers
        return
    assert far is not None
    assert far - config.hard_band >= near + 2 * config.band
    assert far < papers
    assert config.scaled(papers).scaled(papers + 1).far == far


def test_a_k_larger_than_the_corpus_is_refused() -> None:
    explicit = NeighbourhoodConfig(far=4000)
    assert explicit.scaled(4001) == explicit
    with pytest.raises(ConfigError, match=r"far is 4000, but only 4,000 papers .* at most 3999"):
        explicit.scaled(4000)
    with pytest.raises(ConfigError, match=r"near is 25, .*far 37, but only 37 papers"):
        NeighbourhoodConfig().scaled(37)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"near": 25, "far": 26}, "near is 25 and far 26: the bands overlap; expected far of 27"),
        ({"near": 25, "far": 20}, "the bands overlap"),
        ({"near": 25, "far": 0}, "far is 0; expected"),
        ({"near": 25, "far": 44, "width": 20}, "expected far of 45 or more"),
        ({"near": 4}, "near is 4 and width 0; expected a band of at least 5 ranks"),
        ({"near": 9, "width": 10}, "near is 9 and width 10"),
        ({"width": 4}, "near is 25 and width 4"),
        ({"width": -1}, "width is -1; expected"),
        ({"per_anchor": 0, "hard": 0}, "per_anchor is 0; expected"),
        ({"hard": 6}, "5 triplets .* 6 hard .*; expected H of 0 to K"),
        ({"hard": -1}, "hard is -1; expected"),
        ({"clusters": 1}, "clusters is 1"),
        ({"cluster_distance": 1.5}, r"cluster_distance is 1\.5; expected"),
        ({"sample": 0}, "sample is 0; expected"),
        ({"positives": "rank"}, "positives is 'rank'; expected one of: band, sorted, threshold"),
        ({"negatives": "rank"}, "negatives is 'rank'; expected one of: band, threshold"),
        ({"easy": "hard"}, "easy is 'hard'; expected one of: clusters, filtered, random, sorted"),
        ({"contradictions": "count"}, "contradictions is 'count'; expected one of: drop, keep"),
    ],
)
def test_invalid_settings_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        NeighbourhoodConfig(**given)


def test_bands_may_be_adjacent() -> None:
    assert NeighbourhoodConfig(near=25, far=27).scaled(28).far == 27
    assert NeighbourhoodConfig(near=25, far=45, width=20).hard_band == 20
