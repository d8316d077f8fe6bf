"""Citations of the generated world: pairs, their importance, and their mentions.

Arrays only, with one entry per pair or mention. PlantedPairs are ordered by (citing, cited).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citescape.core.types import FACETS, SECTION_TYPES

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SECTIONS = SECTION_TYPES
"""Columns of section counts; `other` is any section outside the four types."""
INTENTS = FACETS
INTRODUCTION, METHOD, RESULTS, DISCUSSION, OTHER = range(len(SECTIONS))

PERFUNCTORY = 0.3
"""Planted importance below which a citation is perfunctory: at most one mention."""
_PERFUNCTORY_SECTIONS = (0.70, 0.20, 0.0, 0.0, 0.06)
"""Share of perfunctory citations by section; the others are in the reference list only."""
_INTENT_PROBABILITIES = np.array(
    [[0.82, 0.10, 0.08], [0.12, 0.88, 0], [0.12, 0.13, 0.75], [0.3, 0.1, 0.6]]
)
"""Probability of each intent in I, M, R, D; in `other` it is always background."""


@dataclass(frozen=True)
class Catalogue:
    """Properties of works that decide who cites whom; one entry per work, corpus papers first."""

    papers: int
    topic: Ints
    field: Ints
    venue: Ints
    year: Ints
    lab: Ints
    facets: Ints
    """(works, facets): index of the phrase chosen for each facet."""
    foundational: Bools
    """Founded its topic: cited more often, with higher importance within the topic."""


@dataclass(frozen=True)
class PlantedPairs:
    """Ground truth of every citation pair, ordered by (citing, cited)."""

    citing: Ints
    cited: Ints
    closeness: Floats
    """Topical closeness, 0 to 1."""
    self_citation: Bools
    """The two works share at least one person."""
    importance: Floats
    """Latent importance, 0 (perfunctory) to 1; decides mentions, sections and intents."""

    def __len__(self) -> int:
        return len(self.citing)


@dataclass(frozen=True)
class Mentions:
    """Planned in-text citations, ordered by pair.

    `role` is the column of `SECTIONS` that decides the wording, `section` the one in which the
    mention is printed. They differ where results and discussion are one section, and where a paper
    has no headings.
    """

    pair: Ints
    role: Ints
    section: Ints
    intent: Ints

    def counts(self, pairs: int) -> Ints:
        """(pairs, 5): mentions of each pair by section."""
        table = np.zeros((pairs, len(SECTIONS)), dtype=np.int64)
        np.add.at(table, (self.pair, self.section), 1)
        return table


def compute_closeness(works: Catalogue, work: int, others: Ints) -> Floats:
    """Topical closeness: 0 across fields, .2 within a field, .5 to 1 within a topic.

    Within a topic it is ``.5 + .5 share of equal facets``.
    """
    same_topic = works.topic[others] == works.topic[work]
    same_field = works.field[others] == works.field[work]
    equal = (works.facets[others] == works.facets[work]).mean(axis=1)
    return np.where(same_topic, 0.5 + 0.5 * equal, np.where(same_field, 0.2, 0.0))


def choose_references(
    works: Catalogue, *, references: float, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Draws citing and cited work of every pair, without repetition.

    About two fifths of a reference list are drawn by topical closeness, the others by venue,
    independently of the topic. Only older works are cited.
    """
    citing: list[Ints] = []
    cited: list[Ints] = []
    for paper in range(works.papers):
        older = np.flatnonzero(works.year < works.year[paper])
        sizes = np.clip(rng.poisson(references * np.array([0.4, 0.6])), 3, None)
        recency = np.exp((works.year[older] - works.year[paper]) / 8.0)

        core = np.exp(7 * compute_closeness(works, paper, older))
        core *= np.where(works.foundational[older], 4.0, 1.0)
        core *= np.where(works.lab[older] == works.lab[paper], 3.0, 1.0)
        chosen = _draw(core * recency, sizes[0], rng)

        rest = np.where(works.venue[older] == works.venue[paper], 8.0, 1.0)
        rest *= np.where(works.foundational[older], 2.0, 1.0)
        rest *= recency
        rest[chosen] = 0
        chosen = np.concatenate([chosen, _draw(rest, sizes[1], rng)])
        cited.append(np.sort(older[chosen]))
        citing.append(np.full(len(chosen), paper))
    return np.concatenate(citing), np.concatenate(cited)


def _draw(weights: Floats, count: int, rng: np.random.Generator) -> Ints:
    """Draws `count` positions without replacement, with probability by weight (Gumbel top-k)."""
    with np.errstate(divide="ignore"):
        keys = np.log(weights) + rng.gumbel(size=len(weights))
    keys[weights == 0] = -np.inf
    return np.argsort(-keys)[: min(count, int((weights > 0).sum()))]


def compute_importance(
    closeness: Floats, self_citation: Bools, foundational: Bools, *, rng: np.random.Generator
) -> Floats:
    """Latent importance: ``.6 close + .15 self + .2 close foundational + noise``, clipped to 0..1.

    The noise is normal with standard deviation .1.
    """
    mean = 0.6 * closeness + 0.15 * self_citation + 0.2 * closeness * foundational
    return np.clip(mean + rng.normal(0, 0.1, len(closeness)), 0.0, 1.0)


def plan_mentions(pairs: PlantedPairs, printed: Ints, rng: np.random.Generator) -> Mentions:
    """Draws in-text citations from latent importance.

    Args:
        pairs: planted pairs.
        printed: (pairs, 5), the section in which the citing paper prints mentions of role I, M, R,
            D, other: a paper with a joint section of results and discussion prints D under R.
        rng: random generator.
    """
    # (pairs, 5) perfunctory citations: one mention in one section, or no mention
    place = np.searchsorted(np.cumsum(_PERFUNCTORY_SECTIONS), rng.random(len(pairs)), side="right")
    perfunctory = np.eye(len(SECTIONS) + 1, dtype=np.int64)[place][:, : len(SECTIONS)]

    # (pairs, 5) other citations: counts that grow with importance, at least one mention
    v = pairs.importance
    rates = np.stack([0.7 * v, 0.25 + 0 * v, 1.5 * v**1.5, 2.4 * v**1.5, 0.04 * v], axis=1)
    engaged = rng.poisson(rates)
    engaged[:, INTRODUCTION] += rng.random(len(v)) < 0.75
    engaged[engaged.sum(axis=1) == 0, INTRODUCTION] = 1

    counts = np.where((v < PERFUNCTORY)[:, None], perfunctory, engaged)
    rows, columns = np.divmod(np.arange(counts.size), len(SECTIONS))
    pair, role = np.repeat(rows, counts.ravel()), np.repeat(columns, counts.ravel())
    # one intent per mention, by its section
    table = np.vstack([_INTENT_PROBABILITIES, [1.0, 0.0, 0.0]]).cumsum(axis=1)
    drawn = (rng.random(len(role))[:, None] >= table[role]).sum(axis=1)
    return Mentions(pair, role, printed[pair, role], np.minimum(drawn, len(INTENTS) - 1))
