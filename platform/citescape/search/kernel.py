"""Bare loops over vectors: scores of pairs in double precision, each by itself in a fixed order."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled

Array = npt.NDArray[Any]

COSINE, DOT, L2 = range(3)
LANES = 32
_POSITIVE = np.uint32((1 << 31) - 1)
_HALF, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)


@compiled
def dot(x: Array, y: Array) -> float:
    """The product of two vectors in double precision, summed in 32 lanes (compiled to AVX)."""
    return sum_products(x, y, np.empty(LANES))


@compiled
def sum_products(x: Array, y: Array, lanes: Array) -> float:
    """As `dot`, with room for the lanes (32,) given."""
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
    """The square of the Euclidean distance in double precision, summed as `dot`."""
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
    """(n,) Euclidean length of each row, NaN or infinite where an entry is."""
    found, lanes = np.empty(len(values)), np.empty(LANES)
    for row in range(len(values)):
        found[row] = np.sqrt(sum_products(values[row], values[row], lanes))
    return found


@compiled
def score(query: Array, other: Array, norms: tuple[float, float], metric: int, lanes: Array) -> Any:
    """Cosine, product, or distance times -1 of two vectors, `norms` their lengths."""
    if metric == L2:
        return -np.sqrt(squared_distance(query, other, lanes))
    product = sum_products(query, other, lanes)
    return product if metric == DOT else product / (norms[0] * norms[1])


@compiled
def order_best(scores: Array) -> Array:
    """(n,) places of scores in single precision: the highest first, of equal ones the lower place.

    Score and place are sorted as one whole number.
    """
    bits = (scores + np.float32(0.0)).view(np.uint32)  # -0.0 becomes 0.0
    keys = np.empty(len(scores), np.uint64)
    for place in range(len(scores)):
        falling = bits[place] if bits[place] > _POSITIVE else bits[place] ^ _POSITIVE
        keys[place] = (np.uint64(falling) << _HALF) | np.uint64(place)
    keys.sort()
    return (keys & _LOW).astype(np.int32)


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
    """Fills indices (b, k) and scores (b, k) as `selection.rank`, from candidates (b, c).

    These ascend, -1 where there is none. Returns (b,) True where fewer than k were found: indices
    and scores of that row are left as they are.
    """
    k, lanes, long = indices.shape[1], np.empty(LANES), lengths(queries)
    short = np.zeros(len(queries), np.bool_)
    for row in range(len(queries)):
        given = candidates[row]
        chosen = given[(given >= 0) & (given != own[row])]
        if len(chosen) < k:
            short[row] = True
            continue
        found = np.empty(len(chosen), np.float32)
        for place in range(len(chosen)):
            ends = (long[row], norms[chosen[place]])
            found[place] = score(queries[row], values[chosen[place]], ends, metric, lanes)
        order = order_best(found)[:k]
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
