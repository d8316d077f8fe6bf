"""Cosines of vectors in tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.recommend.tiles import TILE, lay_out, multiply, scale


def make_vectors(count: int, dimensions: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)


@pytest.mark.parametrize("papers", [1, TILE - 1, TILE, TILE + 1, 3 * TILE])
@pytest.mark.parametrize("dimensions", [1, 4, 6, 31])
@pytest.mark.parametrize("queries", [1, 2, 5])
def test_products_are_cosines(papers: int, dimensions: int, queries: int) -> None:
    vectors, query_vectors = (
        make_vectors(papers, dimensions),
        make_vectors(queries, dimensions, seed=1),
    )
    found = multiply(query_vectors, lay_out(vectors))
    lengths = np.outer(
        np.linalg.norm(query_vectors.astype(np.float64), axis=1),
        np.linalg.norm(vectors.astype(np.float64), axis=1),
    )
    plain = query_vectors.astype(np.float64) @ vectors.T.astype(np.float64) / lengths
    assert found.shape[1] % TILE == 0
    np.testing.assert_allclose(found[:, :papers], plain, atol=1e-6)
    assert not found[:, papers:].any()


def test_cosines_of_zero_vectors_are_zero() -> None:
    vectors, query_vectors = make_vectors(300, 8), make_vectors(3, 8, seed=1)
    vectors[7], query_vectors[1] = 0.0, 0.0
    found = multiply(query_vectors, lay_out(vectors))
    assert not found[:, 7].any()
    assert not found[1].any()
    assert found[0, :7].all()


@given(
    papers=st.integers(1, 4 * TILE),
    queries=st.integers(1, 7),
    first=st.integers(0, 3),
    query=st.integers(0, 6),
)
def test_a_cosine_has_the_same_bits_in_any_tile(
    papers: int, queries: int, first: int, query: int
) -> None:
    vectors, query_vectors = make_vectors(papers, 10), make_vectors(queries, 10, seed=1)
    tiles, query = lay_out(vectors), query % queries
    whole = multiply(query_vectors, tiles)
    alone = multiply(query_vectors[query : query + 1], tiles[first : first + 1])
    part = whole[query : query + 1, first * TILE : (first + 1) * TILE]
    np.testing.assert_array_equal(alone, part)
    rows = np.arange(papers)[::3]
    chosen = multiply(query_vectors, lay_out(vectors[rows]))[:, : len(rows)]
    np.testing.assert_array_equal(chosen, whole[:, rows])


def test_scaled_vectors_have_length_1_and_zeros_stay() -> None:
    vectors = np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)
    np.testing.assert_allclose(scale(vectors), [[3 / 5, 4 / 5], [0.0, 0.0]], rtol=1e-6)
