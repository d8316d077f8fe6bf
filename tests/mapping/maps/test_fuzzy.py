"""Fuzzy memberships, compared with umap-learn and with their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.mapping.maps.fuzzy import join_nearest
from citescape.mapping.maps.nearest import NearestPoints, search_nearest
from citescape.search.ranker import NONE
from tests.mapping.maps.points import make_clustered_vectors


def join_by_umap(near: NearestPoints) -> np.ndarray:
    """Memberships of umap-learn, which counts a point among its own neighbours."""
    umap_ = pytest.importorskip("umap.umap_")
    size, k = near.indices.shape
    indices = np.hstack([np.arange(size)[:, None], near.indices]).astype(np.int32)
    distances = np.hstack([np.zeros((size, 1)), near.distances]).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("smooth_knn_dist", "compute_membership_strengths"):
            patch.setattr(umap_, name, getattr(umap_, name).py_func)  # compiling takes seconds
        found, _, _ = umap_.fuzzy_simplicial_set(
            np.zeros((size, 1)),
            k + 1,
            np.random.RandomState(0),
            "euclidean",
            knn_indices=indices,
            knn_dists=distances,
        )
    return np.asarray(found.toarray(), np.float64)


@pytest.mark.parametrize("k", [2, 5, 14])
def test_memberships_equal_those_of_umap_learn(k: int) -> None:
    near = search_nearest(make_clustered_vectors(150), k)
    np.testing.assert_allclose(join_nearest(near).toarray(), join_by_umap(near), atol=2e-5)


def test_papers_with_the_same_vector() -> None:
    vectors = make_clustered_vectors(60)
    vectors.values[10:40] = vectors.values[10]
    near = search_nearest(vectors, 8)
    found = join_nearest(near)
    np.testing.assert_allclose(found.toarray(), join_by_umap(near), atol=2e-5)
    assert found[11, 12] == 1


@given(st.integers(4, 30), st.integers(2, 8), st.integers(0, 99))
def test_memberships_equal_the_definition(size: int, k: int, seed: int) -> None:
    near = search_nearest(make_clustered_vectors(size, groups=3, dimensions=4, seed=seed), k)
    found = join_nearest(near).toarray()
    assert (found == found.T).all()
    assert (found.diagonal() == 0).all()
    assert 0 <= found.min() <= found.max() <= 1 + 1e-12
    for row, nearest in enumerate(near.indices):
        assert found[row, nearest[0]] == pytest.approx(1)


def test_few_neighbours_have_full_membership() -> None:
    inf = np.inf
    indices = np.array([[1, NONE, NONE], [0, 2, NONE], [1, NONE, NONE], [NONE] * 3], np.int32)
    distances = np.array([[0, inf, inf], [0, 0.5, inf], [0, inf, inf], [inf] * 3])
    found = join_nearest(NearestPoints(indices, distances)).toarray()
    expected = np.zeros((4, 4))
    expected[0, 1] = expected[1, 0] = expected[1, 2] = expected[2, 1] = 1
    np.testing.assert_allclose(found, expected, atol=1e-9)
