"""How well vectors separate references from other papers, in three pools from easy to hard.

The area under the ROC curve (AUC) is the share of pairs in which the positive is nearer to the
anchor than the negative; .5 is chance. All anchors have equal weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.core.compiled import compiled
from citescape.core.csr import find
from citescape.core.draws import draw_below
from citescape.networks.citations import Citations
from citescape.sampling.draws import Ints
from citescape.sampling.pool import contains
from citescape.sampling.specter import step
from citescape.search.vectors import Floats

POOLS = ("easy", "hard", "important")
_OTHERS = 100
"""Number of draws per anchor, of random papers and of random walks."""


@dataclass(frozen=True)
class Pools:
    """Mean AUC over anchors, 0..1; NaN if no anchor has such a pool."""

    easy: float
    """References above random papers."""
    hard: float
    """References above works that other papers cite together with a reference."""
    important: float
    """The more important half of the references above those of minimum importance."""
    anchors: int

    def as_dict(self) -> dict[str, float]:
        """The three figures by name."""
        return {name: float(getattr(self, name)) for name in POOLS}


@dataclass(frozen=True)
class PoolNegatives:
    """Anchors, and the negatives that their references are compared with."""

    citations: Citations
    """Weighted by importance."""
    anchors: Ints
    """(anchors,) codes of held-out papers."""
    random: Ints
    """(anchors, 100) distinct papers that are not the anchor or cited by it; -1: none."""
    cocited: Ints
    """(anchors, 100) such papers that are cited together with a reference; -1: none."""


def draw_negatives(citations: Citations, anchors: Ints, *, seed: int = 0) -> PoolNegatives:
    """Draws the negatives of each anchor once, so that all vectors are compared with the same.

    Co-cited papers are ends of random walks: from a reference to another paper that cites it, then
    to a reference of that paper.

    Args:
        citations: the whole graph, weighted by importance.
        anchors: (anchors,) codes.
        seed: random seed.
    """
    drawn = fill_negatives(
        (citations.indptr, citations.cited),
        citations.reverse_codes(),
        np.asarray(anchors, np.int32),
        seed,
    )
    return PoolNegatives(citations, anchors, *drawn)


@compiled
def fill_negatives(
    forward: tuple[Ints, Ints], backward: tuple[Ints, Ints], anchors: Ints, seed: int
) -> tuple[Ints, Ints]:
    """Random and co-cited papers, (anchors, 100) each; see `draw_negatives`.

    Args:
        forward: `indptr` and codes of cited papers, by citing paper.
        backward: `indptr` and codes of citing papers, by cited paper.
        anchors: (anchors,) codes.
        seed: random seed.
    """
    papers = len(forward[0]) - 1
    random = np.full((len(anchors), _OTHERS), -1, np.int32)
    cocited = np.full((len(anchors), _OTHERS), -1, np.int32)
    for row in range(len(anchors)):
        anchor = anchors[row]
        low, high = forward[0][anchor], forward[0][anchor + 1]
        for k in range(_OTHERS):
            paper = int(draw_below(papers, seed, anchor, k))
            if is_negative(forward, anchor, paper) and not contains(random[row], paper):
                random[row, k] = paper
            if low == high:
                continue
            first = _OTHERS + 3 * k
            paper = int(forward[1][low + draw_below(high - low, seed, anchor, first)])
            paper = step(backward, paper, (seed, anchor, first + 1))
            paper = step(forward, paper, (seed, anchor, first + 2))
            if is_negative(forward, anchor, paper) and not contains(cocited[row], paper):
                cocited[row, k] = paper
    return random, cocited


@compiled
def is_negative(forward: tuple[Ints, Ints], anchor: int, paper: int) -> bool:
    """Whether a paper is neither the anchor nor cited by it.

    Args:
        forward: `indptr` and codes of cited papers.
        anchor: code of the anchor.
        paper: code of the paper.
    """
    return bool(paper != anchor and find(forward[0], forward[1], anchor, paper) < 0)


def compute_pools(vectors: Floats, negatives: PoolNegatives) -> Pools:
    """AUC of the anchors' references by cosine.

    `vectors` (papers, d) are in the codes of the citations. Papers are ignored if their vector is
    zero or not finite.
    """
    norms = np.linalg.norm(vectors, axis=1)
    placed = np.isfinite(norms) & (norms > 0)
    units = np.where(placed[:, None], vectors / np.where(placed, norms, 1)[:, None], 0)
    citations = negatives.citations
    areas: dict[str, list[float]] = {name: [] for name in POOLS}
    for row in np.flatnonzero(placed[negatives.anchors]):
        anchor = negatives.anchors[row]
        span = slice(citations.indptr[anchor], citations.indptr[anchor + 1])
        kept = placed[citations.cited[span]]
        near = units[citations.cited[span][kept]] @ units[anchor]
        easy, hard = (
            units[drawn[(drawn >= 0) & placed[drawn]]] @ units[anchor]
            for drawn in (negatives.random[row], negatives.cocited[row])
        )
        # references above the median, and those of minimum weight; empty if all weights are equal
        weights = citations.weights[span][kept]
        least, middle = weights.min(initial=np.inf), np.median(weights) if len(weights) else 0.0
        top, low = (weights > middle) & (weights > least), weights == least
        pairs = ((near, easy), (near, hard), (near[top], near[low]))
        for name, pair in zip(POOLS, pairs, strict=True):
            if len(pair[0]) and len(pair[1]):
                areas[name].append(compute_auc(*pair))
    means = {name: float(np.mean(v)) if v else float("nan") for name, v in areas.items()}
    return Pools(**means, anchors=len(areas["easy"]))


def compute_auc(near: Floats, far: Floats) -> float:
    """Share of pairs (near, far) in which the near one scores higher; ties count half."""
    order = np.sort(far)
    below = np.searchsorted(order, near, side="left")
    equal = np.searchsorted(order, near, side="right") - below
    return float((below + 0.5 * equal).sum() / (len(near) * len(far)))
