"""Bare loops over integer arrays: pairs in CSR order, counts, shared authors, scores.

A pair is a position in CSR order: citing papers ascending, then cited papers ascending. Papers
and authors are codes (int32). Counts stand in columns `I, M, R, D, OTHER, COMBINED`; the last
repeats those of R that stand in a section joining results with discussion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.csr import find

Ints = npt.NDArray[Any]  # of any width: each is compiled for the widths it meets
Floats = npt.NDArray[np.float64]

INTRO, METHOD, RESULT, DISCUSSION, OTHER, COMBINED = range(6)
SELF, TITLE = 5, 6  # the two components that are no column of the counts
COMPONENTS = 7
GRID = 2.0**-15
"""Step of title similarities, which are kept as whole numbers 0..32768 of it."""
MISSING = 65535
"""A title similarity that does not exist: one of the titles is missing."""


@compiled
def count_mentions(
    indptr: Ints, cited: Ints, counts: Ints, mentions: tuple[Ints, Ints, Ints], start: int
) -> tuple[int, int]:
    """Adds mentions (citing, cited, kind), from the start-th on, to `counts` (pairs, 6).

    Kind `COMBINED` counts as R too. Returns where it stopped (the end, or the first mention that
    would wrap its count) and how many mentions belong to no pair.
    """
    rows, values, kinds = mentions
    limit = np.iinfo(counts.dtype).max
    strays = 0
    for k in range(start, len(rows)):
        pair = find(indptr, cited, rows[k], values[k])
        if pair < 0:
            strays += 1
            continue
        kind = RESULT if kinds[k] == COMBINED else kinds[k]
        if counts[pair, kind] == limit:
            return k, strays
        counts[pair, kind] += 1
        if kinds[k] == COMBINED:
            counts[pair, COMBINED] += 1
    return len(rows), strays


@compiled
def share(one: Ints, other: Ints) -> bool:
    """Whether two sorted arrays have an element in common."""
    i, j = 0, 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            return True
        if one[i] < other[j]:
            i += 1
        else:
            j += 1
    return False


@compiled
def sign(indptr: Ints, values: Ints) -> Ints:
    """64 bits a row, one set for each value: rows whose bits are disjoint share no value."""
    signatures = np.zeros(len(indptr) - 1, np.uint64)
    for row in range(len(indptr) - 1):
        for value in values[indptr[row] : indptr[row + 1]]:
            spread = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing
            signatures[row] |= np.uint64(1) << (spread >> np.uint64(58))
    return signatures


@compiled
def mark_shared(indptr: Ints, cited: Ints, author_ptr: Ints, authors: Ints) -> Ints:
    """1 for each pair whose papers have an author in common, else 0: uint8 (pairs,).

    Signatures rule out most pairs with one look into memory instead of three.
    """
    marks = np.zeros(len(cited), np.uint8)
    signatures = sign(author_ptr, authors)
    for row in range(len(indptr) - 1):
        own, signature = authors[author_ptr[row] : author_ptr[row + 1]], signatures[row]
        for pair in range(indptr[row], indptr[row + 1]):
            j = cited[pair]
            if signature & signatures[j]:
                marks[pair] = share(own, authors[author_ptr[j] : author_ptr[j + 1]])
    return marks


@compiled
def tally(counts: Ints, selfs: Ints, halves: bool, size: int) -> Ints:
    """Histograms (6, size) of I, M, R, D, OTHER, SELF over all pairs.

    With `halves`, R and D are in units of one half: 2 R - COMBINED and 2 D + COMBINED.
    """
    bins = np.zeros((6, size), np.int64)
    for pair in range(len(selfs)):
        r, d = np.int64(counts[pair, RESULT]), np.int64(counts[pair, DISCUSSION])
        if halves:
            r, d = 2 * r - counts[pair, COMBINED], 2 * d + counts[pair, COMBINED]
        bins[INTRO, counts[pair, INTRO]] += 1
        bins[METHOD, counts[pair, METHOD]] += 1
        bins[RESULT, r] += 1
        bins[DISCUSSION, d] += 1
        bins[OTHER, counts[pair, OTHER]] += 1
        bins[SELF, selfs[pair]] += 1
    return bins


@compiled
def tally_titles(similarity: Ints) -> Ints:
    """Histogram of title similarities in grid steps; a missing one counts as 0."""
    bins = np.zeros(MISSING, np.int64)
    for step in similarity:
        bins[0 if step == MISSING else step] += 1
    return bins


@compiled
def exact_sum(terms: Floats, partials: Floats) -> float:
    """The sum of `terms`, rounded once: bit for bit what `math.fsum` returns.

    Shewchuk's algorithm as in CPython's mathmodule.c; `partials` is work space of len(terms) + 1.
    """
    n = 0
    for term in terms:
        x, kept = term, 0
        for k in range(n):
            y = partials[k]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        partials[kept] = x
        n = kept + 1
    return round_once(partials, n)


@compiled
def round_once(partials: Floats, n: int) -> float:
    """Sum of n non-overlapping partials in ascending order, rounded half to even."""
    if n == 0:
        return 0.0
    n -= 1
    total: float = partials[n]
    low = 0.0
    while n > 0 and low == 0.0:
        n -= 1
        before = total
        total = before + partials[n]
        low = partials[n] - (total - before)
    if n > 0 and (low > 0.0) == (partials[n - 1] > 0.0):  # a tie whose rest says which way
        nudged: float = total + 2.0 * low
        if 2.0 * low == nudged - total:
            return nudged
    return total + 0.0  # never minus zero


@compiled
def weigh(counts: Ints, selfs: Ints, similarity: Ints, weights: Floats, halves: bool) -> Floats:
    """Importance (pairs,): the exactly rounded sum of weight x value over the seven components.

    `weights` (7,) in the order I, M, R, D, OTHER, SELF, TITLE; `similarity` may be empty.
    """
    scores = np.empty(len(selfs), np.float64)
    terms, partials = np.empty(COMPONENTS), np.empty(COMPONENTS + 1)
    for pair in range(len(selfs)):
        n = 0
        for c in range(COMPONENTS):
            if weights[c] == 0.0:
                continue
            value = component(counts[pair], selfs[pair], c, halves)
            if c == TITLE and similarity[pair] != MISSING:
                value = similarity[pair] * GRID
            if value != 0.0:
                terms[n] = weights[c] * value
                n += 1
        if n <= 2:  # two terms or fewer: one addition rounds once
            scores[pair] = (terms[0] if n else 0.0) + (terms[1] if n == 2 else 0.0)
        else:
            scores[pair] = exact_sum(terms[:n], partials)
    return scores


@compiled
def component(counts: Ints, is_self: int, c: int, halves: bool) -> float:
    """Value of component `c` of a pair with the given counts (6,); 0 for TITLE."""
    if c == SELF:
        return float(is_self)
    if c == TITLE:
        return 0.0
    value = float(counts[c])
    if halves and c == RESULT:
        value -= 0.5 * counts[COMBINED]
    if halves and c == DISCUSSION:
        value += 0.5 * counts[COMBINED]
    return value


@compiled
def compare(indptr: Ints, cited: Ints, titles: Ints, vectors: npt.NDArray[np.float32]) -> Ints:
    """Title similarities (pairs,) in steps of GRID, 0..32768, or MISSING.

    `titles` (papers,) gives each paper's row of `vectors` (titles, dimensions), which have length
    one, or -1. A negative cosine is 0; a title is as similar as can be to itself.
    """
    steps = np.empty(len(cited), np.uint16)
    for row in range(len(indptr) - 1):
        a = titles[row]
        for pair in range(indptr[row], indptr[row + 1]):
            b = titles[cited[pair]]
            if a < 0 or b < 0:
                steps[pair] = MISSING
                continue
            cosine = 1.0 if a == b else 0.0
            if a != b:
                for k in range(vectors.shape[1]):
                    cosine += np.float64(vectors[a, k]) * np.float64(vectors[b, k])
            steps[pair] = int(min(1.0, max(0.0, cosine)) / GRID + 0.5)
    return steps
