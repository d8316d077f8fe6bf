"""Entropy weights: the formula, the published identity, and bitwise reproducibility."""

from __future__ import annotations

import math
import random
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.importance.components import choose
from citescape.importance.weights import (
    ComponentCounts,
    compute_entropy,
    compute_statistics,
    compute_weights,
)

TOY = {"I": [1, 2, 0, 1], "R": [0, 1, 1, 0], "D": [2, 0, 1, 0], "S": [1, 0, 0, 1]}
"""Four pairs with (I, R, D, S) = (1,0,2,1), (2,1,0,0), (0,1,1,0), (1,0,0,1)."""
columns = st.lists(st.integers(0, 9), min_size=2, max_size=60)


def count(values: list[int], name: str = "I", unit: float = 1.0) -> ComponentCounts:
    return ComponentCounts.from_histogram(name, np.bincount(values), unit=unit)


def entropy_by_the_formula(x: list[int]) -> float:
    """e = -(1 / ln n) sum p ln p, p = x / sum x, 0 ln 0 = 0."""
    p = [value / sum(x) for value in x if value]
    return -sum(q * math.log(q) for q in p) / math.log(len(x))


def test_the_worked_example() -> None:
    computed = compute_weights([count(x, name) for name, x in TOY.items()], "entropy")
    e = {name: entropy_by_the_formula(x) for name, x in TOY.items()}
    assert e == pytest.approx({"I": 0.75, "R": 0.5, "D": 0.459148, "S": 0.5}, abs=1e-6)
    d = {name: 1 - e[name] for name in TOY}
    assert computed == pytest.approx({name: d[name] / sum(d.values()) for name in TOY}, abs=1e-15)
    published = {"I": 0.139598, "R": 0.279197, "D": 0.302008, "S": 0.279197}
    assert computed == pytest.approx(published, abs=1e-6)


def test_table_3_binary_column_has_entropy_one_plus_ln_mean_over_ln_n() -> None:
    n, mean = 67_513_443, 0.14
    ones = round(mean * n)
    counts = ComponentCounts("S", ((0, n - ones), (1, ones)))
    assert compute_entropy(counts) == pytest.approx(1 + math.log(ones / n) / math.log(n), abs=1e-14)
    assert round(compute_entropy(counts) or 0, 2) == 0.89
    (row,) = compute_statistics([counts], {"S": 0.3457})
    assert row.std == pytest.approx(math.sqrt(mean * (1 - mean)), abs=1e-7)


@given(columns)
def test_entropy_equals_the_formula(x: list[int]) -> None:
    entropy = compute_entropy(count(x))
    if sum(x) == 0:
        assert entropy is None
    else:
        assert entropy == pytest.approx(entropy_by_the_formula(x), abs=1e-12)


@given(columns, st.integers(1, 5), st.randoms(use_true_random=False))
def test_shuffles_and_shards_give_the_same_bits(
    x: list[int], shards: int, chance: random.Random
) -> None:
    whole = [count(x), count([v % 2 for v in x], "S")]
    shuffled = chance.sample(x, len(x))
    parts = [shuffled[k::shards] for k in range(shards) if shuffled[k::shards]]
    chance.shuffle(parts)
    merged = [
        reduce(ComponentCounts.merge, [count(part) for part in parts]),
        reduce(ComponentCounts.merge, [count([v % 2 for v in part], "S") for part in parts]),
    ]
    assert merged == whole
    if any(c.varies for c in whole):
        result, expected = (compute_weights(c, "entropy") for c in (merged, whole))
        assert {k: w.hex() for k, w in result.items()} == {k: w.hex() for k, w in expected.items()}


@given(st.lists(columns.map(lambda x: x[:2]), min_size=1, max_size=5))
def test_weights_sum_to_one(table: list[list[int]]) -> None:
    components = [count(x, name) for name, x in zip("IMRDS", table, strict=False)]
    assert math.fsum(compute_weights(components, "uniform").values()) == pytest.approx(1, abs=1e-15)
    if any(c.varies for c in components):
        weights = compute_weights(components, "entropy")
        assert math.fsum(weights.values()) == pytest.approx(1, abs=1e-15)
        assert all(0 <= w <= 1 for w in weights.values())


@pytest.mark.parametrize("dead", [[0, 0, 0, 0], [1, 1, 1, 1], [3, 3, 3, 3]])
def test_a_column_that_does_not_vary_has_no_weight(dead: list[int]) -> None:
    alive = [count(TOY["I"], "I"), count(TOY["D"], "D")]
    computed = compute_weights([*alive, count(dead, "S")], "entropy")
    assert computed == {**compute_weights(alive, "entropy"), "S": 0.0}


def test_constant_columns_only() -> None:
    flat = [count([1, 1], "I"), count([0, 0], "S")]
    with pytest.raises(ConfigError, match="none of I, S varies over 2 pairs; use uniform weights"):
        compute_weights(flat, "entropy")
    assert compute_weights(flat, "uniform") == {"I": 1 / 2, "S": 1 / 2}


@pytest.mark.parametrize("names", [("I",), ("I", "D"), ("R", "D", "S"), ("I", "R", "D", "S")])
def test_every_subset_has_weights_of_its_own(names: tuple[str, ...]) -> None:
    computed = compute_weights([count(TOY[name], name) for name in names], "entropy")
    d = {name: 1 - entropy_by_the_formula(TOY[name]) for name in names}
    assert computed == pytest.approx({name: d[name] / sum(d.values()) for name in names}, abs=1e-15)


def test_given_weights_are_taken_as_they_are() -> None:
    components = [count(TOY["I"], "I"), count(TOY["S"], "S")]
    assert compute_weights(components, {"S": 3, "I": 0.5}) == {"I": 0.5, "S": 3.0}


@pytest.mark.parametrize(
    "weights", [{}, {"I": 1}, {"I": 1, "S": -1}, {"I": 0, "S": 0}, {"I": 1, "S": math.nan}]
)
def test_given_weights_must_fit(weights: dict[str, float]) -> None:
    components = [count(TOY["I"], "I"), count(TOY["S"], "S")]
    with pytest.raises(ConfigError, match="for each of: I, S"):
        compute_weights(components, weights)


def test_an_unknown_method() -> None:
    with pytest.raises(ConfigError, match="weights is 'median'; expected one of: entropy, uniform"):
        compute_weights([count([1, 0])], "median")


@given(columns, st.sampled_from([1.0, 0.5, 2.0**-15]))
def test_statistics_are_population_statistics(x: list[int], unit: float) -> None:
    (row,) = compute_statistics([count(x, unit=unit)], {"I": 1.0})
    assert row.mean == pytest.approx(np.mean(x) * unit, rel=1e-14)
    assert row.std == pytest.approx(np.std(x) * unit, rel=1e-12, abs=1e-15)
    assert row.nonzero == sum(v != 0 for v in x)


@given(columns)
def test_the_unit_does_not_change_the_entropy(x: list[int]) -> None:
    assert compute_entropy(count(x, unit=0.5)) == compute_entropy(count(x))


def test_counts_of_different_things_do_not_merge() -> None:
    with pytest.raises(ConfigError, match="cannot merge counts of I"):
        count([1]).merge(count([1], "S"))
    with pytest.raises(ConfigError, match=r"in steps of 0\.5"):
        count([1]).merge(count([1], unit=0.5))


def test_components_are_chosen_from_the_table() -> None:
    assert choose(["S", "I"]) == ("I", "S")
    with pytest.raises(ConfigError, match="component is 'X'; expected one of: D, I, M, R, S, T"):
        choose(["X"])
    for wrong in ([], ["I", "I"]):
        with pytest.raises(ConfigError, match="each at most once"):
            choose(wrong)
