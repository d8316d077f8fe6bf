"""Bounds of cosines from vectors quantized to eight bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.recommend.rounded import QuantizedVectors
from citescape.recommend.tiles import TILE, Floats, lay_out, multiply, scale


def draw(rows: int, dimensions: int, seed: int) -> Floats:
    """Vectors of lengths from 1e-6 to 1e6; some are sparse, some zero."""
    chance = np.random.default_rng(seed)
    found = chance.normal(size=(rows, dimensions)) * 10 ** chance.uniform(-6, 6, (rows, 1))
    found *= chance.random((rows, dimensions)) < chance.choice([0.0, 0.1, 1.0], (rows, 1))
    return found.astype(np.float32)


@given(st.integers(1, 3 * TILE), st.integers(1, 70), st.integers(1, 3), st.integers(0, 999))
@settings(max_examples=50)
def test_a_bound_exceeds_the_cosine_by_at_most_two_errors(
    papers: int, dimensions: int, queries: int, seed: int
) -> None:
    """cos <= bound <= cos + 2 error, because rounding may go either way."""
    vectors, query_vectors = draw(papers, dimensions, seed), draw(queries, dimensions, seed + 1)
    rounded = QuantizedVectors.from_vectors(vectors)
    bound = rounded.bound(query_vectors, slice(0, papers))
    exact = multiply(query_vectors, lay_out(vectors))[:, :papers]
    assert bound.shape == exact.shape
    assert (bound >= exact).all()
    errors = rounded.errors[:papers]
    assert (bound <= exact + 2 * errors).all()
    halves = np.abs(scale(vectors)).max(axis=1) / 127 / 2
    assert (errors <= 1.001 * np.sqrt(dimensions) * halves + 1e-4).all()


@given(st.integers(1, 200), st.integers(0, 99))
@settings(max_examples=30)
def test_the_worst_rounding_error_is_bounded(dimensions: int, seed: int) -> None:
    """The worst query points along the rounding error: q . (p - p') = |p - p'|."""
    paper = scale(draw(8, dimensions, seed))
    unit = np.abs(paper).max(axis=1, keepdims=True) / np.float32(127)
    held = np.rint(np.divide(paper, unit, out=np.zeros_like(paper), where=unit > 0)) * unit
    query = paper - held
    bound = QuantizedVectors.from_vectors(paper).bound(query, slice(0, 8))
    assert (bound >= multiply(query, lay_out(paper))[:, :8]).all()


def test_bounds_of_ranges_equal_those_of_the_whole() -> None:
    vectors, queries = draw(700, 12, 0), draw(2, 12, 1)
    rounded = QuantizedVectors.from_vectors(vectors)
    whole = rounded.bound(queries, slice(0, 700))
    for part in (slice(0, 256), slice(256, 700), slice(512, 700), slice(0, 0)):
        assert rounded.bound(queries, part).tolist() == whole[:, part].tolist()


def test_bounds_of_papers_without_a_vector_are_nearly_zero() -> None:
    bound = QuantizedVectors.from_vectors(np.zeros((3, 384), np.float32)).bound(
        draw(1, 384, 0), slice(0, 3)
    )
    assert bound == pytest.approx(0, abs=1e-4)
    assert QuantizedVectors.from_vectors(np.zeros((0, 4), np.float32)).bound(
        draw(2, 4, 0), slice(0, 0)
    ).shape == (
        2,
        0,
    )
