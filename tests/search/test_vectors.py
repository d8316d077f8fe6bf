"""Vectors on disk: zero vectors, selections, and writing in blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import SourceError
from citescape.search.vectors import (
    PAPERS,
    VECTORS,
    Vectors,
    read_vectors,
    scale_to_units,
    slices,
    write_rows,
    write_vectors,
)


def make_vectors(papers: int, dimensions: int = 3) -> Vectors:
    values = np.random.default_rng(0).normal(size=(papers, dimensions)).astype(np.float32)
    return Vectors(pa.table({"id": [f"p{k:06d}" for k in range(papers)]}), values)


def test_papers_with_a_zero_vector_have_no_row() -> None:
    vectors = make_vectors(70_000)
    vectors.values[[0, 65_535, 65_536, 69_999]] = 0
    vectors.values[5] = (0, 0, -1e-30)
    assert np.flatnonzero(~vectors.placed).tolist() == [0, 65_535, 65_536, 69_999]


def test_selected_and_all_vectors(tmp_path: Path) -> None:
    write_vectors(tmp_path, make_vectors(9))
    whole = read_vectors(tmp_path)
    assert whole.select_rows(np.arange(9)) is whole, "nothing is copied"
    some = whole.select_rows(np.array([2, 3, 8]))
    assert some.ids.to_pylist() == ["p000002", "p000003", "p000008"]
    assert (some.values == make_vectors(9).values[[2, 3, 8]]).all()
    assert not isinstance(some.values, np.memmap)


def test_slices_have_every_row_once() -> None:
    assert [(part.start, part.stop) for part in slices(7, 3)] == [(0, 3), (3, 6), (6, 7)]
    assert not list(slices(0, 3))


def test_unit_vectors_are_rows_divided_by_length() -> None:
    values = make_vectors(70_000).values
    expected = values / np.linalg.norm(values, axis=1, keepdims=True)
    assert (scale_to_units(values) == expected).all()


@pytest.mark.parametrize("size", [1, 4, 100])
def test_writing_in_blocks_gives_the_same_files(size: int, tmp_path: Path) -> None:
    vectors = make_vectors(10)
    for name in ("whole", "blocks"):
        (tmp_path / name).mkdir()
    write_vectors(tmp_path / "whole", vectors)
    blocks = (vectors.values[part] for part in slices(10, size))
    write_rows(tmp_path / "blocks", vectors.papers, blocks, dimensions=3)
    for file in (VECTORS, PAPERS):
        first, second = ((tmp_path / name / file).read_bytes() for name in ("whole", "blocks"))
        assert first == second


@pytest.mark.parametrize("rows", [9, 11])
def test_each_paper_needs_one_vector(rows: int, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=f"expected 10 rows, a paper each; found {rows}"):
        write_rows(
            tmp_path,
            make_vectors(10).papers,
            [make_vectors(5).values, make_vectors(rows - 5).values],
            dimensions=3,
        )
    assert not (tmp_path / PAPERS).exists()
