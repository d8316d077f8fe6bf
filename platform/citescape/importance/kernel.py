"""Compiled kernels over integer arrays: pairs in CSR order, counts, shared authors, scores.

A pair is a position in CSR order: citing papers ascending, then cited papers ascending. Papers
and authors are codes (int32). Counts have the columns `I, M, R, D, OTHER, COMBINED`; the last one
repeats those of R in sections that combine results and discussion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.csr import find
from citescape.core.draws import mix

Ints = npt.NDArray[Any]  # integers of any width; numba compiles a kernel for each
Floats = npt.NDArray[np.float64]

INTRO, METHOD, RESULT, DISCUSSION, OTHER, COMBINED = range(6)
SELF, TITLE = 5, 6  # the two components that are not columns of the counts
COMPONENTS = 7
GRID = 2.0**-15
"""Step of title similarities, which are stored as whole numbers 0..32768 of steps."""
MISSING = 65535
"""A title similarity that does not exist: one of the titles is missing."""


@compiled
def count_mentions(
    indptr: Ints, cited: Ints, counts: Ints, mentions: tuple[Ints, Ints, Ints], start: int
) -> tuple[int, int]:
    """Adds mentions to counts. Kind `COMBINED` counts as R too.

    Args:
        indptr: (papers + 1,) first pair of each citing paper.
        cited: (pairs,) cited papers, ascending within a citing paper.
        counts: (pairs, 6) counts, to which the mentions are added.
        mentions: three arrays (k,): citing papers, cited papers, kinds.
        start: first mention to add.

    Returns:
        The position at which it stopped, k or the first mention that would exceed the integer type,
        and the number of mentions without a pair.
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
def have_common(first: Ints, second: Ints) -> bool:
    """Whether two sorted arrays have an element in common."""
    i, j = 0, 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            return True
        if first[i] < second[j]:
            i += 1
        else:
            j += 1
    return False


@compiled
def sign(indptr: Ints, values: Ints) -> Ints:
    """64 bits per row, one set for each value: rows with disjoint bits share no value."""
    signatures = np.zeros(len(indptr) - 1, np.uint64)
    for row in range(len(indptr) - 1):
        for value in values[indptr[row] : indptr[row + 1]]:
            spread = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing
            signatures[row] |= np.uint64(1) << (spread >> np.uint64(58))
    return signatures


@compiled
def mark_shared(indptr: Ints, cited: Ints, author_ptr: Ints, authors: Ints) -> Ints:
    """1 for each pair whose papers have an author in common, else 0: uint8 (pairs,).

    Signatures rule out most pairs with one memory access instead of three.

    Args:
        indptr: (papers + 1,) first pair of each citing paper.
        cited: (pairs,) cited papers.
        author_ptr: (papers + 1,) first author of each paper.
        authors: authors of all papers, ascending within a paper.
    """
    marks = np.zeros(len(cited), np.uint8)
    signatures = sign(author_ptr, authors)
    for row in range(len(indptr) - 1):
        own, signature = authors[author_ptr[row] : author_ptr[row + 1]], signatures[row]
        for pair in range(indptr[row], indptr[row + 1]):
            j = cited[pair]
            if signature & signatures[j]:
                marks[pair] = have_common(own, authors[author_ptr[j] : author_ptr[j + 1]])
    return marks


@compiled
def tally(counts: Ints, selfs: Ints, halves: bool, size: int) -> Ints:
    """Histograms (6, size) of I, M, R, D, OTHER, SELF over all pairs.

    Args:
        counts: (pairs, 6) counts.
        selfs: (pairs,) 1 for self-citations, else 0.
        halves: whether R and D are in units of one half: 2 R - COMBINED and 2 D + COMBINED.
        size: maximum value + 1.
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
    if n > 0 and (low > 0.0) == (
        partials[n - 1] > 0.0
    ):  # a tie, which the remaining partials break
        nudged: float = total + 2.0 * low
        if 2.0 * low == nudged - total:
            return nudged
    return total + 0.0  # never minus zero


@compiled
def weigh(counts: Ints, selfs: Ints, similarity: Ints, weights: Floats, halves: bool) -> Floats:
    """Importance (pairs,): the exactly rounded sum of weight x value over the seven components.

    Args:
        counts: (pairs, 6) counts.
        selfs: (pairs,) 1 for self-citations, else 0.
        similarity: (pairs,) title similarities in steps of GRID; may be empty.
        weights: (7,) weights in the order I, M, R, D, OTHER, SELF, TITLE.
        halves: whether a mention in a combined section counts half in R and half in D.
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
    """Value of a component of a pair; 0 for TITLE.

    Args:
        counts: (6,) counts of the pair.
        is_self: 1 for a self-citation, else 0.
        c: index of the component.
        halves: whether a mention in a combined section counts half in R and half in D.
    """
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
def hash_pairs(citing: Ints, cited: Ints, counts: Ints, selfs: Ints) -> Ints:
    """64 bits (pairs,) that depend on the ids and the features of each pair.

    Args:
        citing: (pairs,) hashes of the ids of the citing papers, uint64.
        cited: (pairs,) hashes of the ids of the cited papers, uint64.
        counts: (pairs, 6) counts.
        selfs: (pairs,) 1 for self-citations, else 0.
    """
    hashes = np.empty(len(selfs), np.uint64)
    for pair in range(len(selfs)):
        bits = mix(mix(citing[pair]) + cited[pair])
        for count in counts[pair]:
            bits = mix(bits + np.uint64(count))
        hashes[pair] = mix(bits + np.uint64(selfs[pair]))
    return hashes


@compiled
def compare(indptr: Ints, cited: Ints, titles: Ints, vectors: npt.NDArray[np.float32]) -> Ints:
    """Title similarities (pairs,) in steps of GRID, 0..32768, or MISSING.

    A negative cosine is 0; the similarity of equal titles is 1.

    Args:
        indptr: (papers + 1,) first pair of each citing paper.
        cited: (pairs,) cited papers.
        titles: (papers,) row of `vectors`, -1 if missing.
        vectors: (titles, dimensions) vectors of length 1.
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
