"""The strongest entries of a product, compared with scipy's full product and plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array

from citescape.core.errors import ConfigError
from citescape.networks import product_kernels
from citescape.networks.products import find_strongest, unite

Rows = list[dict[int, float]]
MATRICES = st.integers(0, 8).flatmap(
    lambda size: st.lists(
        st.dictionaries(st.integers(0, 5), st.integers(1, 3), max_size=6),
        min_size=size,
        max_size=size,
    )
)
"""Rows as dicts: work -> value, of six works."""


def matrix(rows: Rows, dtype: Any = np.float64) -> csr_array:
    places = [(i, work) for i, row in enumerate(rows) for work in row]
    values = np.array([rows[i][work] for i, work in places], dtype)
    ends = np.array(places, np.int32).reshape(-1, 2).T
    return csr_array((values, (ends[0], ends[1])), shape=(len(rows), 6))


def expected(left: Rows, right: Rows, top: int) -> Rows:
    """Sums over shared works; best entries of each row by (value descending, column ascending)."""
    best = []
    for i, row in enumerate(left):
        result = {
            j: sum(value * other[work] for work, value in row.items() if work in other)
            for j, other in enumerate(right)
            if i != j and row.keys() & other.keys()
        }
        order = sorted(result, key=lambda j: (-result[j], j))
        best.append({j: result[j] for j in sorted(order[: top or None])})
    return best


def listed(matrix_: csr_array) -> Rows:
    ends = zip(matrix_.indptr[:-1], matrix_.indptr[1:], strict=True)
    return [dict(zip(matrix_.indices[a:b], matrix_.data[a:b], strict=True)) for a, b in ends]


@settings(max_examples=100)
@given(MATRICES, st.integers(0, 4))
def test_ones_are_counted(rows: Rows, top: int) -> None:
    weighted: Rows = [dict.fromkeys(row, 1.0) for row in rows]
    given_ = matrix(weighted, np.int8)
    strongest = find_strongest(given_, given_.T.tocsr(), top=top)
    assert listed(strongest) == expected(weighted, weighted, top)
    assert [list(row) for row in listed(strongest)] == [sorted(row) for row in listed(strongest)]
    assert strongest.data.dtype == np.float64


@settings(max_examples=100)
@given(st.data(), MATRICES, st.integers(0, 4))
def test_values_are_added(data: st.DataObject, left: Rows, top: int) -> None:
    """Small whole numbers, whose sums are exact in any order; the product is not symmetric."""
    others = st.dictionaries(st.integers(0, 5), st.integers(1, 3), max_size=6)
    right = data.draw(st.lists(others, min_size=len(left), max_size=len(left)))
    strongest = find_strongest(matrix(left), matrix(right).T.tocsr(), top=top)
    assert listed(strongest) == expected(left, right, top)


@pytest.mark.parametrize("values", ["ones", "real"])
@pytest.mark.parametrize("top", [0, 1, 7, 5000])
def test_many_rows_and_any_number_of_threads(values: str, top: int) -> None:
    """Several blocks of rows; the best entries of each equal those of scipy's product."""
    chance = np.random.default_rng(1)
    rows = random_array((9_000, 3_000), density=0.0004, rng=chance, format="csr")
    rows.data = np.ones(rows.nnz) if values == "ones" else chance.integers(1, 9, rows.nnz) / 8
    columns = rows.T.tocsr()
    strongest = find_strongest(rows, columns, top=top, threads=1)
    for threads in (2, 5):
        again = find_strongest(rows, columns, top=top, threads=threads)
        for name in ("indptr", "indices", "data"):
            assert (getattr(again, name) == getattr(strongest, name)).all()
    product = (rows @ columns).tocsr()
    product.setdiag(0)
    product.eliminate_zeros()
    product.sort_indices()
    assert strongest.nnz == sum(min(top or 9_000, n) for n in np.diff(product.indptr))
    for row in range(0, 9_000, 97):
        mine = slice(*product.indptr[row : row + 2])
        order = np.lexsort((product.indices[mine], -product.data[mine]))[: top or None]
        place = slice(*strongest.indptr[row : row + 2])
        assert strongest.indices[place].tolist() == sorted(product.indices[mine][order])
        assert (np.sort(strongest.data[place]) == np.sort(product.data[mine][order])).all()


def test_hubs_do_not_hide_other_entries() -> None:
    """All 3,000 papers cite one work, which links them all; papers 0 and 2,999 share two more."""
    hub = {0: 1.0}
    rows: Rows = [dict(hub) for _ in range(3_000)]
    rows[0] |= {1: 1.0, 2: 1.0}
    rows[2_999] |= {1: 1.0, 2: 1.0}
    given_ = matrix(rows)
    result = listed(find_strongest(given_, given_.T.tocsr(), top=2))
    assert result[0] == {2_999: 3, 1: 1}
    assert result[1] == {0: 1, 2: 1}
    assert result[1_500] == {0: 1, 1: 1}
    assert result[2_999] == {0: 3, 1: 1}


class Narrow:
    """numpy, except that zeros have 8 bits: counters overflow at 128."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def zeros(self, size: int, _: Any) -> np.ndarray:
        return np.zeros(size, np.int8)


def test_counters_are_reset_before_overflow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine rows of 50 equal works, with the kernel in Python: two rows fit, the third does not."""
    monkeypatch.setattr(product_kernels, "_MAX_COUNT", 127)
    monkeypatch.setattr(product_kernels, "np", Narrow())
    works = np.tile(np.arange(50, dtype=np.int32), 9)
    starts = np.arange(0, 451, 50)
    turned = csr_array((np.ones(450), works, starts), shape=(9, 50)).T.tocsr()
    parts = (starts, works, turned.indptr.astype(np.int64), turned.indices.astype(np.int32))
    kernel: Any = product_kernels.count_strongest
    counts, columns, values = kernel.py_func(*parts, 0, 9, 3)
    assert (counts == 3).all()
    assert (values == 50).all()
    lowest = [[1, 2, 3], [0, 2, 3], [0, 1, 3], *[[0, 1, 2]] * 6]
    assert np.sort(columns.reshape(9, 3), axis=1).tolist() == lowest


def test_the_order_of_entries_does_not_change_the_result() -> None:
    chance = np.random.default_rng(3)
    rows = random_array((60, 40), density=0.4, rng=chance, format="csr")
    turned = rows.copy()
    for a, b in zip(rows.indptr[:-1], rows.indptr[1:], strict=True):
        turned.indices[a:b], turned.data[a:b] = rows.indices[a:b][::-1], rows.data[a:b][::-1]
    turned.has_sorted_indices = False
    first, second = (find_strongest(m, rows.T.tocsr(), top=9) for m in (rows, turned))
    assert (first.data == second.data).all()
    assert not turned.has_sorted_indices, "what is given is left as it is"


def test_explicit_zeros_are_not_entries() -> None:
    rows: Rows = [{0: 0.0, 1: 2.0}, {0: 1.0, 1: 2.0}, {0: 1.0}]
    strongest = find_strongest(matrix(rows), matrix(rows).T.tocsr())
    assert listed(strongest) == [{1: 4}, {0: 4, 2: 1}, {1: 1}]


def test_empty_products() -> None:
    for shape in ((0, 0), (0, 5), (3, 0), (3, 5), (1, 1)):
        for top in (0, 2):
            strongest = find_strongest(csr_array(shape), csr_array(shape[::-1]), top=top)
            assert (strongest.shape, strongest.nnz) == ((shape[0], shape[0]), 0)
    alone = csr_array(np.ones((1, 4)))
    assert find_strongest(alone, alone.T.tocsr(), top=3).nnz == 0


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_invalid_values_are_refused(bad: float) -> None:
    rows, good = matrix([{0: 1.0}, {0: bad}]), matrix([{0: 1.0}, {0: 1.0}])
    for left, right in ((rows, good), (good, rows)):
        with pytest.raises(ConfigError, match="values of 0 or more; found others"):
            find_strongest(left, right.T.tocsr(), top=1)


def test_shapes_must_fit() -> None:
    rows = csr_array((4, 3))
    with pytest.raises(ConfigError, match=r"columns of shape \(3, 4\).*found \(4, 3\)"):
        find_strongest(rows, rows, top=1)
    with pytest.raises(ConfigError, match=r"found .* and -1"):
        find_strongest(rows, rows.T.tocsr(), top=-1)


@settings(max_examples=100)
@given(MATRICES, st.integers(1, 3))
def test_an_edge_exists_if_either_end_has_it(rows: Rows, top: int) -> None:
    strongest = find_strongest(matrix(rows), matrix(rows).T.tocsr(), top=top)
    ids = pa.array([f"p{k}" for k in range(len(rows))], pa.string())
    entries = listed(strongest)
    pairs = {frozenset((i, j)): value for i, row in enumerate(entries) for j, value in row.items()}
    network = unite(ids, strongest)
    edges = {frozenset((a, b)): w for a, b, w in zip(*network.upper(), strict=True)}
    assert edges == pairs


def test_the_greater_of_two_values_of_an_edge_is_kept() -> None:
    network = unite(pa.array(["a", "b"]), csr_array(np.array([[0, 2.0], [5.0, 0]])))
    assert network.weights.toarray().tolist() == [[0, 5], [5, 0]]
