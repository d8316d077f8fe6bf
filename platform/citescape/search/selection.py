"""Bare loops of the exact search: from rough products to the k best, scored and ordered.

Products of matrices differ in the last digits with the shape of their blocks and the number of
threads. So they only choose candidates: all whose rough score is within twice the rounding error of
the k-th. These are scored again, each pair by itself, paper by paper, so that a vector is read once
for all queries that chose it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled, prefetch
from citescape.search.kernel import LANES, lengths, order_best, score

Array = npt.NDArray[Any]
_DEPTH = 32
"""Columns in a group, of which only the best is looked at first."""
_SPARE = 4
"""Groups there are for each of the k at least."""
_STRETCH = 16
_AHEAD, _LINE = 2, 16
"""Pairs ahead of which a vector is asked for, and its numbers in a line of the cache."""
_PAIRS = 1 << 19
"""Candidates scored at one time, of a query at least."""


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

    The order is (score descending, row ascending), which is by ids, as rows are. The products are
    lost: candidates take their place.

    Args:
        products: rough ones of b queries with n vectors.
        scales: (n,) each: a rough score is product * scale + offset.
        slack: (b,) twice the error of a rough score.
        own: (b,) the column of each query itself, -1 for none.
        queries: (b, d).
        values: (n, d).
        norms: (n,) lengths of `values`.
        metric: see `kernel`.
        indices: (b, k) filled.
        scores: (b, k) filled.
    """
    counts, chosen = np.empty(len(products), np.int64), products.view(np.int32)
    for row in range(len(products)):
        found = _choose(products[row], scales, slack[row], own[row], indices.shape[1])
        counts[row] = len(found)
        chosen[row, : len(found)] = found
    first = 0
    while first < len(products):
        last, pairs = first + 1, counts[first]
        while last < len(products) and pairs + counts[last] <= _PAIRS:
            last, pairs = last + 1, pairs + counts[last]
        group = slice(first, last)
        found = _score(chosen[group], counts[group], queries[group], (values, norms), metric)
        _fill(chosen[group], counts[group], found, indices[group], scores[group])
        first = last


@compiled
def _choose(products: Array, scales: tuple[Array, Array], slack: float, own: int, k: int) -> Array:
    """Ascending columns whose rough score is within `slack` of the k-th best, `own` aside.

    Columns are dealt into groups. The k-th best of the groups' maxima is at most the k-th best
    score, so that few columns are left to be compared with each other.
    """
    depth = max(min(len(products) // (_SPARE * k), _DEPTH), 1)
    maxima = np.full((len(products) + depth - 1) // depth, -np.inf, np.float32)
    if own >= 0:
        products[own] = -np.inf
    _scale(products, scales, maxima)
    least = np.partition(maxima, len(maxima) - k)[len(maxima) - k]
    found = _gather(products, np.nextafter(np.float32(least - slack), np.float32(-np.inf)))
    rough = products[found]
    near = rough >= np.partition(rough, len(rough) - k)[len(rough) - k] - slack
    chosen: Array = found[near]
    return chosen


@compiled
def _scale(products: Array, scales: tuple[Array, Array], maxima: Array) -> None:
    """Turns products into rough scores; column c is in group c % groups."""
    for start in range(0, len(products), len(maxima)):
        row = products[start : start + len(maxima)]
        scale, offset = scales[0][start : start + len(row)], scales[1][start : start + len(row)]
        for group in range(len(row)):
            found = row[group] * scale[group] + offset[group]
            row[group] = found
            maxima[group] = found if found > maxima[group] else maxima[group]


@compiled
def _gather(scores: Array, least: float) -> Array:
    """Ascending columns with `least` or more; stretches that have none are passed over."""
    found, count = np.empty(len(scores) + 1, np.int32), 0
    for start in range(0, len(scores), _STRETCH):
        part, there = scores[start : start + _STRETCH], np.int32(0)
        for place in range(len(part)):
            there |= np.int32(part[place] >= least)
        if there:
            for place in range(len(part)):
                found[count] = start + place
                count += part[place] >= least
    return found[:count]


@compiled
def _score(
    chosen: Array, counts: Array, queries: Array, index: tuple[Array, Array], metric: int
) -> Array:
    """Scores of the candidates of some queries, query by query."""
    pairs, columns, rows = _turn(chosen, counts, len(index[0]))
    found, lanes, long = np.empty(len(pairs), np.float32), np.empty(LANES), lengths(queries)
    for place in range(len(pairs)):
        row, column = rows[place], columns[place]
        following = columns[min(place + _AHEAD, len(pairs) - 1)]
        if following != column:
            for entry in range(0, queries.shape[1], _LINE):
                prefetch(index[0][following], entry)
        norms = (long[row], index[1][column])
        found[pairs[place]] = score(queries[row], index[0][column], norms, metric, lanes)
    return found


@compiled
def _turn(chosen: Array, counts: Array, size: int) -> tuple[Array, Array, Array]:
    """Pairs of queries and candidates, by candidate: numbers, candidates, queries (pairs,)."""
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


@compiled
def _fill(chosen: Array, counts: Array, found: Array, indices: Array, scores: Array) -> None:
    """The k best of each query, ordered."""
    first = 0
    for row in range(len(counts)):
        own = found[first : first + counts[row]]
        order = order_best(own)[: indices.shape[1]]
        indices[row], scores[row] = chosen[row][order], own[order]
        first += counts[row]
