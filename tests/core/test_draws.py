"""Keyed draws: the published hash, and evenly spread numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from citescape.core.draws import draw, draw_below, mix

GOLDEN, MASK = 0x9E3779B97F4A7C15, 2**64 - 1
bits = st.integers(0, MASK)


def split_mix(value: int) -> int:
    """SplitMix64's finaliser (Steele, Lea and Flood 2014) on Python's whole numbers."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


def plain_draw(seed: int, key: int, number: int) -> int:
    """The hash of all three, one after the other."""
    value = split_mix(seed + GOLDEN & MASK)
    for part in (key, number):
        value = split_mix(value + (part + 1) * GOLDEN & MASK)
    return value


@given(bits)
def test_the_hash_equals_the_published_hash(value: int) -> None:
    assert int(mix(np.uint64(value))) == split_mix(value)


def test_the_sequence_equals_the_published_sequence() -> None:
    """The first numbers of SplitMix64 with seed 1234567, as its reference code prints them."""
    result = [int(mix(np.uint64((1234567 + k * GOLDEN) & MASK))) for k in range(1, 4)]
    assert result == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(0, 2**62), st.integers(0, 2**31 - 1), st.integers(-5, 2**40))
def test_a_draw_hashes_seed_key_and_number(seed: int, key: int, number: int) -> None:
    assert int(draw(seed, key, number)) == plain_draw(seed, key, number)


@given(st.integers(1, 2**31 - 1), st.integers(0, 100), st.integers(0, 100))
def test_numbers_stay_below(size: int, anchor: int, number: int) -> None:
    assert 0 <= draw_below(size, 0, anchor, number) < size


@pytest.mark.parametrize("vary", ["seed", "key", "number"])
@pytest.mark.parametrize("size", [2, 7, 100])
def test_numbers_are_evenly_spread(vary: str, size: int) -> None:
    """Chi-square over 20,000 draws, with each of the three keys varied; seeds are fixed."""
    keys = {"seed": 3, "key": 5, "number": 11}
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


def test_bits_are_even() -> None:
    drawn = np.array([draw(5, key, 7) for key in range(4000)], np.uint64)
    bits = np.unpackbits(drawn.view(np.uint8)).reshape(4000, 64).mean(0)
    assert abs(bits - 0.5).max() < 0.04  # five standard deviations
