"""How well vectors tell references from other papers: three pools, from easy to hard.

An area under the ROC curve (AUC) is the share of pairs in which the paper that should be nearer to
the anchor is; .5 is chance. Each anchor counts the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from citescape.embeddings.vectors import Floats
from citescape.features.kernel import find
from citescape.networks.citations import Citations
from citescape.sampling.draws import Ints, draw_below
from citescape.sampling.pool import Mask

POOLS = ("easy", "hard", "important")
_OTHERS = 100
"""Papers drawn to set an anchor's references against, and walks to such papers."""


@dataclass(frozen=True)
class Pools:
    """Mean AUC over anchors, 0..1; NaN where no anchor has such a pool."""

    easy: float
    """References above random papers."""
    hard: float
    """References above works that other papers cite beside one of them."""
    important: float
    """Of the references, the more important half above those of the least importance."""
    anchors: int

    def as_dict(self) -> dict[str, float]:
        """The three figures by name."""
        return {name: float(getattr(self, name)) for name in POOLS}


def compute_pools(vectors: Floats, citations: Citations, anchors: Ints, *, seed: int = 0) -> Pools:
    """AUC of anchors' references by cosine.

    Args:
        vectors: (papers, d) in the codes of `citations`; papers whose vector is zero or not finite
            take no part.
        citations: weighted by importance.
        anchors: codes of papers that were not learned from.
        seed: of the papers drawn for the easy and the hard pool.
    """
    norms = np.linalg.norm(vectors, axis=1)
    placed = np.isfinite(norms) & (norms > 0)
    units = np.where(placed[:, None], vectors / np.where(placed, norms, 1)[:, None], 0)
    backward = citations.reverse_codes()
    found: dict[str, list[float]] = {name: [] for name in POOLS}
    for anchor in anchors[placed[anchors]].tolist():
        row = slice(citations.indptr[anchor], citations.indptr[anchor + 1])
        references = citations.cited[row]
        kept = placed[references]
        references, weights = references[kept], citations.weights[row][kept]
        score = _scorer(units, anchor)
        near = score(references)
        easy = draw_random(citations, anchor, placed, seed=seed)
        hard = draw_beside(citations, backward, anchor, placed=placed, seed=seed)
        top, low = _halves(weights)
        for name, pair in zip(
            POOLS, ((near, score(easy)), (near, score(hard)), (near[top], near[low])), strict=True
        ):
            if len(pair[0]) and len(pair[1]):
                found[name].append(compute_auc(*pair))
    means = {name: float(np.mean(v)) if v else float("nan") for name, v in found.items()}
    return Pools(**means, anchors=len(found["easy"]))


def compute_auc(near: Floats, far: Floats) -> float:
    """Share of pairs (near, far) in which the near one scores higher; ties count half."""
    order = np.sort(far)
    below = np.searchsorted(order, near, side="left")
    equal = np.searchsorted(order, near, side="right") - below
    return float((below + 0.5 * equal).sum() / (len(near) * len(far)))


def _scorer(units: Floats, anchor: int) -> Callable[[Ints], Floats]:
    """Cosines of some papers with the anchor."""
    return lambda papers: units[papers] @ units[anchor]


def _halves(weights: Floats) -> tuple[Ints, Ints]:
    """Positions above the median, and those of the least weight; none where all are equal."""
    least, middle = weights.min(initial=np.inf), np.median(weights) if len(weights) else 0.0
    return np.flatnonzero((weights > middle) & (weights > least)), np.flatnonzero(weights == least)


def draw_random(citations: Citations, anchor: int, placed: Mask, *, seed: int) -> Ints:
    """Up to 100 papers that are neither the anchor nor cited by it, ascending."""
    size = len(placed)
    drawn = [draw_below(size, seed, anchor, k) for k in range(_OTHERS)]
    return _strangers(citations, anchor, np.array(drawn), placed=placed)


def draw_beside(
    citations: Citations, backward: tuple[Ints, Ints], anchor: int, *, placed: Mask, seed: int
) -> Ints:
    """Up to 100 such papers that are cited beside one of its references, ascending.

    Ends of random walks: to a reference, to another paper citing it, to a reference of that.
    """
    drawn = []
    references = citations.cited[citations.indptr[anchor] : citations.indptr[anchor + 1]]
    for k in range(_OTHERS if len(references) else 0):
        numbers = [_OTHERS + 3 * k + step for step in range(3)]
        place = int(references[draw_below(len(references), seed, anchor, numbers[0])])
        for (indptr, ends), number in zip(
            (backward, (citations.indptr, citations.cited)), numbers[1:], strict=True
        ):
            low, high = int(indptr[place]), int(indptr[place + 1])
            place = int(ends[low + draw_below(high - low, seed, anchor, number)])
        drawn.append(place)
    return _strangers(citations, anchor, np.array(drawn, np.int64), placed=placed)


def _strangers(citations: Citations, anchor: int, papers: Ints, *, placed: Mask) -> Ints:
    """Those of some papers, each once, that are neither the anchor nor cited by it."""
    distinct = np.unique(papers)
    outside = [find(citations.indptr, citations.cited, anchor, int(p)) < 0 for p in distinct]
    kept: Ints = distinct[np.array(outside, np.bool_) & (distinct != anchor) & placed[distinct]]
    return kept
