"""Neighbourhood triplets, compared with a plain implementation that sorts all cosines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.sampling.config import EASY, NeighbourhoodConfig, SamplingConfig
from citescape.sampling.neighbourhood import (
    pick_above,
    pick_columns,
    pick_hard,
    pick_near,
    sample_neighbourhood,
)
from citescape.search.exact import NeighbourBlock
from tests.sampling.clouds import by_anchor, cloud, is_hard, nearest, small_numbers, vectors
from tests.sampling.conftest import name, rows

ALL = SamplingConfig(validation=0)


def test_the_example_of_bands_in_scincl() -> None:
    """c' = 3 and k = 10 give n8, n9, n10 (SciNCL, 3.4)."""
    block = NeighbourBlock(0, np.arange(100, 120, dtype=np.int32)[None], np.ones((1, 20)))
    config = NeighbourhoodConfig(per_anchor=3, hard=1, near=10, far=15)
    papers, ranks = pick_near(block, np.array([0]), config, seed=0)
    assert ranks.tolist() == [[8, 9, 10]]
    assert papers.tolist() == [[100 + 7, 100 + 8, 100 + 9]]


def test_ranks_equal_the_published_ranks() -> None:
    """Positives 21 to 25, hard negatives 3,999 and 4,000."""
    config = NeighbourhoodConfig().scaled(248_007)
    block = NeighbourBlock(0, np.arange(4000, dtype=np.int32)[None], np.ones((1, 4000)))
    assert pick_near(block, np.array([7]), config, seed=0)[1].tolist() == [[21, 22, 23, 24, 25]]
    assert pick_hard(block, np.array([7]), config, seed=0)[1].tolist() == [[3999, 4000]]


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(24, 60),
    st.integers(1, 4),
    st.integers(0, 4),
    st.integers(0, 3),
)
def test_bands_equal_those_of_a_plain_ranking(
    seed: int, papers: int, triplets: int, hard: int, more: int
) -> None:
    hard = min(hard, triplets)
    config = NeighbourhoodConfig(triplets, hard, triplets + more).scaled(papers)
    given = small_numbers(seed, papers)
    found = by_anchor(sample_neighbourhood(given, config, sampling=ALL))
    assert config.far is not None
    assert list(found) == [name(k) for k in range(papers)]
    for query in range(papers):
        ranked, sampled = nearest(given, query), found[name(query)]
        near = ranked[config.near - triplets : config.near]
        far = ranked[config.far - hard : config.far]
        assert [row.positive for row in sampled] == [id_ for id_, _ in near]
        ranks = range(config.near - triplets + 1, config.near + 1)
        assert [row.positive_rank for row in sampled] == list(ranks)
        assert [is_hard(row) for row in sampled] == [False] * (triplets - hard) + [True] * hard
        negatives = [row for row in sampled if is_hard(row)]
        assert [row.negative for row in negatives] == [id_ for id_, _ in far]
        assert [row.negative_rank for row in negatives] == list(
            range(config.far - hard + 1, config.far + 1)
        )
        scores = [(row.positive_score, row.negative_score) for row in sampled]
        assert [a for a, _ in scores] == pytest.approx([s for _, s in near], abs=1e-5)
        assert [b for _, b in scores if b is not None] == pytest.approx(
            [s for _, s in far], abs=1e-5
        )
        easy = [row.negative for row in sampled if not is_hard(row)]
        assert len(set(easy)) == len(easy)
        assert not {name(query), *(id_ for id_, _ in ranked[: config.far])} & set(easy)


def test_the_example_of_thresholds_in_scincl() -> None:
    """S = (.9, .8, .7, .1), t = .5 and c = 2 give .8 and .7: closest to t from above."""
    block = NeighbourBlock(
        0, np.array([[4, 3, 2, 1]], np.int32), np.array([[0.9, 0.8, 0.7, 0.1]], np.float32)
    )
    papers, ranks = pick_above(block, 2, 0.5)
    assert papers.tolist() == [[3, 2]]
    assert ranks.tolist() == [[2, 3]]
    assert pick_above(block, 5, 0.5)[0].tolist() == [[-1, -1, 4, 3, 2]]
    assert pick_above(block, 1, 0.95)[0].tolist() == [[-1]]
    assert pick_above(block, 1, 0.0)[0].tolist() == [[1]]


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 1000),
    st.sampled_from([-0.9, 0.1, 0.5, 0.85]),
    st.sampled_from([-0.9, 0.1, 0.5, 0.85]),
)
def test_thresholds_equal_those_of_a_plain_choice(seed: int, near: float, far: float) -> None:
    """Hard negatives are farther than all positives of their query, or left out."""
    given, count, hard = cloud(45, seed), 4, 2
    config = NeighbourhoodConfig(
        *(count, hard, 10, 30),
        positives="threshold",
        negatives="threshold",
        near_threshold=near,
        far_threshold=far,
    )
    sampled = sample_neighbourhood(given, config, sampling=ALL)
    expected: list[tuple[str, str, str | None]] = []
    left_out = [0, 0]
    for query in range(45):
        ranked = nearest(given, query)[:30]
        positives = [id_ for id_, score in ranked if score > near][-count:]
        negatives = [id_ for id_, score in ranked if score > far][-hard:]
        places = {id_: k for k, (id_, _) in enumerate(ranked)}
        last = max((places[id_] for id_ in positives), default=-1)
        wanted = [None] * (count - len(positives)) + positives
        against = [None] * (hard - len(negatives)) + [
            id_ if places[id_] > last else None for id_ in negatives
        ]
        left_out[0] += count - len(positives)
        left_out[1] += against.count(None)
        for positive, negative in zip(wanted, ["easy", "easy", *against], strict=True):
            if positive and negative:
                expected.append((name(query), positive, negative))
    found = [
        (row.anchor, row.positive, row.negative if is_hard(row) else "easy")
        for row in rows(sampled.triplets)
    ]
    assert found == expected
    assert [sampled.counts[f"no_{kind}_above"] for kind in ("positive", "negative")] == left_out
    beyond = sum(nearest(given, query)[29][1] > far for query in range(45))
    assert sampled.counts["threshold_beyond_reach"] == beyond


@given(st.integers(0, 2**40), st.integers(0, 30), st.integers(1, 8), st.integers(0, 8))
def test_sampled_columns_are_distinct_sorted_and_inside_the_band(
    seed: int, low: int, count: int, more: int
) -> None:
    high = low + count + more
    queries = np.arange(20)
    found = pick_columns(queries, (low, high), count, (seed, 0))
    assert found.shape == (20, count)
    assert found.min() >= low
    assert found.max() < high
    assert (np.diff(found, axis=1) > 0).all()
    if not more:
        assert found.tolist() == [list(range(low, high))] * 20
    assert (pick_columns(queries[::-1].copy(), (low, high), count, (seed, 0))[::-1] == found).all()


def test_wide_bands_are_sampled_uniformly() -> None:
    """Band (1000; 2000] of appendix F.6: each rank is sampled equally often."""
    found = pick_columns(np.arange(4000), (10, 20), 5, (0, 0))
    shares = np.bincount(found.ravel(), minlength=20)[10:] / 4000
    assert shares == pytest.approx(0.5, abs=4 * math.sqrt(0.25 / 4000))


def test_wide_bands_have_the_right_ranks() -> None:
    config = NeighbourhoodConfig(3, 2, near=12, far=40, width=10)
    sampled = sample_neighbourhood(cloud(60), config, sampling=ALL)
    again = sample_neighbourhood(cloud(60), config, sampling=ALL)
    other = sample_neighbourhood(cloud(60), config, sampling=SamplingConfig(seed=1, validation=0))
    assert rows(sampled.triplets) == rows(again.triplets) != rows(other.triplets)
    positives, negatives = set(), set()
    for found in by_anchor(sampled).values():
        ranks = [row.positive_rank or 0 for row in found]
        assert ranks == sorted(set(ranks))
        positives |= set(ranks)
        negatives |= {row.negative_rank for row in found if row.negative_rank}
    assert positives == set(range(3, 13))
    assert negatives == set(range(31, 41))


def test_a_paper_with_copies_is_not_its_own_neighbour() -> None:
    """Copies share its vector and rank first: the paper itself is identified by id."""
    given = vectors(np.repeat(np.random.default_rng(2).normal(size=(12, 4)), 4, axis=0))
    config = NeighbourhoodConfig(3, 1, near=3, far=10)
    for anchor, found in by_anchor(sample_neighbourhood(given, config, sampling=ALL)).items():
        number = int(anchor[1:])
        group = [name(k) for k in range(number // 4 * 4, number // 4 * 4 + 4) if k != number]
        assert [row.positive for row in found] == group
        assert anchor not in {row.negative for row in found}


@pytest.mark.parametrize("easy", EASY)
def test_threads_blocks_and_other_queries_do_not_matter(
    easy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = cloud(80)
    config = NeighbourhoodConfig(4, 2, near=12, far=40, width=8, easy=easy, clusters=5)
    whole = rows(sample_neighbourhood(given, config, sampling=ALL, threads=1).triplets)
    assert rows(sample_neighbourhood(given, config, sampling=ALL, threads=3).triplets) == whole
    some = np.arange(80) % 3 == 1
    part = rows(sample_neighbourhood(given, config, queries=some, sampling=ALL).triplets)
    assert part == [row for row in whole if int(row.anchor[1:]) % 3 == 1]
    monkeypatch.setattr("citescape.sampling.neighbourhood.iter_neighbours", tiny_blocks)
    assert rows(sample_neighbourhood(given, config, sampling=ALL).triplets) == whole


def tiny_blocks(*given: Any, **named: Any) -> Any:
    from citescape.search.neighbours import iter_neighbours

    blocks = list(iter_neighbours(*given, **named, block_bytes=1))
    assert len(blocks) > 1
    return iter(blocks)


def test_size_share_and_split() -> None:
    given, config = cloud(60), NeighbourhoodConfig(far=45)
    whole = sample_neighbourhood(given, config).triplets
    assert (len(whole), whole.anchors) == (60 * 5, 60)
    assert abs(len(np.unique(whole.anchor[whole.validation])) / 60 - 0.2) < 0.15
    assert not set(whole.anchor[whole.validation]) & set(whole.anchor[~whole.validation])
    half = sample_neighbourhood(given, config, sampling=SamplingConfig(share=0.5, validation=0))
    assert half.triplets.anchors == 30
    cut = sample_neighbourhood(
        given, config, sampling=SamplingConfig(triplets=13, validation=0)
    ).triplets
    assert (len(cut), cut.anchors) == (13, 3)
    assert set(rows(cut)) <= set(rows(sample_neighbourhood(given, config, sampling=ALL).triplets))


def test_contradictions_are_counted_and_dropped_if_set() -> None:
    """On a line, p and q are near for one paper and far for the other."""
    given, config = cloud(40), NeighbourhoodConfig(3, 2, near=6, far=12)
    sampled = sample_neighbourhood(given, config, sampling=ALL)
    found = rows(sampled.triplets)
    close = {frozenset(row.pair) for row in found}
    far = {frozenset((row.anchor, row.negative)) for row in found}
    clash = close & far
    bad = [
        row for row in found if {frozenset(row.pair), frozenset((row.anchor, row.negative))} & clash
    ]
    assert sampled.counts["contradictory"] == len(bad) > 0
    assert sampled.counts["contradictory_dropped"] == 0
    dropping = NeighbourhoodConfig(3, 2, near=6, far=12, contradictions="drop")
    clean = sample_neighbourhood(given, dropping, sampling=ALL)
    assert rows(clean.triplets) == [row for row in found if row not in bad]
    assert clean.counts["contradictory_dropped"] == clean.counts["contradictory"] == len(bad)


def test_invalid_sampling_is_reported() -> None:
    given = cloud(60)
    with pytest.raises(ConfigError, match="no paper is a query"):
        sample_neighbourhood(given, queries=np.zeros(60, np.bool_))
    with pytest.raises(ConfigError, match="far is 60, but only 60 papers"):
        sample_neighbourhood(given, NeighbourhoodConfig(far=60))
    values = given.values.copy()
    values[4] = 0
    with pytest.raises(ConfigError, match=r"1 of 60 papers are zero .* p004"):
        sample_neighbourhood(vectors(values))
