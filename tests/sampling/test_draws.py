"""Keyed draws: the published hash, evenly spread numbers, and orders that depend on keys only."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from citescape.sampling.draws import (
    SHARE,
    SPLIT,
    draw,
    draw_below,
    epoch_purpose,
    hash_ids,
    mix,
    shuffle_anchors,
)

GOLDEN, MASK = 0x9E3779B97F4A7C15, 2**64 - 1
bits = st.integers(0, MASK)


def split_mix(value: int) -> int:
    """SplitMix64's finaliser (Steele, Lea and Flood 2014) on Python's whole numbers."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


@given(bits)
def test_the_hash_is_the_published_one(value: int) -> None:
    assert int(mix(np.uint64(value))) == split_mix(value)


def test_the_published_sequence() -> None:
    """The first numbers of SplitMix64 with seed 1234567, as its reference code prints them."""
    found = [int(mix(np.uint64((1234567 + k * GOLDEN) & MASK))) for k in range(1, 4)]
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(0, 2**62), st.integers(0, 2**31 - 1), st.integers(-5, 2**40))
def test_a_draw_hashes_seed_anchor_and_number(seed: int, anchor: int, number: int) -> None:
    expected = split_mix(seed + GOLDEN & MASK)
    for key in (anchor, number):
        expected = split_mix(expected + (key + 1) * GOLDEN & MASK)
    assert int(draw(seed, anchor, number)) == expected


@given(st.integers(1, 2**31 - 1), st.integers(0, 100), st.integers(0, 100))
def test_numbers_stay_below(size: int, anchor: int, number: int) -> None:
    assert 0 <= draw_below(size, 0, anchor, number) < size


@pytest.mark.parametrize("vary", ["seed", "anchor", "number"])
@pytest.mark.parametrize("size", [2, 7, 100])
def test_numbers_are_evenly_spread(vary: str, size: int) -> None:
    """Chi-square over 20,000 draws, whichever of the three keys runs; seeds are fixed."""
    keys = {"seed": 3, "anchor": 5, "number": 11}
    counts = np.zeros(size)
    draws = 20_000
    for k in range(draws):
        counts[draw_below(size, **(keys | {vary: k}))] += 1  # type: ignore[arg-type]
    statistic = ((counts - draws / size) ** 2 / (draws / size)).sum()
    assert chi2.ppf(0.001, size - 1) < statistic < chi2.ppf(0.999, size - 1)


def test_neighbouring_draws_are_unrelated() -> None:
    pairs = np.zeros((5, 5))
    for k in range(10_000):
        pairs[draw_below(5, 0, k, 0), draw_below(5, 0, k, 1)] += 1
    statistic = ((pairs - 400) ** 2 / 400).sum()
    assert statistic < chi2.ppf(0.999, 24)


@given(st.lists(st.integers(0, 1000), unique=True, max_size=50), st.randoms())
def test_the_order_of_anchors_depends_on_keys_only(anchors: list[int], chance: object) -> None:
    given_, keys = np.array(anchors, np.int32), named(1001)
    mixed = list(anchors)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    first = shuffle_anchors(given_, keys, seed=1, purpose=SPLIT)
    again = shuffle_anchors(np.array(mixed, np.int32), keys, seed=1, purpose=SPLIT)
    assert first.tolist() == again.tolist()
    assert sorted(first.tolist()) == sorted(anchors)


@cache
def named(papers: int) -> np.ndarray:
    """Keys of p0, p1, ..."""
    return hash_ids(pa.array([f"p{k}" for k in range(papers)]))


def test_an_anchor_keeps_its_place_among_others() -> None:
    """Its key is its own: leaving papers out of the corpus moves none before another."""
    ids = pa.array([f"paper {k}" for k in range(200)])
    kept = np.flatnonzero(np.arange(200) % 3 == 0)
    every = shuffle_anchors(np.arange(200), hash_ids(ids), seed=4, purpose=SHARE)
    fewer = hash_ids(ids.take(pa.array(kept)))
    some = kept[shuffle_anchors(np.arange(len(kept)), fewer, seed=4, purpose=SHARE)]
    assert some.tolist() == [anchor for anchor in every.tolist() if anchor % 3 == 0]


def test_ids_are_hashed_byte_by_byte() -> None:
    """FNV-1a (Fowler, Noll and Vo): known values, and of a slice as of the whole."""
    ids = pa.array(["", "a", "foobar", "ä", "p1"])
    found = hash_ids(ids)
    known = [0xCBF29CE484222325, 0xAF63DC4C8601EC8C, 0x85944171F73967E8]
    assert found[:3].tolist() == known
    assert len({*found.tolist()}) == 5
    assert hash_ids(ids.slice(2, 2)).tolist() == found[2:4].tolist()
    assert hash_ids(pa.array([], pa.string())).tolist() == []


def test_seeds_and_purposes_give_other_orders() -> None:
    anchors = np.arange(100, dtype=np.int32)
    orders = {
        tuple(shuffle_anchors(anchors, named(100), seed=seed, purpose=purpose).tolist())
        for seed in (0, 1)
        for purpose in (SPLIT, SHARE, epoch_purpose(0), epoch_purpose(1))
    }
    assert len(orders) == 8
