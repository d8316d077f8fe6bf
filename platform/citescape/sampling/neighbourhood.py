"""SciNCL's triplets: near papers of a citation-graph embedding above far ones (section 3.4)."""

from __future__ import annotations

import numpy as np

from citescape.core.compiled import compiled
from citescape.core.csr import locate
from citescape.core.draws import draw_below
from citescape.core.errors import ConfigError
from citescape.core.sorting import sort
from citescape.networks.citations import Citations
from citescape.sampling.config import NeighbourhoodConfig, SamplingConfig
from citescape.sampling.contradictions import find_contradictory
from citescape.sampling.draws import Ints
from citescape.sampling.easy import (
    References,
    Space,
    build_references,
    build_space,
    draw_closest,
    pick_easy,
)
from citescape.sampling.pool import (
    Mask,
    SampledTriplets,
    choose_anchors,
    contains,
    count_rows,
    hold_out,
)
from citescape.sampling.triplets import RANDOM, Triplets, build_triplets, reason_code
from citescape.search.exact import NeighbourBlock
from citescape.search.neighbours import iter_neighbours
from citescape.search.vectors import Floats, Vectors

_NEAR, _FAR, _ABOVE = (
    reason_code("near neighbour"),
    reason_code("far neighbour"),
    reason_code("above threshold"),
)
_EASY_REASONS = {
    "filtered": RANDOM,
    "random": RANDOM,
    "sorted": reason_code("furthest of a sample"),
    "clusters": reason_code("of another cluster"),
}
_CLOSE_REASONS = {"band": _NEAR, "threshold": _ABOVE, "sorted": reason_code("nearest of a sample")}
_HARD_DRAWS = 1 << 20


def sample_neighbourhood(
    vectors: Vectors,
    config: NeighbourhoodConfig | None = None,
    *,
    queries: Mask | None = None,
    citations: Citations | None = None,
    sampling: SamplingConfig | None = None,
    threads: int = 0,
) -> SampledTriplets:
    """Triplets from the neighbourhoods of papers in an embedding.

    Ranks are by cosine among the papers of `vectors`, without the query itself; equal cosines are
    in the order of ids. The positives of a query, in order of rank, are paired with easy negatives
    first, then with hard negatives, as in the authors' code.

    Args:
        vectors: vectors of the training corpus: papers with a text and a vector of the graph.
        config: bands, strategies, counts.
        queries: (n,) true for papers that become anchors; None for all.
        citations: references of a query are not drawn as its easy negatives; may be None.
        sampling: seed, split, size.
        threads: 0 for all cores; results do not depend on it.

    Returns:
        Triplets, and the counts `papers` (searched), `far` (k- hard in use), `queries`,
        `no_positive_above` and `no_negative_above` (triplets skipped without a neighbour above the
        threshold; negatives must be farther than all positives of the query),
        `threshold_beyond_reach` (queries with all `far` neighbours above the threshold; the last
        ones are used), `no_random_paper`, `contradictory` (triplets with a pair that is close in
        one and far in another), `contradictory_dropped`; with citations `hard_cited` (hard
        negatives that the anchor cites).

    Raises:
        ConfigError: the bands do not fit the corpus, or a vector is zero.
    """
    sampling = sampling or SamplingConfig()
    config = (config or NeighbourhoodConfig()).scaled(len(vectors))
    anchors = np.flatnonzero(np.ones(len(vectors), np.bool_) if queries is None else queries)
    chosen = choose_anchors(anchors.astype(np.int32), vectors.ids, sampling)
    if sampling.triplets is not None:
        chosen = chosen[: -(-sampling.triplets // config.per_anchor)]
    chosen = np.sort(chosen)
    if not len(chosen):
        raise ConfigError("no paper is a query; expected some with a vector and a text")
    links = build_references(vectors, citations)
    drawn, counts = _sample_blocks(
        vectors, chosen, config, links=links, seed=sampling.seed, threads=threads
    )
    if sampling.triplets is not None:
        drawn = drawn.select_rows(np.arange(min(len(drawn), sampling.triplets)))
    clash = find_contradictory(drawn)
    clean = drawn.select_rows(~clash) if config.contradictions == "drop" else drawn
    counts |= count_rows(
        contradictory=int(clash.sum()), contradictory_dropped=len(drawn) - len(clean)
    )
    if citations is not None:  # easy negatives are not cited
        counts |= count_rows(hard_cited=(locate(*links, clean.anchor, clean.negative) >= 0).sum())
    return SampledTriplets(hold_out(clean, sampling), counts)


def _sample_blocks(
    vectors: Vectors,
    chosen: Ints,
    config: NeighbourhoodConfig,
    *,
    links: References,
    seed: int,
    threads: int,
) -> tuple[Triplets, dict[str, int]]:
    assert config.far is not None
    space = build_space(vectors, config, seed)
    parts = []
    for block in iter_neighbours(vectors, config.far, queries=chosen, threads=threads):
        queries = chosen[block.first : block.first + len(block.indices)]
        parts.append(_sample_block(block, queries, config, space=space, links=links, seed=seed))
    table, cosines = (np.concatenate([part[k] for part in parts]) for k in range(2))
    is_hard = np.tile(np.arange(config.per_anchor) >= config.per_anchor - config.hard, len(chosen))
    missing = table[:, 1:3] < 0
    counts = count_rows(
        papers=len(vectors),
        far=config.far,
        queries=len(chosen),
        no_positive_above=int(missing[:, 0].sum()),
        no_negative_above=int((is_hard & missing[:, 1]).sum()),
        threshold_beyond_reach=sum(part[2] for part in parts),
        no_random_paper=int((~is_hard & missing[:, 1]).sum()),
    )
    kept = ~missing.any(axis=1)
    far = _FAR if config.negatives == "band" else _ABOVE
    easy = _EASY_REASONS[config.easy]
    triplets = build_triplets(
        vectors.ids,
        table[kept, :3],
        reasons=(_CLOSE_REASONS[config.positives], np.where(is_hard[kept], far, easy)),
        ranks=table[kept, 3:],
        scores=cosines[kept],
    )
    return triplets, counts


def _sample_block(
    block: NeighbourBlock,
    queries: Ints,
    config: NeighbourhoodConfig,
    *,
    space: Space,
    links: References,
    seed: int,
) -> tuple[Ints, Floats, int]:
    """Triplets of the queries, easy ones first.

    Returns:
        (triplets, 5) anchor, positive, negative, rank of the positive, rank of the negative;
        (triplets, 2) cosines of both; the number of queries beyond the threshold.
    """
    hard, hard_ranks = pick_hard(block, queries, config, seed=seed)
    if config.positives == "sorted":
        settings = (config.per_anchor, config.sample, seed)
        near, cosines = draw_closest(queries.astype(np.int64), space.values, settings)
        near_ranks = np.zeros_like(near)
        far_cosines = np.take_along_axis(block.scores, np.maximum(hard_ranks - 1, 0), axis=1)
        farther = far_cosines < cosines.min(axis=1, keepdims=True)
    else:
        near, near_ranks = pick_near(block, queries, config, seed=seed)
        farther = hard_ranks > near_ranks.max(
            axis=1, keepdims=True
        )  # all, if the bands do not overlap
    hard, hard_ranks = np.where(farther, hard, -1), np.where(farther, hard_ranks, 0)
    easy = pick_easy(block, queries, config, space=space, links=links, key=(seed, near))
    far = np.concatenate([easy, hard], axis=1)
    far_ranks = np.concatenate([np.zeros_like(easy), hard_ranks], axis=1)
    beyond = 0
    if config.negatives == "threshold":
        beyond = int((block.scores[:, -1] > config.far_threshold).sum())

    # Cosines by rank; rank 0 has none.
    unknown = np.full((len(block.scores), 1), np.nan, np.float32)
    padded = np.concatenate([unknown, block.scores], axis=1)
    pairs = [np.take_along_axis(padded, ranks, axis=1).ravel() for ranks in (near_ranks, far_ranks)]
    scores = np.stack(pairs, axis=1)
    if config.positives == "sorted":
        scores[:, 0] = cosines.ravel()
    anchors = np.repeat(queries, near.shape[1])
    columns = [anchors, *(part.ravel() for part in (near, far, near_ranks, far_ranks))]
    return np.stack(columns, axis=1).astype(np.int32), scores, beyond


def pick_near(
    block: NeighbourBlock, queries: Ints, config: NeighbourhoodConfig, *, seed: int
) -> tuple[Ints, Ints]:
    """Positives (b, triplets) and their ranks, ascending; -1 and rank 0 if missing.

    Args:
        block: neighbours of the queries, nearest first.
        queries: (b,) rows of the queries.
        config: bands and strategies.
        seed: random seed.
    """
    if config.positives == "threshold":
        return pick_above(block, config.per_anchor, config.near_threshold)
    columns = pick_columns(
        queries, (config.near - config.band, config.near), config.per_anchor, (seed, 0)
    )
    return np.take_along_axis(block.indices, columns, axis=1), columns + 1


def pick_hard(
    block: NeighbourBlock, queries: Ints, config: NeighbourhoodConfig, *, seed: int
) -> tuple[Ints, Ints]:
    """Hard negatives (b, hard) and their ranks, ascending; -1 and rank 0 if missing.

    Args:
        block: neighbours of the queries, nearest first.
        queries: (b,) rows of the queries.
        config: bands and strategies.
        seed: random seed.
    """
    if config.negatives == "threshold":
        return pick_above(block, config.hard, config.far_threshold)
    assert config.far is not None
    band = (config.far - config.hard_band, config.far)
    columns = pick_columns(queries, band, config.hard, (seed, _HARD_DRAWS))
    return np.take_along_axis(block.indices, columns, axis=1), columns + 1


@compiled
def pick_columns(queries: Ints, band: tuple[int, int], count: int, key: tuple[int, int]) -> Ints:
    """Random columns of a band for each query (b, count), ascending, without replacement.

    Uses Floyd's algorithm.

    Args:
        queries: (b,) rows of the queries.
        band: first column, and end column.
        count: number of columns, at most the width of the band.
        key: seed, and first draw.
    """
    low, high = band
    seed, first = key
    columns = np.empty((len(queries), count), np.int64)
    for row in range(len(queries)):
        for k in range(count):
            last = high - low - count + k
            column = draw_below(last + 1, seed, queries[row], first + k)
            if contains(columns[row, :k], low + column):
                column = np.int64(last)
            columns[row, k] = low + column
        sort(columns[row])
    return columns


def pick_above(block: NeighbourBlock, count: int, threshold: float) -> tuple[Ints, Ints]:
    """The neighbours with the lowest cosines above a threshold, and their ranks (b, count).

    Missing ones are -1 with rank 0. Of the cosines (.9, .8, .7, .1), a threshold of .5 and a count
    of 2 select .8 and .7.

    Args:
        block: neighbours of the queries, nearest first.
        count: number of neighbours.
        threshold: cosine.
    """
    above = (block.scores > threshold).sum(axis=1)[:, None]
    ranks = above - count + 1 + np.arange(count)[None]  # (b, count)
    papers = np.take_along_axis(block.indices, np.maximum(ranks - 1, 0), axis=1)
    return np.where(ranks > 0, papers, -1), np.maximum(ranks, 0)
