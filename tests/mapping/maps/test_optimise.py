"""The curve and the optimisation, compared with umap-learn, and their invariants."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from citescape.mapping.maps.fuzzy import join_nearest
from citescape.mapping.maps.nearest import NearestPoints, measure_kept, search_nearest
from citescape.mapping.maps.optimise import fit_curve, optimise
from citescape.mapping.maps.starts import start_from_vectors
from tests.mapping.maps.points import make_clustered_vectors


@pytest.mark.parametrize("min_dist", [0.0, 0.1, 0.5, 1.0])
def test_the_curve_equals_that_of_umap_learn(min_dist: float) -> None:
    umap_ = pytest.importorskip("umap.umap_")
    curve = fit_curve(min_dist)
    assert (curve.a, curve.b) == pytest.approx(umap_.find_ab_params(1.0, min_dist), rel=1e-6)


@pytest.mark.parametrize(
    ("size", "seeds", "min_dist"), [(20, 12, 0.5), (30, 12, 0.5), (600, 5, 0.1)]
)
def test_neighbours_are_kept_as_well_as_by_umap_learn(
    size: int, seeds: int, min_dist: float
) -> None:
    """Same memberships and start; several seeds, because results are random."""
    umap_ = pytest.importorskip("umap.umap_")
    vectors = make_clustered_vectors(size, groups=12)
    near = search_nearest(vectors, 14)
    joined, start, curve = join_nearest(near), start_from_vectors(vectors), fit_curve(min_dist)
    own, theirs = [], []
    for seed in range(seeds):
        own.append(optimise(joined, start, curve=curve, epochs=200, seed=seed))
        peer, _ = umap_.simplicial_set_embedding(
            vectors.values,
            joined.copy(),
            2,
            1.0,
            curve.a,
            curve.b,
            1.0,
            5,
            200,
            start.astype(np.float32),
            np.random.RandomState(seed),
            "cosine",
            {},
            False,
            {},
            False,
        )
        theirs.append(peer)
    kept, by_umap = (
        np.mean([share(positions, near) for positions in found]) for found in (own, theirs)
    )
    assert kept > by_umap - 0.02
    assert kept > 10 / (size - 1)


def share(positions: np.ndarray, near: NearestPoints) -> float:
    found = measure_kept(positions, near, among=5)
    assert found
    return found.share


def test_the_same_seed_gives_the_same_positions() -> None:
    vectors = make_clustered_vectors(200)
    joined, start = join_nearest(search_nearest(vectors, 10)), start_from_vectors(vectors)
    curve = fit_curve(0.1)
    first, again, other = (
        optimise(joined, start, curve=curve, epochs=50, seed=seed) for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()
    assert np.isfinite(first).all()


def test_linked_points_are_closer_than_others() -> None:
    """Two unconnected rings of five points."""
    rows = np.arange(10)
    next_ = rows // 5 * 5 + (rows + 1) % 5
    edges = csr_array((np.ones(10), (rows, next_)), shape=(10, 10))
    start = np.random.default_rng(0).normal(size=(10, 2))
    found = optimise(csr_array(edges + edges.T), start, curve=fit_curve(0.1), epochs=300)
    within = [np.linalg.norm(found[k] - found[next_[k]]) for k in rows]
    across = [np.linalg.norm(found[k] - found[5 + j]) for k in range(5) for j in range(5)]
    assert max(within) < min(across)


def test_points_without_edges_do_not_move() -> None:
    start = np.array([[0, 0], [10, 0], [0, 10], [10, 10.0]])
    found = optimise(csr_array((4, 4)), start, curve=fit_curve(0.1), epochs=20)
    assert found.tolist() == start.tolist()


def test_progress_is_reported() -> None:
    messages: list[str] = []
    vectors = make_clustered_vectors(40)
    joined, start = join_nearest(search_nearest(vectors, 5)), start_from_vectors(vectors)
    optimise(joined, start, curve=fit_curve(0.1), epochs=3, progress=messages.append)
    assert messages[0] == "placing 40 points: epoch 0 of 3"
