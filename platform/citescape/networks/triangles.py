"""Triangles of a network, and the local and global clustering coefficients."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled
from citescape.networks.network import Network, read_links

Counts = npt.NDArray[np.int64]
_PARTS = 16
"""Blocks of work; Ctrl-C takes effect between two of them."""


def count_triangles(network: Network, *, threads: int = 0) -> Counts:
    """Counts the triangles (papers,) of each paper; a triangle counts for each of its three papers.

    Each edge is directed from the end with fewer neighbours to the end with more, or from the lower
    position if equal; a triangle is counted once, from its first paper. A paper then has at most
    sqrt(2E) outgoing edges, however many neighbours it has.

    Weights are ignored. `threads` is 0 for all usable cores; the counts do not depend on it.
    """
    links = read_links(network)
    indptr, higher = _direct_edges(links.indptr, links.neighbours)
    work = partial(_count_part, indptr, higher, parts=_PARTS)
    counts = np.zeros(len(network), np.int64)
    for part in run_blocks(work, range(_PARTS), threads=threads):
        counts += part
    return counts


def local_clustering(degrees: Counts, triangles: Counts) -> float | None:
    """The mean local clustering coefficient over all papers (Watts and Strogatz 1998).

    The coefficient of a paper with d neighbours and t triangles is 2 t / (d (d - 1)), the share of
    pairs of its neighbours that are linked; it is 0 with fewer than two neighbours.

    `degrees` (papers,), `triangles` (papers,) of `count_triangles`.

    Returns:
        0 to 1; None without papers. The order of papers does not change a bit of it.
    """
    if not len(degrees):
        return None
    pairs = np.maximum(degrees * (degrees - 1) // 2, 1)
    return math.fsum((triangles / pairs).data) / len(degrees)


def transitivity(degrees: Counts, triangles: Counts) -> float | None:
    """The global clustering coefficient: 3 triangles / connected triples (Newman 2003, Eq. 3).

    A paper with d neighbours is in the middle of d (d - 1) / 2 triples. Papers with many neighbours
    have a higher weight than in the mean local coefficient.

    Returns:
        0 to 1; None if no paper has two neighbours.
    """
    triples = int((degrees * (degrees - 1) // 2).sum())
    return int(triangles.sum()) / triples if triples else None


@compiled
def _direct_edges(
    indptr: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Directs each edge from the end with fewer neighbours."""
    size = len(indptr) - 1
    starts = np.zeros(size + 1, np.int64)
    higher = np.empty(len(neighbours) // 2, np.int32)
    used = 0
    for paper in range(size):
        own = indptr[paper + 1] - indptr[paper]
        for at in range(indptr[paper], indptr[paper + 1]):
            other = neighbours[at]
            degree = indptr[other + 1] - indptr[other]
            if own < degree or (own == degree and paper < other):
                higher[used] = other
                used += 1
        starts[paper + 1] = used
    return starts, higher


@compiled
def _count_part(
    indptr: npt.NDArray[np.int64], higher: npt.NDArray[np.int32], part: int, parts: int
) -> npt.NDArray[np.int64]:
    """Counts triangles (papers,) whose first paper is among every `parts`-th from `part`."""
    size = len(indptr) - 1
    counts, mark = np.zeros(size, np.int64), np.full(size, -1, np.int32)
    for paper in range(part, size, parts):
        first, last = indptr[paper], indptr[paper + 1]
        for at in range(first, last):
            mark[higher[at]] = paper
        for at in range(first, last):
            second = higher[at]
            for link in range(indptr[second], indptr[second + 1]):
                third = higher[link]
                if mark[third] == paper:
                    counts[paper] += 1
                    counts[second] += 1
                    counts[third] += 1
    return counts
