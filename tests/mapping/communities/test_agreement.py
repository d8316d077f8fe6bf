"""The adjusted Rand index, by its formula and compared with scikit-learn."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from citescape.core.errors import ConfigError
from citescape.mapping.communities.agreement import compare_all, compute_ari


def test_rand_index_by_hand() -> None:
    """{012}{345} and {01}{2345}: of 15 pairs 6 and 7 are together, 1 + 3 in both clusterings."""
    first, second = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    expected = 6 * 7 / 15
    assert compute_ari(first, second) == pytest.approx((4 - expected) / ((6 + 7) / 2 - expected))


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_rand_index_equals_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs, np.int32).T
    found = compute_ari(first, second)
    assert found == pytest.approx(adjusted_rand_score(first, second), abs=1e-12)
    assert found == compute_ari(second, first)
    assert compute_ari(first, first) == 1.0


def test_unrelated_clusterings_average_zero() -> None:
    generator = np.random.default_rng(0)
    drawn = [generator.integers(0, 10, 2000).astype(np.int32) for _ in range(20)]
    found = compare_all(drawn)
    assert len(found) == 20 * 19 / 2
    assert list(found) == [compute_ari(a, b) for a, b in combinations(drawn, 2)]
    assert abs(float(found.mean())) < 0.001


def test_empty_clusterings_agree_and_different_papers_are_refused() -> None:
    empty = np.array([], np.int32)
    assert compute_ari(empty, empty) == 1.0
    with pytest.raises(ConfigError, match="labels of 1 and of 0 papers"):
        compute_ari(np.array([0]), empty)
