"""A generated scholarly world with known ground truth: works, people, citations.

Fields hold topics; research groups write about one topic; venues publish all of them in a house
style of their own. A citation's latent importance follows from topical closeness, shared authors
and whether the cited work is foundational. Number, sections and intents of its mentions follow
from importance. Citations without importance follow the venue instead of the topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from citescape.core.errors import ConfigError
from citescape.demo.citations import (
    Catalogue,
    Ints,
    Mentions,
    PlantedPairs,
    choose_references,
    compute_closeness,
    compute_importance,
    plan_mentions,
)
from citescape.demo.notices import PlantedNotice, plan_notices
from citescape.demo.people import Society, generate_society
from citescape.demo.text import Voice
from citescape.demo.vocabulary import FACETS, DemoVocabulary, read_vocabulary
from citescape.demo.works import LAYOUTS, PRINTED, GeneratedWork, Layout, make_works

FIRST_YEAR, LAST_YEAR = 2008, 2021
_OLDEST = 1988
_FOUNDATIONAL = 0.06
_SMALLEST = 50
_NOTICES = 47
"""Purpose of the random generator that plans notices."""


@dataclass(frozen=True)
class World:
    """The ground truth. Works 0 to `papers` - 1 are the corpus; the others are only cited."""

    seed: int
    papers: int
    society: Society
    works: tuple[GeneratedWork, ...]
    pairs: PlantedPairs
    mentions: Mentions

    @property
    def vocabulary(self) -> DemoVocabulary:
        """Words and names of the world."""
        return self.society.vocabulary

    @property
    def counts(self) -> Ints:
        """(pairs, 5): planned mentions of each pair by section, columns as in `SECTIONS`."""
        return self.mentions.counts(len(self.pairs))

    @cached_property
    def notices(self) -> tuple[PlantedNotice, ...]:
        """Retractions and corrections; see `plan_notices`."""
        return plan_notices(self.works, self.pairs, self.rng(_NOTICES))

    def voice(self, work: int) -> Voice:
        """Subject and house style of a work."""
        entry = self.works[work]
        return Voice(self.vocabulary, entry.topic, entry.venue, entry.facets)

    def rng(self, *purpose: int) -> np.random.Generator:
        """Random generator of one purpose, independent of the others."""
        return np.random.default_rng([self.seed, *purpose])


def generate_world(
    *,
    papers: int = 300,
    seed: int = 0,
    references: float = 24.0,
    outside: float = 3.0,
) -> World:
    """A world whose corpus has `papers` full texts.

    Args:
        papers: full texts, at least 50.
        seed: the same seed gives the same world, to the byte.
        references: mean length of a reference list.
        outside: works without full text for each paper of the corpus.

    Raises:
        ConfigError: too few papers, or a figure that is not positive.
    """
    if papers < _SMALLEST or references <= 0 or outside <= 0 or seed < 0:
        raise ConfigError(
            f"papers is {papers}, references {references}, outside {outside}, seed {seed}; "
            f"expected at least {_SMALLEST} papers, positive sizes and a seed of 0 or more"
        )
    rng = np.random.default_rng([seed])
    society = generate_society(read_vocabulary(), papers=papers, rng=rng)
    catalogue = _catalogue(society, (papers, round(papers * outside)), rng)
    layouts: list[Layout] = rng.choice(list(LAYOUTS), papers, p=list(LAYOUTS.values())).tolist()
    works = make_works(catalogue, layouts, society, rng=rng)
    pairs = _pairs(catalogue, works, references, rng=rng)
    printed = np.array([PRINTED[layout] for layout in layouts])
    mentions = plan_mentions(pairs, printed[pairs.citing], rng)
    return World(seed, papers, society, works, pairs, mentions)


def _catalogue(society: Society, sizes: tuple[int, int], rng: np.random.Generator) -> Catalogue:
    papers, outside = sizes
    count = papers + outside
    topics = society.vocabulary.topics
    home = np.flatnonzero([lab.home for lab in society.labs])
    lab = np.concatenate([rng.choice(home, papers), rng.integers(len(society.labs), size=outside)])
    topic = np.array([entry.topic for entry in society.labs])[lab]
    venue = rng.integers(len(society.vocabulary.venues), size=count)

    # the output of the corpus grows year by year
    years = np.arange(FIRST_YEAR, LAST_YEAR + 1)
    growth = np.arange(len(years)) + 3.0
    corpus_years = rng.choice(years, size=papers, p=growth / growth.sum())
    outside_years = rng.integers(_OLDEST, LAST_YEAR - 1, size=outside)

    # (works, facets) half of the time a group stays with its own subject
    size = min(len(phrases) for entry in topics for phrases in entry.phrases.values())
    own = rng.integers(size, size=(len(society.labs), len(FACETS)))
    free = rng.integers(size, size=(count, len(FACETS)))
    facets = np.where(rng.random(free.shape) < 0.5, own[lab], free)
    return Catalogue(
        papers=papers,
        topic=topic,
        field=np.array([entry.field for entry in topics])[topic],
        venue=venue,
        year=np.concatenate([corpus_years, outside_years]),
        lab=lab,
        facets=facets,
        foundational=rng.random(count) < _FOUNDATIONAL,
    )


def _pairs(
    catalogue: Catalogue,
    works: tuple[GeneratedWork, ...],
    references: float,
    *,
    rng: np.random.Generator,
) -> PlantedPairs:
    citing, cited = choose_references(catalogue, references=references, rng=rng)
    bounds = np.searchsorted(citing, np.arange(catalogue.papers + 1))
    closeness = np.concatenate(
        [
            compute_closeness(catalogue, paper, cited[bounds[paper] : bounds[paper + 1]])
            for paper in range(catalogue.papers)
        ]
    )
    signed = [frozenset(work.authors) for work in works]
    ends = zip(citing.tolist(), cited.tolist(), strict=True)
    shared = np.array([not signed[i].isdisjoint(signed[j]) for i, j in ends])
    importance = compute_importance(closeness, shared, catalogue.foundational[cited], rng=rng)
    return PlantedPairs(citing, cited, closeness, shared, importance)
