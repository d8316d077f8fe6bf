"""Easy negatives of SciNCL (section 4.5): random, farthest of a sample, or from a far cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.csr import find
from citescape.core.draws import draw_below
from citescape.networks.citations import Citations
from citescape.sampling.config import EASY, NeighbourhoodConfig
from citescape.sampling.draws import Ints
from citescape.sampling.pool import contains
from citescape.search import kernel
from citescape.search.clusters import find_clusters
from citescape.search.exact import NeighbourBlock, plain_array
from citescape.search.selection import sort_best
from citescape.search.vectors import Floats, Vectors, scale_to_units

_DRAWS = 1 << 21
"""Offset of the draws here, after those of positives and hard negatives in other modules."""
_CLOSE_DRAWS = 1 << 20
"""Offset of the draws of positives, after those of all easy negatives of a query."""
_TRIES = 64

References = tuple[Ints, Ints]
"""CSR of references: indptr (n + 1,), and rows of the cited papers, ascending for each paper."""


@dataclass(frozen=True)
class Space:
    """Vectors and clusters from which papers are drawn."""

    values: Floats
    """(n, d) unit vectors if cosines are needed; else (n, 1)."""
    members: tuple[Ints, Ints]
    """CSR of clusters: papers of cluster c are members[1][members[0][c] : members[0][c + 1]]."""
    target: Ints
    """(n,) cluster from which the easy negatives of each paper are drawn."""


def build_references(vectors: Vectors, citations: Citations | None) -> References:
    """References among the papers with vectors; empty without citations."""
    if citations is None:
        return np.zeros(len(vectors) + 1, np.int64), np.zeros(0, np.int32)
    rows = vectors.rows(citations.ids)  # ascending, as both have ascending ids
    citing, cited = rows[citations.citing], rows[citations.cited]
    known = (citing >= 0) & (cited >= 0)
    counts = np.bincount(citing[known], minlength=len(vectors))
    return np.append(0, np.cumsum(counts)).astype(np.int64), cited[known].astype(np.int32)


def build_space(vectors: Vectors, config: NeighbourhoodConfig, seed: int) -> Space:
    """Unit vectors and clusters, if the settings need them.

    Args:
        vectors: n vectors.
        config: strategies and number of clusters.
        seed: random seed of the clusters.
    """
    empty = np.zeros(0, np.int64)
    values = np.zeros((len(vectors), 1), np.float32)
    if "sorted" in (config.positives, config.easy):
        values = scale_to_units(plain_array(vectors.values))
    if config.easy == "clusters":
        clusters = find_clusters(vectors, min(config.clusters, len(vectors) // 2), seed=seed)
        order = np.argsort(clusters.labels, kind="stable")
        starts = np.searchsorted(clusters.labels[order], np.arange(len(clusters.centroids) + 1))
        target = _far_clusters(clusters.centroids, starts, config.cluster_distance)
        return Space(values, (starts, order), target[clusters.labels])
    return Space(values, (empty, empty), empty)


def _far_clusters(centroids: Floats, starts: Ints, distance: float) -> npt.NDArray[np.int64]:
    """(clusters,) the other cluster at a share of the ranks from the nearest to the farthest."""
    products = kernel.all_products(centroids)
    np.fill_diagonal(products, np.inf)
    products[:, np.diff(starts) == 0] = np.nan  # empty clusters come last
    order = np.argsort(-products, axis=1, kind="stable")  # itself first, nan last
    others = max(int((np.diff(starts) > 0).sum()) - 1, 1)
    place = 1 + round(distance * (others - 1))
    return order[:, min(place, order.shape[1] - 1)]


def pick_easy(
    block: NeighbourBlock,
    queries: Ints,
    config: NeighbourhoodConfig,
    *,
    space: Space,
    links: References,
    key: tuple[int, Ints],
) -> Ints:
    """Easy negatives (b, triplets - hard), distinct for each query; -1 where no paper is left.

    Positives and references of a query are excluded.

    Args:
        block: neighbours of the queries, nearest first.
        queries: (b,) rows of the queries.
        config: strategy and counts.
        space: result of `build_space`.
        links: references.
        key: seed, and positives (b, triplets).
    """
    strategy = EASY.index(config.easy)
    count = (config.per_anchor - config.hard, config.sample if config.easy == "sorted" else 1)
    seed, near = key
    return draw_easy(
        (queries.astype(np.int64), block.indices, near.astype(np.int32)),
        (space.values, space.members[0], space.members[1], space.target),
        links,
        (*count, seed, strategy),
    )


@compiled
def draw_easy(
    block: tuple[Ints, Ints, Ints],
    space: tuple[Ints, Ints, Ints, Ints],
    links: References,
    settings: tuple[int, int, int, int],
) -> Ints:
    """The kernel: easy negatives (b, count), -1 where no paper is left.

    Args:
        block: rows of the queries (b,), their neighbours (b, k) and positives (b, triplets).
        space: unit vectors, CSR of clusters, target cluster of each paper.
        links: references.
        settings: count, size of samples, seed, strategy: 0 filtered, 1 random, 2 sorted,
            3 clusters.
    """
    queries, neighbours, near = block
    values, starts, members, target = space
    (indptr, cited), (count, sample, seed, strategy) = links, settings
    papers = np.full((len(queries), count), -1, np.int32)
    for row in range(len(queries)):
        query = queries[row]
        low = starts[target[query]] if strategy == 3 else 0
        high = starts[target[query] + 1] if strategy == 3 else len(values)
        excluded = neighbours[row] if strategy == 0 else near[row]
        for k in range(count):
            worst = np.inf
            for turn in range(sample):
                drawn = (seed, query, k * sample + turn)
                taken = (excluded, papers[row, :k], indptr, cited)
                paper = draw_other(drawn, (low, high), members, taken)
                cosine = np.dot(values[query], values[paper]) if strategy == 2 else 0.0
                if paper >= 0 and cosine < worst:
                    worst = cosine
                    papers[row, k] = paper
    return papers


@compiled
def draw_closest(
    queries: Ints, values: Floats, settings: tuple[int, int, int]
) -> tuple[Ints, Floats]:
    """The closest of a random sample to each query, and their cosines (b, count).

    The closest comes first, equal ones in the order of drawing; missing papers are -1 with a cosine
    of -inf.

    Args:
        queries: (b,) rows of the queries.
        values: (n, d) unit vectors.
        settings: count, size of the sample, seed.
    """
    count, sample, seed = settings
    closest = np.full((len(queries), count), -1, np.int32)
    cosines = np.full((len(queries), count), -np.inf, np.float32)
    empty, indptr = np.zeros(0, np.int32), np.zeros(len(values) + 1, np.int64)
    members = np.zeros(0, np.int64)
    for row in range(len(queries)):
        query = queries[row]
        papers = np.empty(min(sample, len(values) - 1), np.int32)
        for k in range(len(papers)):
            taken = (papers[:k], empty, indptr, empty)
            drawn = (seed, query, _CLOSE_DRAWS + k)
            papers[k] = draw_other(drawn, (0, len(values)), members, taken)
        near = np.empty(len(papers), np.float32)
        for k in range(len(papers)):
            near[k] = np.dot(values[query], values[papers[k]])
        sort_best((papers, near), len(papers), closest[row], cosines[row])
    return closest, cosines


@compiled
def draw_other(
    key: tuple[int, int, int],
    bounds: tuple[int, int],
    members: Ints,
    excluded: tuple[Ints, Ints, Ints, Ints],
) -> int:
    """A random paper that is not the query and not excluded; -1 if no paper is left.

    After 64 failed draws all positions are tried in order, from the last draw on.

    Args:
        key: (seed, query, draw).
        bounds: range of positions in `members`, or of papers if `members` is empty.
        members: papers of all clusters; may be empty.
        excluded: two lists of papers, a long one and a short one, and the CSR of references.
    """
    seed, query, number = key
    many, few, indptr, cited = excluded
    low, high = bounds
    place = np.int64(low)
    for attempt in range(_TRIES + high - low if high > low else 0):
        if attempt < _TRIES:
            turn = _DRAWS + number * _TRIES + attempt
            place = low + draw_below(high - low, seed, query, turn)
        else:
            place = place + 1 if place + 1 < high else np.int64(low)
        paper = int(members[place] if len(members) else place)
        if paper == query or contains(few, paper) or holds(many, paper):
            continue
        if find(indptr, cited, query, paper) < 0:
            return paper
    return -1


@compiled
def holds(values: Ints, value: int | np.integer[Any]) -> bool:
    """Whether a long, unsorted array holds a value; reads all of it, so that it vectorises."""
    hits = 0
    for other in values:
        hits += other == value
    return hits > 0
