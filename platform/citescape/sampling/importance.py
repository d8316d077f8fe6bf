"""Importance-aware triplets: CIA, Algorithm 1.

An anchor's references are ranked by importance, descending. Of K triplets the i-th pairs the i-th
most important reference with the i-th least important one for i up to H (hard negatives), after
that with a random paper that the anchor does not cite.

Importance has few distinct values, so ties are frequent. They are broken by a hash of (seed, anchor
id, reference id): by id, works with an id `doi:...` would be positives and works without a DOI hard
negatives.
"""

from __future__ import annotations

import numpy as np

from citescape.core.compiled import compiled
from citescape.core.draws import draw_ties, hash_ids
from citescape.networks.citations import Citations
from citescape.sampling.config import ImportanceConfig, SamplingConfig
from citescape.sampling.contradictions import find_contradictory
from citescape.sampling.draws import Ints
from citescape.sampling.pool import (
    Mask,
    SampledTriplets,
    choose_anchors,
    count_rows,
    hold_out,
    pick_random,
)
from citescape.sampling.triplets import NO_RANK, RANDOM, Triplets, build_triplets, reason_code

Work = tuple[Ints, Ints, Ints]
"""Three arrays (anchors,): codes, ascending; numbers of triplets; numbers of hard negatives."""


def sample_importance(
    citations: Citations,
    usable: Mask,
    config: ImportanceConfig | None = None,
    *,
    queries: Mask | None = None,
    sampling: SamplingConfig | None = None,
) -> SampledTriplets:
    """Triplets by CIA, Algorithm 1.

    Args:
        citations: weighted by importance.
        usable: (papers,) true for papers that may be in a triplet: those with a text.
        config: K, H, and the treatment of short anchors and contradictions.
        queries: (papers,) true for papers that may be anchors; None for all with references.
        sampling: seed, split, size.

    Returns:
        Triplets, and the counts `anchors` (papers with references), `anchors_of_other_types` (not
        in `queries`), `anchors_without_text`, `anchors_skipped_short`, `references_without_text`,
        `hard_as_important` (hard negatives no less important than their positive),
        `tied_positives` and `tied_hard` (anchors where equal importance is cut at the last
        positive, or at the last hard negative), `no_random_paper`, `contradictory_dropped`.
    """
    config, sampling = config or ImportanceConfig(), sampling or SamplingConfig()
    every = np.flatnonzero(np.diff(citations.indptr)).astype(np.int32)
    citing = every if queries is None else every[queries[every]]
    able = citing[usable[citing]]
    sizes = count_usable(citations.indptr, citations.cited, usable)
    least = 1 if config.short_anchors == "shrink" else config.needed
    anchors = choose_anchors(able[sizes[able] >= least], citations.ids, sampling)
    work = plan_work(sizes, anchors, config, limit=sampling.triplets)
    drawn = _fill(citations, usable, work, seed=sampling.seed)
    clean = (
        drawn if config.contradictions == "keep" else drawn.select_rows(~find_contradictory(drawn))
    )
    hard = clean.negative_reason != RANDOM
    tied = find_tied_cuts((citations.indptr, citations.cited, citations.weights), usable, work)
    counts = count_rows(
        anchors=len(every),
        anchors_of_other_types=len(every) - len(citing),
        anchors_without_text=len(citing) - len(able),
        anchors_skipped_short=int((sizes[able] < least).sum()),
        references_without_text=len(citations) - int(sizes.sum()),
        hard_as_important=int((clean.negative_score >= clean.positive_score)[hard].sum()),
        tied_positives=int(tied[:, 0].sum()),
        tied_hard=int(tied[:, 1].sum()),
        no_random_paper=int(work[1].sum()) - len(drawn),
        contradictory_dropped=len(drawn) - len(clean),
    )
    return SampledTriplets(hold_out(clean, sampling), counts)


def plan_work(sizes: Ints, anchors: Ints, config: ImportanceConfig, *, limit: int | None) -> Work:
    """Numbers of triplets and hard negatives of each anchor.

    Args:
        sizes: (papers,) numbers of references that may be in a triplet.
        anchors: codes of the anchors, in the order of use.
        config: K and H.
        limit: maximum number of triplets; the last anchor may have fewer than K.
    """
    triplets, hard = count_triplets(sizes[anchors], config.positives, config.hard)
    if limit is not None:
        whole = np.searchsorted(np.cumsum(triplets), limit) + 1
        anchors, triplets, hard = anchors[:whole], triplets[:whole], hard[:whole]
        triplets[-1:] -= max(0, int(triplets.sum()) - limit)
        hard = np.minimum(hard, triplets)
    order = np.argsort(anchors, kind="stable")
    return anchors[order], triplets[order], hard[order]


def _fill(citations: Citations, usable: Mask, work: Work, *, seed: int) -> Triplets:
    """All triplets of the anchors, without those for which no random paper is left."""
    corpus = np.flatnonzero(usable).astype(np.int32)
    graph = (citations.indptr, citations.cited, citations.weights, hash_ids(citations.ids))
    rows, scores = fill(graph, (usable, corpus), work, seed)
    kept = rows[:, 2] >= 0
    rows, scores = rows[kept], scores[kept]
    hard = np.where(rows[:, 4] != NO_RANK, reason_code("least important reference"), RANDOM)
    return build_triplets(
        citations.ids,
        rows[:, :3],
        reasons=(reason_code("important reference"), hard),
        ranks=rows[:, 3:],
        scores=scores,
    )


def count_triplets(sizes: Ints, positives: int, hard: int) -> tuple[Ints, Ints]:
    """Numbers of triplets and of hard negatives.

    K and min(H, K) for K + H references or more. For fewer, at most half of the references are
    hard negatives, and the others are positives, at most K.

    Args:
        sizes: numbers of references.
        positives: K.
        hard: H.
    """
    hards = np.minimum(np.minimum(hard, positives), sizes // 2).astype(np.int64)
    return np.minimum(positives, sizes - hards), hards


@compiled
def count_usable(indptr: Ints, cited: Ints, usable: Ints) -> Ints:
    """Number (papers,) of references that may be in a triplet.

    Args:
        indptr: `indptr` of the CSR of references.
        cited: codes of the references.
        usable: mask of papers that may be in a triplet.
    """
    counts = np.zeros(len(indptr) - 1, np.int64)
    for row in range(len(counts)):
        for k in range(indptr[row], indptr[row + 1]):
            counts[row] += usable[cited[k]]
    return counts


@compiled
def find_tied_cuts(graph: tuple[Ints, Ints, Ints], usable: Ints, work: Work) -> Ints:
    """Whether equal importance is cut (anchors, 2) at the last positive and last hard negative.

    There a hash decides which of the equally important references is in a triplet.

    Args:
        graph: CSR of all references: indptr, cited, importance.
        usable: mask of papers that may be in a triplet.
        work: anchors, their numbers of triplets and of hard negatives.
    """
    indptr, cited, weights = graph
    anchors, triplets, hards = work
    tied = np.zeros((len(anchors), 2), np.bool_)
    for k in range(len(anchors)):
        low, high = indptr[anchors[k]], indptr[anchors[k] + 1]
        values = np.sort(weights[low:high][usable[cited[low:high]]])
        size, top, bottom = len(values), triplets[k], hards[k]
        tied[k, 0] = 0 < top < size and values[size - top] == values[size - top - 1]
        tied[k, 1] = 0 < bottom < size and values[bottom - 1] == values[bottom]
    return tied


@compiled
def fill(
    graph: tuple[Ints, Ints, Ints, Ints],
    papers: tuple[Ints, Ints],
    work: tuple[Ints, Ints, Ints],
    seed: int,
) -> tuple[Ints, Ints]:
    """The kernel of Algorithm 1, lines 4-18.

    Args:
        graph: CSR of all references: indptr, cited, importance; and `hash_ids` of the papers.
        papers: mask of papers that may be in a triplet, and their codes.
        work: anchors, their numbers of triplets and of hard negatives.
        seed: random seed of ties and negatives.

    Returns:
        Rows (triplets, 5) int32: anchor, positive, negative (-1: none left), ranks of both (0:
        random); importance (triplets, 2) float32 of both, NaN for random negatives.
    """
    indptr, cited, weights, keys = graph
    usable, corpus = papers
    anchors, triplets, hards = work
    rows = np.zeros((triplets.sum(), 5), np.int32)
    scores = np.full((len(rows), 2), np.nan, np.float32)
    at = 0
    for k in range(len(anchors)):
        anchor, count, hard = anchors[k], triplets[k], hards[k]
        low, high = indptr[anchor], indptr[anchor + 1]
        references = cited[low:high]
        ties = draw_ties(seed, keys[anchor], keys[references])
        best, worst, size = rank_ends(weights[low:high], ties, usable[references], (count, hard))
        first = at
        for i in range(count):
            rows[at, 0], rows[at, 1], rows[at, 3] = anchor, cited[low + best[i]], i + 1
            scores[at, 0] = weights[low + best[i]]
            if i < hard:
                rows[at, 2], rows[at, 4] = cited[low + worst[i]], size - i
                scores[at, 1] = weights[low + worst[i]]
            else:
                taken = rows[first + hard : at, 2]
                rows[at, 2] = pick_random((seed, anchor, i), corpus, (indptr, cited), taken)
            at += 1
    return rows, scores


@compiled
def rank_ends(
    values: Ints, ties: Ints, usable: Ints, ends: tuple[int, int]
) -> tuple[Ints, Ints, int]:
    """Positions of the largest and of the smallest usable values, and the number of usable values.

    The largest and the smallest come first; of equal values the one with the lower tie counts as
    larger.

    Args:
        values: importance.
        ties: hashes.
        usable: mask of values to rank.
        ends: numbers of largest and of smallest values.
    """
    top, bottom = ends
    best, worst = np.empty(top + 1, np.int64), np.empty(bottom + 1, np.int64)
    size = 0
    for position in range(len(values)):
        if not usable[position]:
            continue
        free = min(size, top)
        while free > 0 and is_ahead(values, ties, position, best[free - 1]):
            best[free] = best[free - 1]
            free -= 1
        best[free] = position
        free = min(size, bottom)
        while free > 0 and is_ahead(values, ties, worst[free - 1], position):
            worst[free] = worst[free - 1]
            free -= 1
        worst[free] = position
        size += 1
    return best[:top], worst[:bottom], size


@compiled
def is_ahead(values: Ints, ties: Ints, first: int, second: int) -> bool:
    """Whether one position is ranked before another.

    Args:
        values: importance, descending in the ranking.
        ties: hashes, ascending for equal values.
        first: a position.
        second: another position.
    """
    if values[first] != values[second]:
        return bool(values[first] > values[second])
    return bool(ties[first] < ties[second])
