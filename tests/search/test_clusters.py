"""Spherical k-means, compared with the plain algorithm, and planted clusters."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.search.clusters import find_clusters, find_nearest
from citescape.search.vectors import Vectors

Array = npt.NDArray[np.float64]


def vectors(values: Array) -> Vectors:
    ids = pa.array([f"p{k:04d}" for k in range(len(values))], pa.string())
    return Vectors(pa.table({"id": ids}), values.astype(np.float32))


def make_bundles(
    papers: int, count: int, *, seed: int = 0, noise: float = 0.05
) -> tuple[Vectors, Array]:
    """Papers around orthogonal directions, of any length, and their cluster numbers."""
    chance = np.random.default_rng(seed)
    owner = chance.integers(count, size=papers)
    values = np.eye(count)[owner] + noise * chance.normal(size=(papers, count))
    return vectors(values * chance.uniform(0.1, 10, (papers, 1))), owner


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 24), st.integers(1, 6))
def test_papers_are_in_the_cluster_of_the_nearest_centroid(
    seed: int, papers: int, clusters: int
) -> None:
    given = vectors(np.random.default_rng(seed).normal(size=(papers, 5)))
    clusters = min(clusters, papers)
    found = find_clusters(given, clusters, seed=seed)
    units = given.values / np.linalg.norm(given.values, axis=1, keepdims=True)
    assert found.centroids.shape == (clusters, 5)
    assert np.linalg.norm(found.centroids, axis=1) == pytest.approx(1, abs=1e-5)
    cosines = units @ found.centroids.T
    own = cosines[np.arange(papers), found.labels]
    assert own == pytest.approx(cosines.max(axis=1), abs=1e-5)
    for cluster in set(found.labels.tolist()):
        mean = units[found.labels == cluster].sum(axis=0)
        assert found.centroids[cluster] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-4)


def test_planted_clusters_are_found_for_any_lengths() -> None:
    """The initial papers are from different clusters, because k-means runs once."""
    given, owner = make_bundles(300, 4)
    exact = 0
    for seed in range(12):
        first = np.random.default_rng(seed).choice(300, 4, replace=False)
        found = find_clusters(given, 4, seed=seed)
        joint = set(zip(found.labels.tolist(), owner.tolist(), strict=True))
        exact += len(joint) == 4
        assert len(joint) == 4 or len(set(owner[first])) < 4
    assert exact > 0


def test_near_ties_do_not_depend_on_block_sizes() -> None:
    """Centroids differ in the last bit, so that approximate products cannot decide."""
    chance = np.random.default_rng(3)
    units = chance.normal(size=(400, 64)).astype(np.float32)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    centroids = np.repeat(units[:5], 6, axis=0)
    for k in range(30):
        centroids[k, k] = np.nextafter(centroids[k, k], np.float32(k % 2))
    expected = []
    for unit in units.astype(np.float64):
        products = [math.fsum(unit * centroid.astype(np.float64)) for centroid in centroids]
        expected.append(products.index(max(products)))
    rough = np.argmax(units @ centroids.T, axis=1)
    assert (rough != expected).any(), "else nothing is tested"
    for rows in (1, 3, 64, 400):
        found = find_nearest(units, centroids, block_bytes=4 * 30 * rows)
        assert found.tolist() == expected


def test_block_sizes_do_not_matter() -> None:
    given, _ = make_bundles(300, 7, noise=0.8)
    whole = find_clusters(given, 9)
    for rows in (1, 7, 128):
        part = find_clusters(given, 9, block_bytes=4 * 9 * rows)
        assert (part.labels == whole.labels).all()
        assert (part.centroids == whole.centroids).all()


def test_clusters_depend_on_the_seed() -> None:
    given, _ = make_bundles(200, 6, noise=0.5)
    first, again, other = (find_clusters(given, 5, seed=seed) for seed in (1, 1, 2))
    assert (first.labels == again.labels).all()
    assert (first.centroids == again.centroids).all()
    assert (first.labels != other.labels).any()


def test_identical_papers_leave_clusters_empty() -> None:
    found = find_clusters(vectors(np.ones((6, 3))), 3)
    assert set(found.labels.tolist()) == {0}
    assert np.isfinite(found.centroids).all()


def test_opposite_papers_keep_their_centroid() -> None:
    found = find_clusters(vectors(np.array([[1.0, 0.0], [-1.0, 0.0]])), 1)
    assert np.abs(found.centroids).tolist() == [[1, 0]]
    assert np.isfinite(found.centroids).all()


def test_more_clusters_than_papers_are_refused() -> None:
    given, _ = make_bundles(5, 2)
    for clusters in (0, 6):
        with pytest.raises(ConfigError, match=f"{clusters} clusters of 5 papers"):
            find_clusters(given, clusters)
    assert len(set(find_clusters(given, 5).labels.tolist())) == 5
