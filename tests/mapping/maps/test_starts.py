"""Starts and classical scaling, compared with scikit-learn and dense linear algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.mapping.maps.fuzzy import join_nearest
from citescape.mapping.maps.nearest import search_nearest
from citescape.mapping.maps.starts import (
    scale_classically,
    start_from_graph,
    start_from_vectors,
    turn_flat,
    turn_like,
)
from citescape.search.vectors import scale_to_units
from tests.mapping.maps.points import make_clustered_vectors


def correlate(first: np.ndarray, second: np.ndarray) -> float:
    return abs(float(np.corrcoef(first, second)[0, 1]))


def test_principal_components_equal_those_of_scikit_learn() -> None:
    decomposition = pytest.importorskip("sklearn.decomposition")
    vectors = make_clustered_vectors(400)
    expected = decomposition.PCA(2).fit_transform(scale_to_units(vectors.values))
    found = start_from_vectors(vectors)
    for axis in (0, 1):
        assert correlate(found[:, axis], expected[:, axis]) > 0.999
    assert np.ptp(found, axis=0) == pytest.approx([10, 10], abs=0.1)


def test_equal_vectors_get_different_positions() -> None:
    vectors = make_clustered_vectors(30)
    vectors.values[:] = vectors.values[0]
    assert len(np.unique(start_from_vectors(vectors), axis=0)) == 30


def test_one_dimension_is_enough() -> None:
    found = start_from_vectors(make_clustered_vectors(30, dimensions=1))
    assert np.isfinite(found).all()


def test_spectral_start_of_a_graph() -> None:
    joined = join_nearest(search_nearest(make_clustered_vectors(120, groups=3), 8))
    dense = joined.toarray()
    sums = dense.sum(axis=1)
    roots = np.sqrt(sums + sums.mean())
    values, modes = np.linalg.eigh(dense / roots[:, None] / roots)
    first = roots / np.linalg.norm(roots)
    rest = dense / roots[:, None] / roots
    project = np.eye(120) - np.outer(first, first)
    values, modes = np.linalg.eigh(project @ rest @ project)
    expected = modes[:, np.argsort(-values)[:2]] / roots[:, None]
    found = start_from_graph(joined)
    for axis in (0, 1):
        assert correlate(found[:, axis], expected[:, axis]) > 0.95


def test_disconnected_graphs_have_a_start() -> None:
    rows = np.arange(40)
    edges = csr_array((np.ones(40), (rows, rows ^ 1)), shape=(40, 40))
    found = start_from_graph(edges)
    assert np.isfinite(found).all()
    assert len(np.unique(found, axis=0)) == 40


@given(st.integers(1, 12), st.integers(0, 99))
def test_classical_scaling_reproduces_planar_distances(size: int, seed: int) -> None:
    places = np.random.default_rng(seed).normal(size=(size, 2))
    away = np.linalg.norm(places[:, None] - places[None], axis=2)
    found = scale_classically(away)
    again = np.linalg.norm(found[:, None] - found[None], axis=2)
    np.testing.assert_allclose(again, away, atol=1e-6)


@given(st.integers(3, 40), st.floats(0, 6.28), st.booleans(), st.integers(0, 99))
def test_alignment_keeps_distances_and_undoes_rotations(
    size: int, turn: float, mirror: bool, seed: int
) -> None:
    places = np.random.default_rng(seed).gamma(2.0, size=(size, 2)) * [3, 1]
    cos, sin = np.cos(turn), np.sin(turn)
    other = places @ np.array([[cos, -sin], [sin, cos]]) * ([-1, 1] if mirror else [1, 1])
    found, again = turn_flat(places), turn_flat(other)
    distances = np.linalg.norm(places[0] - places, axis=1)
    np.testing.assert_allclose(np.linalg.norm(found[0] - found, axis=1), distances, atol=1e-9)
    wide, narrow = (found**2).sum(axis=0)
    assert wide >= narrow - 1e-9
    skew = np.abs((found**3).sum(axis=0))
    assume(wide > 1.01 * narrow and skew.min() > 1e-3)  # otherwise the order of axes is arbitrary
    np.testing.assert_allclose(again, found, atol=1e-6)


@given(st.integers(3, 30), st.integers(0, 99), st.booleans())
def test_a_rotated_map_is_aligned(count: int, seed: int, mirrored: bool) -> None:
    """Rotation, reflection and translation are undone by least squares."""
    chance = np.random.default_rng(seed)
    model = chance.normal(size=(count, 2)) * [3, 1]
    angle = chance.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * [1, -1] if mirrored else turn
    found = turn_like(2 * model @ turn + 5, model)
    np.testing.assert_allclose(found, 2 * (model - model.mean(axis=0)), atol=1e-9)


def test_points_without_a_position_are_ignored_in_alignment() -> None:
    places = np.array([[0, 0], [1, 0], [np.nan, np.nan], [5, 5.0]])
    model = np.array([[0, 0], [0, 1], [9, 9], [np.nan, np.nan]])
    found = turn_like(places, model)
    np.testing.assert_allclose(found[:2], [[0, -0.5], [0, 0.5]], atol=1e-12)
    assert np.isnan(found[2]).all()
    assert np.linalg.norm(found[3]) == pytest.approx(np.linalg.norm([4.5, 5]))
    nowhere = np.full((4, 2), np.nan)
    np.testing.assert_array_equal(turn_like(places, nowhere), places)
