"""Compiled loops over vectors: scores of pairs in double precision, summed in a fixed order.

Matrix products differ in the last digits with the shape of their blocks and the number of threads.
They only select candidates: all with a rough score within twice the rounding error of the k-th.
Candidates are scored again, pair by pair and paper by paper, so that a vector is read once for all
queries that selected it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled, prefetch
from citescape.search.ranker import NONE
from citescape.search.selection import RUN, gather, kth_greatest, sort_best

Array = npt.NDArray[Any]

COSINE, DOT, L2 = range(3)
LANES = 32
_DEPTH = 32
"""Columns per group, of which only the maximum is compared first."""
_SPARE = 4
"""Minimum number of groups, in multiples of k."""
_AHEAD, _LINE = 2, 16
"""Pairs ahead of which a vector is prefetched, and numbers per cache line."""
_PAIRS = 1 << 19
"""Candidates scored at a time; at least those of one query."""


@compiled
def dot(x: Array, y: Array) -> float:
    """The product of two vectors in double precision, summed in 32 lanes (compiled to AVX)."""
    return sum_products(x, y, np.empty(LANES))


@compiled
def sum_products(x: Array, y: Array, lanes: Array) -> float:
    """As `dot`, with a buffer.

    Args:
        x: (d,) first vector.
        y: (d,) second vector.
        lanes: (32,) work space.
    """
    lanes[:] = 0.0
    whole = len(x) - len(x) % LANES
    for start in range(0, whole, LANES):
        a, b = x[start : start + LANES], y[start : start + LANES]
        for lane in range(LANES):
            lanes[lane] += np.float64(a[lane]) * np.float64(b[lane])
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    for k in range(whole, len(x)):
        total += np.float64(x[k]) * np.float64(y[k])
    return total


@compiled
def squared_distance(x: Array, y: Array, lanes: Array) -> float:
    """The square of the Euclidean distance in double precision, summed as `dot`.

    Args:
        x: (d,) first vector.
        y: (d,) second vector.
        lanes: (32,) work space.
    """
    lanes[:] = 0.0
    whole = len(x) - len(x) % LANES
    for start in range(0, whole, LANES):
        a, b = x[start : start + LANES], y[start : start + LANES]
        for lane in range(LANES):
            difference = np.float64(a[lane]) - np.float64(b[lane])
            lanes[lane] += difference * difference
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    for k in range(whole, len(x)):
        difference = np.float64(x[k]) - np.float64(y[k])
        total += difference * difference
    return total


@compiled
def lengths(values: Array) -> Array:
    """(n,) Euclidean length of each row, NaN or infinite if an entry is."""
    norms, lanes = np.empty(len(values)), np.empty(LANES)
    for row in range(len(values)):
        norms[row] = np.sqrt(sum_products(values[row], values[row], lanes))
    return norms


@compiled
def score(query: Array, other: Array, norms: tuple[float, float], metric: int, lanes: Array) -> Any:
    """Cosine, product, or distance times -1 of two vectors.

    Args:
        query: (d,) first vector.
        other: (d,) second vector.
        norms: lengths of both.
        metric: one of COSINE, DOT, L2.
        lanes: (32,) work space.
    """
    if metric == L2:
        return -np.sqrt(squared_distance(query, other, lanes))
    product = sum_products(query, other, lanes)
    return product if metric == DOT else product / (norms[0] * norms[1])


@compiled
def choose_nearest(
    products: Array, slack: float, rows: Array, centroids: Array, nearest: Array
) -> None:
    """Fills `nearest` with the column of the largest product of each row, ties by column.

    Args:
        products: (b, c) rough products of rows and centroids.
        slack: columns within this distance of the largest are compared in double precision.
        rows: (b, d) vectors.
        centroids: (c, d) centroids.
        nearest: (b,) filled.
    """
    for row in range(len(products)):
        least = products[row].max() - slack
        best = -np.inf
        for column in range(len(centroids)):
            if products[row, column] >= least:
                product = dot(rows[row], centroids[column])
                if product > best:
                    best = product
                    nearest[row] = column


@compiled
def all_products(rows: Array) -> Array:
    """(n, n) products of rows with each other in double precision."""
    products = np.empty((len(rows), len(rows)))
    for i in range(len(rows)):
        for j in range(i + 1):
            products[i, j] = products[j, i] = dot(rows[i], rows[j])
    return products


@compiled
def rank(
    products: Array,
    scales: tuple[Array, Array],
    slack: Array,
    own: Array,
    queries: Array,
    values: Array,
    norms: Array,
    metric: int,
    indices: Array,
    scores: Array,
) -> None:
    """Fills indices (b, k) and scores (b, k) from products (b, n) with b queries (b, d).

    The order is (score descending, row ascending), and rows are in the order of ids; -1 and -inf
    fill short lists. Candidates overwrite the products.

    Args:
        products: rough products of b queries with n vectors.
        scales: (n,) each: a rough score is product * scale + offset.
        slack: (b,) twice the error of a rough score.
        own: (b,) the column of each query itself, -1 for none.
        queries: (b, d) vectors of the queries.
        values: (n, d) vectors that are searched.
        norms: (n,) lengths of `values`.
        metric: one of COSINE, DOT, L2.
        indices: (b, k) filled.
        scores: (b, k) filled.
    """
    counts, chosen = np.empty(len(products), np.int64), products.view(np.int32)
    for row in range(len(products)):
        columns = _choose(products[row], scales, slack[row], own[row], indices.shape[1])
        counts[row] = len(columns)
        for place in range(len(columns)):
            chosen[row, place] = columns[place]
    rescore(chosen, counts, queries, values, norms, metric, indices, scores)


@compiled
def rescore(
    chosen: Array,
    counts: Array,
    queries: Array,
    values: Array,
    norms: Array,
    metric: int,
    indices: Array,
    scores: Array,
) -> None:
    """Fills indices and scores as `rank`, from candidates, which are overwritten.

    Args:
        chosen: (b, c) candidates of each query, ascending, in the first entries of its row.
        counts: (b,) number of candidates.
        queries: (b, d) vectors of the queries.
        values: (n, d) vectors of all candidates.
        norms: (n,) lengths of `values`.
        metric: one of COSINE, DOT, L2.
        indices: (b, k) filled.
        scores: (b, k) filled.
    """
    first = 0
    while first < len(counts):
        last, pairs = first + 1, counts[first]
        while last < len(counts) and pairs + counts[last] <= _PAIRS:
            last, pairs = last + 1, pairs + counts[last]
        part, begin = slice(first, last), 0
        exact = _score(chosen[part], counts[part], queries[part], (values, norms), metric)
        for row in range(first, last):
            end = begin + counts[row]
            indices[row], scores[row] = NONE, -np.inf
            sort_best((chosen[row], exact[begin:end]), counts[row], indices[row], scores[row])
            begin = end
        first = last


@compiled
def _choose(products: Array, scales: tuple[Array, Array], slack: float, own: int, k: int) -> Array:
    """Ascending columns with a rough score within `slack` of the k-th best, except `own`.

    Columns are split into groups. The k-th best group maximum is at most the k-th best score, so
    that few columns remain.
    """
    k = min(k, len(products) - (own >= 0))
    if k < 1:
        return np.empty(0, np.int32)
    depth = max(min(len(products) // (_SPARE * k), _DEPTH), 1)
    maxima = np.full((len(products) + depth - 1) // depth, -np.inf, np.float32)
    if own >= 0:
        products[own] = -np.inf
    _scale(products, scales, maxima)
    least = kth_greatest(maxima, k)
    low = np.float32(-np.inf)
    below = np.nextafter(np.nextafter(np.float32(least - slack), low), low)
    rows, scores = np.empty((2, len(products) + RUN), np.float32)
    held = (rows.view(np.int32), scores)
    count = gather(products, None, 0, 0, below, held, 0)[0]
    rough = scores[:count]
    near = rough >= kth_greatest(rough, k) - slack
    chosen: Array = held[0][:count][near]
    return chosen


@compiled
def _scale(products: Array, scales: tuple[Array, Array], maxima: Array) -> None:
    """Converts products to rough scores; column c is in group c % groups."""
    for start in range(0, len(products), len(maxima)):
        row = products[start : start + len(maxima)]
        scale, offset = scales[0][start : start + len(row)], scales[1][start : start + len(row)]
        for group in range(len(row)):
            value = row[group] * scale[group] + offset[group]
            row[group] = value
            maxima[group] = value if value > maxima[group] else maxima[group]


@compiled
def _score(
    chosen: Array, counts: Array, queries: Array, index: tuple[Array, Array], metric: int
) -> Array:
    """Scores of the candidates of some queries, query by query."""
    pairs, columns, rows = _transpose(chosen, counts, len(index[0]))
    scores, lanes, long = np.empty(len(pairs), np.float32), np.empty(LANES), lengths(queries)
    for place in range(len(pairs)):
        row, column = rows[place], columns[place]
        following = columns[min(place + _AHEAD, len(pairs) - 1)]
        if following != column:
            for entry in range(0, queries.shape[1], _LINE):
                prefetch(index[0][following], entry)
        norms = (long[row], index[1][column])
        scores[pairs[place]] = score(queries[row], index[0][column], norms, metric, lanes)
    return scores


@compiled
def _transpose(chosen: Array, counts: Array, size: int) -> tuple[Array, Array, Array]:
    """Pairs of queries and candidates, by candidate: numbers, candidates, queries (pairs,) each."""
    free = np.zeros(size + 1, np.int64)
    for row in range(len(counts)):
        for place in range(counts[row]):
            free[chosen[row, place] + 1] += 1
    free = np.cumsum(free)
    total, pair = free[-1], 0
    pairs, columns, rows = np.empty((3, total), np.int32)
    for row in range(len(counts)):
        for place in range(counts[row]):
            column = chosen[row, place]
            at = free[column]
            pairs[at], columns[at], rows[at] = pair, column, row
            free[column], pair = at + 1, pair + 1
    return pairs, columns, rows
