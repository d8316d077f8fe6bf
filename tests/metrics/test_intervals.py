from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from citescape.core.errors import ConfigError
from citescape.metrics.intervals import (
    MIN_QUERIES,
    WHOLE,
    adjust,
    bootstrap,
    bootstrap_each,
    compare,
    compare_each,
    macro_mean,
)

VALUES = np.random.default_rng(3).random(60)
GROUPS = np.repeat([0, 1, 2], [30, 20, 10])


def test_groups_have_equal_weight_in_the_macro_mean() -> None:
    values, groups = np.array([1.0, 1.0, 1.0, 0.0]), np.array([0, 0, 0, 1])
    assert macro_mean(values, groups) == pytest.approx(0.5)
    assert macro_mean(values) == pytest.approx(0.75)
    assert macro_mean(values, np.array([0, 0, 0, 7])) == pytest.approx(0.5)  # 1 to 6 are empty
    assert math.isnan(macro_mean(np.empty(0)))


def test_the_interval_equals_that_of_scipy() -> None:
    theirs = stats.bootstrap(
        (VALUES,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    ours = bootstrap(VALUES, draws=20_000)
    assert ours.mean == pytest.approx(VALUES.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.005)


def test_groups_are_resampled_separately() -> None:
    parts = [VALUES[group == GROUPS] for group in range(3)]
    error = math.sqrt(sum(part.var() / len(part) for part in parts)) / 3
    found = bootstrap(VALUES, GROUPS, draws=20_000)
    assert found.mean == pytest.approx(np.mean([part.mean() for part in parts]))
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_the_interval_has_the_nominal_coverage() -> None:
    chance = np.random.default_rng(1)
    held = 0
    for trial in range(300):
        found = bootstrap(chance.normal(size=100), seed=trial, draws=500)
        held += found.low <= 0 <= found.high
    assert 0.90 <= held / 300 <= 0.98


def test_the_same_seed_gives_the_same_interval() -> None:
    assert bootstrap(VALUES, seed=4) == bootstrap(VALUES, seed=4) != bootstrap(VALUES, seed=5)


def test_intervals_do_not_depend_on_other_systems() -> None:
    several = np.random.default_rng(8).random((7, 60))
    found = bootstrap_each(several, GROUPS, seed=3, draws=500)
    apart = compare_each(several - VALUES, GROUPS, seed=3, draws=500)
    for row, values in enumerate(several):
        assert found[WHOLE][row] == bootstrap(values, GROUPS, seed=3, draws=500)
        assert apart[row] == compare(values, VALUES, GROUPS, seed=3, draws=500)


def test_draws_of_groups_are_shared_with_the_whole() -> None:
    """The macro mean of each draw is the mean of the draws of the groups."""
    found = bootstrap_each(VALUES[None], GROUPS, seed=6, draws=400)
    means = np.zeros(400)
    for group in range(3):
        part = VALUES[group == GROUPS]
        chance = np.random.default_rng([6, group])
        drawn = part[chance.integers(len(part), size=(400, len(part)), dtype=np.int32)].mean(1)
        own = found[group][0]
        assert own.mean == pytest.approx(part.mean())
        assert (own.low, own.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]))
        means += drawn / 3
    whole = found[WHOLE][0]
    assert (whole.low, whole.high) == pytest.approx(np.quantile(means, [0.025, 0.975]))


def test_p_equals_that_of_all_permutations() -> None:
    first, second = np.array([0.9, 0.5, 0.7, 0.4, 0.8]), np.array([0.1, 0.6, 0.2, 0.3, 0.1])
    apart = first - second
    signs = itertools.product([-1, 1], repeat=5)
    means = np.array([np.dot(sign, apart) for sign in signs])
    exact = np.mean(np.abs(means) >= abs(apart.sum()) - 1e-12)
    assert compare(first, second, draws=50_000).p == pytest.approx(exact, abs=0.01)


def test_identical_systems_have_p_1() -> None:
    found = compare(VALUES, VALUES, GROUPS)
    assert found.p == 1
    assert (found.interval.low, found.interval.mean, found.interval.high) == (0, 0, 0)


def test_a_system_that_is_always_better() -> None:
    found = compare(VALUES + 0.1, VALUES, draws=999)
    assert found.interval.mean == pytest.approx(0.1)
    assert found.p == 1 / 1000


def test_p_values_are_adjusted_by_holm() -> None:
    # Holm: .01 * 3, then max(.03, .02 * 2), then max(.04, .5)
    assert adjust(np.array([0.02, 0.5, 0.01])) == pytest.approx([0.04, 0.5, 0.03])
    assert adjust(np.array([0.9, 0.8])).tolist() == [1, 1]


def test_invalid_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="NaN or infinity"):
        bootstrap(np.array([1.0, math.nan]))
    with pytest.raises(ConfigError, match="0 draws"):
        bootstrap(VALUES, draws=0)
    with pytest.raises(ConfigError, match="60 and 59 queries"):
        compare(VALUES, VALUES[1:])
    assert math.isnan(bootstrap(np.empty(0)).low)
    assert math.isnan(compare(np.empty(0), np.empty(0)).p)


def test_few_queries_have_a_mean_and_no_interval() -> None:
    few = bootstrap(np.linspace(0, 1, MIN_QUERIES - 1), draws=50)
    assert few.mean == pytest.approx(0.5)
    assert np.isnan([few.low, few.high]).all()
    enough = bootstrap(np.linspace(0, 1, MIN_QUERIES), draws=50)
    assert enough.low < enough.mean < enough.high


def test_permutations_do_not_share_draws_with_groups() -> None:
    """The permutation test does not share draws with the bootstrap of any group."""
    first, second = VALUES, np.roll(VALUES, 1) - 0.03

    def exchange(*key: int) -> float:
        signs = 2 * np.random.default_rng(key).integers(2, size=(999, 60), dtype=np.int8) - 1
        apart = np.abs(signs @ (first - second)) >= abs((first - second).sum())
        return float((1 + apart.sum()) / 1000)

    p = compare(first, second, seed=3, draws=999).p
    assert p == exchange(3, 0, 1)
    assert p not in [exchange(3, group, 0) for group in range(3)]


def test_clusters_are_resampled_as_a_whole() -> None:
    """With equal values within clusters of equal size, the interval is that of cluster means."""
    means = np.random.default_rng(5).random(40)
    values, clusters = np.repeat(means, 25), np.repeat(np.arange(40), 25)
    (whole,) = bootstrap_each(values[None], clusters=clusters, draws=4000)[WHOLE]
    alone = bootstrap(means, draws=4000)
    assert (whole.low, whole.high) == pytest.approx((alone.low, alone.high))
    apart = bootstrap(values, draws=4000)  # assumes independence: 5 times too narrow
    assert whole.high - whole.low == pytest.approx(5 * (apart.high - apart.low), rel=0.1)


def test_clusters_of_unequal_sizes_are_weighted_by_queries() -> None:
    """The standard error of a ratio of sums (Cochran 1977, section 2.11)."""
    chance = np.random.default_rng(7)
    sizes = chance.integers(1, 30, 120)
    clusters = np.repeat(np.arange(120), sizes)
    values = chance.random(120)[clusters] + 0.3 * chance.random(len(clusters))
    mean = values.mean()
    apart = np.bincount(clusters, values - mean)
    error = math.sqrt((apart**2).sum()) / len(values)
    (found,) = bootstrap_each(values[None], clusters=clusters, draws=20_000)[WHOLE]
    assert found.mean == pytest.approx(mean)
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_single_queries_are_clusters_of_size_one() -> None:
    alone = bootstrap_each(VALUES[None], GROUPS, draws=500)
    ones = bootstrap_each(VALUES[None], GROUPS, clusters=np.arange(len(VALUES)), draws=500)
    assert ones == alone
    (first,), (again,) = (
        compare_each((VALUES - 0.45)[None], clusters=clusters, draws=500)
        for clusters in (None, np.arange(len(VALUES)))
    )
    assert first == again


def test_permuting_clusters_gives_larger_p_values() -> None:
    """Ten papers of a hundred equal sentences have as much evidence as ten sentences."""
    apart = np.array([0.3, 0.2, 0.4, -0.1, 0.1, 0.2, -0.2, 0.3, 0.1, 0.2])
    many, clusters = np.repeat(apart, 100), np.repeat(np.arange(10), 100)
    (clustered,) = compare_each(many[None], clusters=clusters, draws=2000)
    (ten,) = compare_each(apart[None], draws=2000)
    (naive,) = compare_each(many[None], draws=2000)
    assert clustered.p == ten.p > naive.p


def test_too_few_clusters_have_no_interval() -> None:
    clusters = np.repeat(np.arange(MIN_QUERIES - 1), 20)
    (found,) = bootstrap_each(np.ones((1, len(clusters))), clusters=clusters)[WHOLE]
    assert (found.mean, math.isnan(found.low)) == (1.0, True)
