"""Bare loops of the exact search: from rough products to the k best, scored and ordered.

Products of matrices differ in the last digits with the shape of their blocks and the number of
threads. So they only choose candidates: all whose rough score is within twice the rounding error of
the k-th. These are scored again, each pair by itself in double precision and in a fixed order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.compiled import compiled

Array = npt.NDArray[Any]

COSINE, DOT, L2 = range(3)
_LANES = 32


@compiled
def dot(x: Array, y: Array) -> float:
    """The product of two vectors in double precision, summed in 32 lanes (compiled to AVX)."""
    lanes = np.zeros(_LANES)
    whole = len(x) - len(x) % _LANES
    for start in range(0, whole, _LANES):
        a, b = x[start : start + _LANES], y[start : start + _LANES]
        for lane in range(_LANES):
            lanes[lane] += np.float64(a[lane]) * np.float64(b[lane])
    total = 0.0
    for lane in range(_LANES):
        total += lanes[lane]
    for k in range(whole, len(x)):
        total += np.float64(x[k]) * np.float64(y[k])
    return total


@compiled
def squared_distance(x: Array, y: Array) -> float:
    """The square of the Euclidean distance in double precision."""
    total = 0.0
    for k in range(len(x)):
        difference = np.float64(x[k]) - np.float64(y[k])
        total += difference * difference
    return total


@compiled
def lengths(values: Array) -> Array:
    """(n,) Euclidean length of each row, NaN or infinite where an entry is."""
    found = np.empty(len(values))
    for row in range(len(values)):
        found[row] = np.sqrt(dot(values[row], values[row]))
    return found


@compiled
def sink(heap: Array, value: float) -> None:
    """Puts a value in place of the smallest, which stands at the root."""
    place, child, size = 0, 1, len(heap)
    while child < size:
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    heap[place] = value


@compiled
def threshold(products: Array, scale: Array, offset: Array, own: int, heap: Array) -> Any:
    """The k-th largest rough score of a row, the paper itself aside; k is the heap's length."""
    heap[:] = -np.inf
    least = heap[0]
    for column in range(len(products)):
        score = products[column] * scale[column] + offset[column]
        if score > least and column != own:
            sink(heap, score)
            least = heap[0]
    return least


@compiled
def gather(products: Array, scale: Array, offset: Array, own: int, least: float) -> Array:
    """Ascending columns whose rough score is `least` or more, the paper itself aside."""
    found = np.empty(len(products), np.int32)
    count = 0
    for column in range(len(products)):
        score = products[column] * scale[column] + offset[column]
        found[count] = column
        count += score >= least and column != own
    return found[:count]


@compiled
def score(query: Array, values: Array, chosen: Array, norms: Array, metric: int) -> Array:
    """Scores of chosen rows, single precision: cosine, product, or distance times -1."""
    scores = np.empty(len(chosen), np.float32)
    length = np.sqrt(dot(query, query))
    for k in range(len(chosen)):
        row = chosen[k]
        if metric == L2:
            scores[k] = -np.sqrt(squared_distance(query, values[row]))
        elif metric == DOT:
            scores[k] = dot(query, values[row])
        else:
            scores[k] = dot(query, values[row]) / (length * norms[row])
    return scores


@compiled
def rank(
    products: Array,
    scale: Array,
    offset: Array,
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

    The order is (score descending, row ascending), which is by ids, as rows are.
    """
    k = indices.shape[1]
    heap = np.empty(k, np.float32)
    for row in range(len(products)):
        least = threshold(products[row], scale, offset, own[row], heap)
        chosen = gather(products[row], scale, offset, own[row], least - slack[row])
        found = score(queries[row], values, chosen, norms, metric)
        order = np.argsort(-found, kind="mergesort")[:k]
        indices[row] = chosen[order]
        scores[row] = found[order]


@compiled
def rescore(
    queries: Array,
    values: Array,
    own: Array,
    norms: Array,
    metric: int,
    candidates: Array,
    indices: Array,
    scores: Array,
) -> Array:
    """The same from candidates (b, c), ascending and -1 where there is none; the rows too short.

    (b,) True where fewer than k were found: indices and scores of that row are left as they are.
    """
    k = indices.shape[1]
    short = np.zeros(len(queries), np.bool_)
    for row in range(len(queries)):
        given = candidates[row]
        chosen = given[(given >= 0) & (given != own[row])]
        if len(chosen) < k:
            short[row] = True
            continue
        found = score(queries[row], values, chosen, norms, metric)
        order = np.argsort(-found, kind="mergesort")[:k]
        indices[row] = chosen[order]
        scores[row] = found[order]
    return short


@compiled
def choose_nearest(
    products: Array, slack: float, rows: Array, centroids: Array, nearest: Array
) -> None:
    """Fills nearest (b,) from rough products (b, c): the column of the largest, the first if equal.

    Columns within `slack` of it are compared by their products in double precision.
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
