"""Anchors, validation split and random negatives, shared by all samplers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.compiled import compiled
from citescape.core.csr import find
from citescape.core.draws import draw_below, draw_each, hash_ids
from citescape.sampling.config import SamplingConfig
from citescape.sampling.draws import SHARE, SPLIT, Ints, shuffle_anchors
from citescape.sampling.triplets import Triplets

_TRIES = 32


@dataclass(frozen=True)
class SampledTriplets:
    """Triplets, and numbers of skipped anchors and triplets by reason."""

    triplets: Triplets
    counts: Mapping[str, int] = field(default_factory=dict)


def count_rows(**counts: int) -> dict[str, int]:
    """Counts as Python integers, for JSON."""
    return {name: int(count) for name, count in counts.items()}


def choose_anchors(anchors: Ints, ids: pa.StringArray, sampling: SamplingConfig) -> Ints:
    """A share of the anchors, in random order.

    A smaller share is a prefix of a larger one. Adding or removing a paper of the corpus keeps the
    order of the others.

    Args:
        anchors: codes.
        ids: ids of all papers.
        sampling: share and seed.
    """
    chosen = shuffle_anchors(anchors, hash_ids(ids), seed=sampling.seed, purpose=SHARE)
    return chosen[: max(1, round(sampling.share * len(chosen)))] if len(chosen) else chosen


def hold_out(triplets: Triplets, sampling: SamplingConfig) -> Triplets:
    """The triplets with those of some anchors marked as validation: draw / 2**64 < `validation`.

    The side of an anchor depends on its id and the seed alone, so it is the same in every sampler
    and corpus. If a side would be empty, one anchor changes sides.
    """
    if not sampling.validation or not len(triplets):
        return triplets
    anchors = np.unique(triplets.anchor)
    drawn = draw_each(sampling.seed, hash_ids(triplets.ids)[anchors], SPLIT) / 2.0**64
    held = drawn < sampling.validation
    if len(anchors) > 1 and held.all():
        held[drawn.argmax()] = False
    elif len(anchors) > 1 and not held.any():
        held[drawn.argmin()] = True
    side = np.zeros(len(triplets.ids), np.bool_)
    side[anchors[held]] = True
    return replace(triplets, validation=side[triplets.anchor])


@compiled
def pick_random(
    key: tuple[int, int, int], corpus: Ints, links: tuple[Ints, Ints], taken: Ints
) -> int:
    """A random paper other than the anchor, its references and `taken`; -1 if none is left.

    After 32 failed draws all papers are tried in order, from the last draw on.

    Args:
        key: (seed, anchor, draw).
        corpus: codes of the papers to draw from.
        links: CSR of all references.
        taken: papers that are excluded too.
    """
    seed, anchor, number = key
    indptr, cited = links
    start = np.int64(0)
    for attempt in range(_TRIES + len(corpus)):
        if attempt < _TRIES:
            start = draw_below(len(corpus), seed, anchor, number * _TRIES + attempt)
        else:
            start = (start + 1) % len(corpus)
        paper = corpus[start]
        if paper == anchor or find(indptr, cited, anchor, paper) >= 0:
            continue
        if not contains(taken, paper):
            return int(paper)
    return -1


@compiled
def contains(values: Ints, value: int | np.integer[Any]) -> bool:
    """Whether a short, unsorted array holds a value."""
    for other in values:  # noqa: SIM110 - numba compiles no generator
        if other == value:
            return True
    return False


Mask = npt.NDArray[np.bool_]
