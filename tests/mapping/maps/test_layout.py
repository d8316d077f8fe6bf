"""Papers, topics and networks on a plane."""

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
from tests.mapping.maps.points import heaps, make_vectors, name_papers

QUICK = LayoutConfig(epochs=60)


def test_heaps_stay_together() -> None:
    vectors = heaps(400, groups=8)
    made = place(VectorSpace(vectors))
    assert made.ids == vectors.ids
    own = np.arange(400) % 8
    away = np.linalg.norm(made.positions[:, None] - made.positions[None], axis=2)
    np.fill_diagonal(away, np.inf)
    assert (own[away.argmin(axis=1)] == own).mean() > 0.95
    kept = measure_kept(made.positions, search_nearest(vectors, 10))
    assert made.placing == LayoutQuality("UMAP of 15 neighbours", kept)


def test_the_same_seed_and_other_seeds() -> None:
    space = VectorSpace(heaps(120))
    first, again = place(space, QUICK), place(space, QUICK)
    assert (first.positions == again.positions).all()
    other = place(space, LayoutConfig(epochs=60, seed=1))
    assert (first.positions != other.positions).any()


def test_threads_do_not_matter() -> None:
    """BLAS adds up in another order with another number of threads."""
    vectors = heaps(1500, dimensions=96)
    made = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            made.append(place(VectorSpace(vectors), LayoutConfig(epochs=20)).positions)
    assert (made[0] == made[1]).all()


@pytest.mark.parametrize("size", [1, 2, 3, 11, 12, FEW - 1, FEW])
def test_few_points(size: int) -> None:
    made = place(VectorSpace(heaps(size)), QUICK)
    assert made.positions.shape == (size, 2)
    assert np.isfinite(made.positions).all()
    assert made.placing.method == ("classical scaling" if size < FEW else "UMAP of 15 neighbours")
    assert (made.placing.kept is None) == (size - 1 <= 10)
    if 1 < size < FEW:
        units = scale_to_units(heaps(size).values).astype(np.float64)
        away = np.maximum(1 - units @ units.T, 0) * (1 - np.eye(size))
        expected = scale_classically(away)
        np.testing.assert_allclose(tell_apart(made.positions), tell_apart(expected), atol=1e-9)
        if size <= 3:
            np.testing.assert_allclose(tell_apart(made.positions), away, atol=1e-5)


def tell_apart(positions: np.ndarray) -> np.ndarray:
    """Distances of all pairs."""
    found: np.ndarray = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    return found


@pytest.mark.parametrize("neighbours", [2, 5, 30])
def test_what_is_kept_is_told_of_ten_whatever_is_kept_together(neighbours: int) -> None:
    vectors = heaps(100)
    made = place(VectorSpace(vectors), LayoutConfig(neighbours, epochs=30))
    expected = measure_kept(made.positions, search_nearest(vectors, 10))
    assert expected
    assert made.placing.kept == expected
    assert expected.chance == 10 / 99


def test_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="no points to place"):
        place(VectorSpace(make_vectors(np.empty((0, 3)))))


def test_all_papers_with_one_vector() -> None:
    made = place(VectorSpace(make_vectors(np.ones((50, 4)))), QUICK)
    assert np.isfinite(made.positions).all()


@pytest.mark.parametrize("size", [5, 50])
def test_vectors_that_are_no_numbers_are_refused(size: int) -> None:
    values = np.ones((size, 3))
    values[2] = np.inf
    with pytest.raises(ConfigError, match="numbers that are not finite"):
        place(VectorSpace(make_vectors(values)), QUICK)


def test_a_network_is_placed_by_its_edges() -> None:
    chance = np.random.default_rng(0)
    own = np.arange(150) % 3
    one, other = chance.integers(0, 150, (2, 4000))
    kept = (own[one] == own[other]) | (chance.random(4000) < 0.02)
    network = build_network(name_papers(150), (one[kept], other[kept]), np.ones(int(kept.sum())))
    made = place(linked_space(network))
    middles = np.array([made.positions[own == k].mean(axis=0) for k in range(3)])
    away = np.linalg.norm(made.positions[:, None] - middles[None], axis=2)
    assert (away.argmin(axis=1) == own).mean() > 0.95


@pytest.mark.parametrize(
    "settings",
    [{"neighbours": 1}, {"min_dist": -0.1}, {"min_dist": 1.5}, {"epochs": -1}],
    ids=str,
)
def test_bad_settings(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=f"{next(iter(settings))} is "):
        LayoutConfig(**settings)  # type: ignore[arg-type]
