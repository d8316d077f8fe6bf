"""Layouts of papers, topics and networks."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from citescape.core.errors import ConfigError
from citescape.mapping.maps.config import LayoutConfig
from citescape.mapping.maps.layout import FEW, place
from citescape.mapping.maps.nearest import measure_kept, search_nearest
from citescape.mapping.maps.placing import LayoutQuality
from citescape.mapping.maps.spaces import VectorSpace, linked_space
from citescape.mapping.maps.starts import scale_classically
from citescape.networks.network import build_network
from citescape.search.vectors import scale_to_units
from tests.mapping.maps.points import make_clustered_vectors, make_vectors, name_papers

QUICK = LayoutConfig(epochs=60)


def test_groups_stay_together() -> None:
    vectors = make_clustered_vectors(400, groups=8)
    layout = place(VectorSpace(vectors))
    assert layout.ids == vectors.ids
    own = np.arange(400) % 8
    away = np.linalg.norm(layout.positions[:, None] - layout.positions[None], axis=2)
    np.fill_diagonal(away, np.inf)
    assert (own[away.argmin(axis=1)] == own).mean() > 0.95
    kept = measure_kept(layout.positions, search_nearest(vectors, 10))
    assert layout.placing == LayoutQuality("UMAP of 15 neighbours", kept)


def test_positions_depend_on_the_seed() -> None:
    space = VectorSpace(make_clustered_vectors(120))
    first, again = place(space, QUICK), place(space, QUICK)
    assert (first.positions == again.positions).all()
    other = place(space, LayoutConfig(epochs=60, seed=1))
    assert (first.positions != other.positions).any()


def test_positions_do_not_depend_on_threads() -> None:
    """With other numbers of threads BLAS sums in another order."""
    vectors = make_clustered_vectors(1500, dimensions=96)
    layouts = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            layouts.append(place(VectorSpace(vectors), LayoutConfig(epochs=20)).positions)
    assert (layouts[0] == layouts[1]).all()


@pytest.mark.parametrize("size", [1, 2, 3, 11, 12, FEW - 1, FEW])
def test_layout_of_few_points(size: int) -> None:
    layout = place(VectorSpace(make_clustered_vectors(size)), QUICK)
    assert layout.positions.shape == (size, 2)
    assert np.isfinite(layout.positions).all()
    assert layout.placing.method == ("classical scaling" if size < FEW else "UMAP of 15 neighbours")
    assert (layout.placing.kept is None) == (size - 1 <= 10)
    if 1 < size < FEW:
        units = scale_to_units(make_clustered_vectors(size).values).astype(np.float64)
        away = np.maximum(1 - units @ units.T, 0) * (1 - np.eye(size))
        expected = scale_classically(away)
        np.testing.assert_allclose(
            compute_distances(layout.positions), compute_distances(expected), atol=1e-9
        )
        if size <= 3:
            np.testing.assert_allclose(compute_distances(layout.positions), away, atol=1e-5)


def compute_distances(positions: np.ndarray) -> np.ndarray:
    """Distances between all pairs."""
    found: np.ndarray = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    return found


@pytest.mark.parametrize("neighbours", [2, 5, 30])
def test_kept_neighbours_are_measured_for_ten_neighbours(neighbours: int) -> None:
    vectors = make_clustered_vectors(100)
    layout = place(VectorSpace(vectors), LayoutConfig(neighbours, epochs=30))
    expected = measure_kept(layout.positions, search_nearest(vectors, 10))
    assert expected
    assert layout.placing.kept == expected
    assert expected.chance == 10 / 99


def test_an_empty_layout_is_refused() -> None:
    with pytest.raises(ConfigError, match="no points to place"):
        place(VectorSpace(make_vectors(np.empty((0, 3)))))


def test_layout_of_identical_vectors() -> None:
    layout = place(VectorSpace(make_vectors(np.ones((50, 4)))), QUICK)
    assert np.isfinite(layout.positions).all()


@pytest.mark.parametrize("size", [5, 50])
def test_vectors_with_nan_or_infinity_are_refused(size: int) -> None:
    values = np.ones((size, 3))
    values[2] = np.inf
    with pytest.raises(ConfigError, match="numbers that are not finite"):
        place(VectorSpace(make_vectors(values)), QUICK)


def test_layout_of_a_network() -> None:
    chance = np.random.default_rng(0)
    own = np.arange(150) % 3
    sources, targets = chance.integers(0, 150, (2, 4000))
    kept = (own[sources] == own[targets]) | (chance.random(4000) < 0.02)
    network = build_network(
        name_papers(150), (sources[kept], targets[kept]), np.ones(int(kept.sum()))
    )
    layout = place(linked_space(network))
    middles = np.array([layout.positions[own == k].mean(axis=0) for k in range(3)])
    away = np.linalg.norm(layout.positions[:, None] - middles[None], axis=2)
    assert (away.argmin(axis=1) == own).mean() > 0.95


@pytest.mark.parametrize(
    "settings",
    [{"neighbours": 1}, {"min_dist": -0.1}, {"min_dist": 1.5}, {"epochs": -1}],
    ids=str,
)
def test_invalid_settings_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=f"{next(iter(settings))} is "):
        LayoutConfig(**settings)  # type: ignore[arg-type]
