"""SPECTER's triplets: references close, what references cite farther, random papers farthest.

Positives are works that the anchor cites; hard negatives are cited by a reference and not by the
anchor; easy negatives are random (Cohan et al. 2020, section 3.2, with the settings of SciNCL,
section 2). Where references have no reference lists, as in a corpus of few full texts, such hard
negatives do not exist; works that another paper cites beside a reference of the anchor replace
them. The reason of each negative gives its kind.
"""

from __future__ import annotations

import numpy as np

from citescape.core.compiled import compiled
from citescape.core.csr import find
from citescape.core.draws import draw_below
from citescape.networks.citations import Citations
from citescape.sampling.config import SamplingConfig, SpecterConfig
from citescape.sampling.draws import Ints
from citescape.sampling.importance import count_usable
from citescape.sampling.pool import (
    Mask,
    SampledTriplets,
    choose_anchors,
    contains,
    count_rows,
    hold_out,
    pick_random,
)
from citescape.sampling.triplets import RANDOM, build_triplets, reason_code

_REFERENCE = reason_code("reference")
_INDIRECT, _BESIDE = reason_code("cited by a reference"), reason_code("cited beside a reference")
_WALKS = 64
"""Maximum number of random walks, of two or three citations, for one hard negative."""
_POSITIVE, _HARD, _EASY = 0, 1 << 12, 1 << 13
"""First draw of each role: an anchor has far fewer than 4,096 triplets."""


def sample_specter(
    citations: Citations,
    usable: Mask,
    config: SpecterConfig | None = None,
    *,
    queries: Mask | None = None,
    sampling: SamplingConfig | None = None,
) -> SampledTriplets:
    """Triplets of SPECTER.

    A hard negative is the end of a random walk from the anchor to a reference and on to one of its
    references, so works cited by several references are more likely. The substitute walks from a
    reference to a paper that cites it, and on to another reference of that paper.

    Args:
        citations: directed; weights do not matter.
        usable: (papers,) true for papers that may be in a triplet: those with a text.
        config: numbers of positives and hard negatives, and the substitute.
        queries: (papers,) true for papers that may be anchors; None for all with positives.
        sampling: seed, split, size.

    Returns:
        Triplets, and the counts `anchors`, `anchors_of_other_types` (not in `queries`),
        `anchors_without_text`, `anchors_skipped_short` (too few positives),
        `hard_cited_by_reference`, `hard_cited_beside_reference`, `hard_made_random` (neither
        exists), `no_random_paper`.
    """
    config, sampling = config or SpecterConfig(), sampling or SamplingConfig()
    cited_by = citations.reverse()
    near = citations.indptr, citations.cited
    if config.both_directions:  # CSR of the papers that each paper cites or that cite it
        size = len(citations.ids)
        citing, cited = citations.citing.astype(np.int64), citations.cited.astype(np.int64)
        keys = np.unique(np.concatenate([citing * size + cited, cited * size + citing]))
        starts = np.searchsorted(keys, np.arange(size + 1, dtype=np.int64) * size)
        near = starts.astype(np.int64), (keys % size).astype(np.int32)
    sizes = count_usable(near[0], near[1], usable)
    every = np.flatnonzero(np.diff(near[0])).astype(np.int32)
    anchors = every if queries is None else every[queries[every]]
    able = anchors[usable[anchors]]
    chosen = choose_anchors(able[sizes[able] >= config.positives], citations.ids, sampling)
    if sampling.triplets is not None:
        chosen = chosen[: -(-sampling.triplets // config.positives)]
    rows = fill(
        (near, (citations.indptr, citations.cited), (cited_by.indptr, cited_by.cited)),
        (usable, np.flatnonzero(usable).astype(np.int32)),
        np.sort(chosen),
        (config.positives, config.hard, config.substitute == "cited-beside", sampling.seed),
    )[: sampling.triplets]
    kept = rows[rows[:, 2] >= 0]
    triplets = build_triplets(citations.ids, kept[:, :3], reasons=(_REFERENCE, kept[:, 3]))
    return SampledTriplets(
        hold_out(triplets, sampling),
        count_rows(
            anchors=len(every),
            anchors_of_other_types=len(every) - len(anchors),
            anchors_without_text=len(anchors) - len(able),
            anchors_skipped_short=int((sizes[able] < config.positives).sum()),
            hard_cited_by_reference=int((triplets.negative_reason == _INDIRECT).sum()),
            hard_cited_beside_reference=int((triplets.negative_reason == _BESIDE).sum()),
            hard_made_random=int((rows[:, 4] == 1).sum()),
            no_random_paper=int((rows[:, 2] < 0).sum()),
        ),
    )


@compiled
def fill(
    graphs: tuple[tuple[Ints, Ints], tuple[Ints, Ints], tuple[Ints, Ints]],
    papers: tuple[Ints, Ints],
    anchors: Ints,
    settings: tuple[int, int, bool, int],
) -> Ints:
    """The kernel.

    Args:
        graphs: CSR of positives (references, and citing papers if set), references, citing papers.
        papers: mask of papers that may be in a triplet, and their codes.
        anchors: ascending, each with enough positives.
        settings: triplets and hard negatives per anchor, whether to use substitutes, seed.

    Returns:
        Rows (triplets, 5) int32: anchor, positive, negative (-1: none left), reason of the
        negative, 1 where a random paper replaces a hard negative.
    """
    near, forward, backward = graphs
    usable, corpus = papers
    triplets, hard, substitute, seed = settings
    rows = np.zeros((len(anchors) * triplets, 5), np.int32)
    for k in range(len(anchors)):
        anchor, first = anchors[k], k * triplets
        references = forward[1][forward[0][anchor] : forward[0][anchor + 1]]
        with_references = linked(references, forward[0], 1)
        cited_by_others = linked(references, backward[0], 2)
        for i in range(triplets):
            row = rows[first + i]
            row[0] = anchor
            row[1] = pick_linked(near, usable, (seed, anchor, i), rows[first : first + i, 1])
            taken = rows[first : first + i, 2]
            row[2], row[3] = -1, RANDOM
            if i < hard:
                key = (seed, anchor, _HARD + i)
                row[2] = walk(
                    with_references, (near, forward, forward), usable, (key, False), taken
                )
                row[3] = _INDIRECT
                if row[2] < 0 and substitute:
                    graph = (near, backward, forward)
                    row[2] = walk(cited_by_others, graph, usable, (key, True), taken)
                    row[3] = _BESIDE
                row[4] = row[2] < 0
            if row[2] < 0:
                row[2] = pick_random((seed, anchor, _EASY + i), corpus, near, taken)
                row[3] = RANDOM
    return rows


@compiled
def linked(papers: Ints, indptr: Ints, least: int) -> Ints:
    """Papers with at least `least` links.

    Args:
        papers: codes.
        indptr: `indptr` of the CSR of links.
        least: minimum number of links.
    """
    kept: Ints = papers[indptr[papers + 1] - indptr[papers] >= least]
    return kept


@compiled
def pick_linked(
    links: tuple[Ints, Ints], usable: Ints, key: tuple[int, int, int], taken: Ints
) -> int:
    """A usable neighbour of the anchor that is not taken; all are equally likely.

    Args:
        links: CSR of neighbours.
        usable: mask of papers that may be in a triplet.
        key: (seed, anchor, draw).
        taken: neighbours drawn before; fewer than the usable ones.
    """
    indptr, ends = links
    seed, anchor, number = key
    size = -len(taken)
    for k in range(indptr[anchor], indptr[anchor + 1]):
        size += usable[ends[k]]
    skip = draw_below(size, seed, anchor, _POSITIVE + number)
    for k in range(indptr[anchor], indptr[anchor + 1]):
        if usable[ends[k]] and not contains(taken, ends[k]):
            if skip == 0:
                return int(ends[k])
            skip -= 1
    return -1


@compiled
def walk(
    bridges: Ints,
    graph: tuple[tuple[Ints, Ints], tuple[Ints, Ints], tuple[Ints, Ints]],
    usable: Ints,
    draw: tuple[tuple[int, int, int], bool],
    taken: Ints,
) -> int:
    """End of a random walk over a bridge, outside the anchor's links; -1 after 64 failed walks.

    Args:
        bridges: references with further links.
        graph: CSR of the anchor's links, of the first step and of the last.
        usable: mask of papers that may be in a triplet.
        draw: (seed, anchor, draw), and whether there is a step between bridge and end, to a paper
            that cites the bridge.
        taken: papers at which the walk must not end.
    """
    (seed, anchor, number), beside = draw
    near, over, last = graph
    if len(bridges) == 0:
        return -1
    for attempt in range(_WALKS):
        base = (number * _WALKS + attempt) * 4
        place = bridges[draw_below(len(bridges), seed, anchor, base)]
        if beside:
            place = step(over, place, (seed, anchor, base + 1))
        if place == anchor:
            continue
        place = step(last, place, (seed, anchor, base + 2))
        if place == anchor or not usable[place] or find(near[0], near[1], anchor, place) >= 0:
            continue
        if not contains(taken, place):
            return int(place)
    return -1


@compiled
def step(links: tuple[Ints, Ints], place: int, key: tuple[int, int, int]) -> int:
    """A random link of a paper.

    Args:
        links: CSR of links.
        place: a paper with links.
        key: (seed, anchor, draw).
    """
    low, high = links[0][place], links[0][place + 1]
    return int(links[1][low + draw_below(high - low, key[0], key[1], key[2])])
