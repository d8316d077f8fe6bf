"""DIV by hand and in plain loops, and profiles of fields over cited journals."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.mapping.communities.diversity import (
    build_profiles,
    compute_disparity,
    compute_diversity,
    compute_gini,
    measure_diversity,
    scale_profiles,
)
from citescape.mapping.communities.fields import build_fields
from citescape.mapping.communities.labels import build_members
from citescape.networks.citations import build_citations

IDS = pa.array(list("abcd"), pa.string())


def test_the_published_example_of_diversity() -> None:
    """Counts 6, 3, 1 of five categories, distances .5, .8 and .4: Gini 1/3, DIV .226667."""
    counts = np.array([6.0, 3.0, 1.0])
    pairs = sum(abs(a - b) for a, b in itertools.product(counts, counts))
    assert compute_gini(counts) == pytest.approx(pairs / (2 * 3 * 10))
    assert compute_gini(counts) == pytest.approx(1 / 3)
    distance = 2 * (0.5 + 0.8 + 0.4) / (3 * 2)
    found = compute_diversity(counts, known=5, disparity=distance)
    assert found == pytest.approx(3 / 5 * (1 - 1 / 3) * distance)
    assert found == pytest.approx(0.226667, abs=1e-6)


def test_diversity_of_one_category_is_zero() -> None:
    assert compute_diversity(np.array([4.0]), known=5, disparity=0.0) == 0
    assert compute_gini(np.array([4.0])) == 0


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0.1, 100), min_size=1, max_size=8))
def test_gini_equals_the_sum_over_pairs(values: list[float]) -> None:
    pairs = sum(abs(a - b) for a, b in itertools.product(values, values))
    expected = pairs / (2 * len(values) * sum(values))
    assert compute_gini(np.array(values)) == pytest.approx(expected, abs=1e-12)
    assert compute_gini(np.array([values[0]] * 5)) == pytest.approx(0, abs=1e-12)


profiles_of_fields = st.lists(
    st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=6
)


def cosine(first: list[int], second: list[int]) -> float:
    """Cosine; 0 if either has no references."""
    lengths = math.hypot(*first) * math.hypot(*second)
    return sum(a * b for a, b in zip(first, second, strict=True)) / lengths if lengths else 0.0


@settings(max_examples=100, deadline=None)
@given(profiles_of_fields)
def test_disparity_is_the_mean_over_pairs(rows: list[list[int]]) -> None:
    units = scale_profiles(csr_array(np.array(rows, float)))
    lengths = np.sqrt((units.toarray() ** 2).sum(axis=1))
    assert lengths == pytest.approx([float(any(row)) for row in rows])
    pairs = [1 - cosine(*two) for two in itertools.combinations(rows, 2)]
    expected = sum(pairs) / len(pairs) if pairs else 0.0
    assert compute_disparity(units) == pytest.approx(expected, abs=1e-12)


def test_profiles_of_fields_by_hand() -> None:
    """a (Soil) cites x, y; b (half Soil, half Food) cites y, z and d; c has no field."""
    rows = [("a", "x"), ("a", "y"), ("b", "y"), ("b", "z"), ("b", "d"), ("c", "x"), ("x", "y")]
    citations = build_citations(
        pa.table(
            {"citing": [a for a, _ in rows], "cited": [b for _, b in rows], "weight": [1.0] * 7}
        )
    )
    fields = build_fields(IDS, [("a", "Soil"), ("b", "Soil"), ("b", "Food")])
    venues = {
        "x": "Rice",
        "y": "Plant J.",
        "z": "plant j",
        "d": None,
        "a": "Rice",
        "b": "",
        "c": "",
    }
    works = pa.table(
        {
            "id": pa.array(sorted(venues), pa.string()),
            "venue": pa.array([venues[id_] for id_ in sorted(venues)], pa.string()),
            "row": [IDS.to_pylist().index(id_) if id_ in "abcd" else -1 for id_ in sorted(venues)],
        }
    )
    found = build_profiles(fields, citations, works).toarray()
    assert fields.names == ("Food", "Soil")
    assert found.tolist() == [[2 * 0.5, 0], [1 + 2 * 0.5, 1]]  # Plant J, Rice


def test_diversity_of_communities() -> None:
    """Communities with two of three fields, with one field, and without a field."""
    fields = build_fields(IDS, [("a", "Soil"), ("b", "Food"), ("b", "Soil"), ("c", "Law")])
    profiles = csr_array(np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 1.0]]))  # Food, Law, Soil
    members = build_members(np.array([0, 0, 1, 2]), 3)
    found = measure_diversity(fields, members, profiles)
    gini = (-0.5 + 1.5) / (2 * 2)
    assert found == [pytest.approx(2 / 3 * (1 - gini) * (1 - 4 / 5)), 0.0, None]
    none = csr_array((3, 2))
    assert measure_diversity(fields, members, none) == [None] * 3


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("FGHI")), max_size=10), st.data()
)
def test_diversity_lies_between_0_and_1(rows: list[tuple[str, str]], data: st.DataObject) -> None:
    fields = build_fields(IDS, rows)
    dense = [[data.draw(st.integers(0, 2)) for _ in range(3)] for _ in fields.names]
    profiles = csr_array(np.array(dense, float).reshape(-1, 3))
    labels = np.array([data.draw(st.integers(-1, 1)) for _ in range(4)])
    for found in measure_diversity(fields, build_members(labels, 2), profiles):
        assert found is None or -1e-12 <= found <= 1
