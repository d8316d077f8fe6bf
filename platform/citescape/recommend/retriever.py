"""Candidates for contexts: by own texts or profiles, by vectors or words, or by all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.cores import usable_cores
from citescape.embeddings.vectors import slices
from citescape.errors import ConfigError, invalid_choice
from citescape.networks.blocks import run_blocks
from citescape.progress import Progress, silent
from citescape.ranking.listed import Codes, Rows
from citescape.recommend.calibration import Calibrated
from citescape.recommend.choosing import Best, join
from citescape.recommend.dates import EVER, Days
from citescape.recommend.fields import Asked, DenseField, LexicalField, Scores
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.profiler import Vectors
from citescape.recommend.questions import Questions
from citescape.recommend.tiles import TILE
from citescape.relatedness.text import compute_weights

FUSED = "fused"
_QUERIES = 32
"""That a thread answers at one time."""
_SCORES = 1 << 18
"""That it works out at one time, so that they stay in its cache."""
Found = tuple[Codes, Scores]


class Scorer(Protocol):
    """Scores of papers for some queries."""

    def ask(self, asked: Questions, part: slice) -> Asked:
        """For the queries of a part."""
        ...


@dataclass(frozen=True)
class Fused:
    """Standings of words and vectors, added up."""

    dense: Calibrated
    words: Calibrated
    share: float
    """Of the words, 0 to 1."""

    def ask(self, asked: Questions, part: slice) -> Asked:
        """For the queries of a part."""
        dense, words = self.dense.ask(asked, part), self.words.ask(asked, part)

        def score(papers: slice) -> Scores:
            found, more = dense(papers), words(papers)
            found *= np.float32(1 - self.share)
            more *= np.float32(self.share)
            found += more
            return found

        return score

    def tell(self, asked: Questions, row: int, papers: Rows) -> dict[str, Scores]:
        """(k,) what `vectors` and `words` give to the scores of some papers for a query."""
        part, every = slice(row, row + 1), slice(0, len(papers))
        dense, words = (
            field.take(papers).ask(asked, part)(every)[0] for field in (self.dense, self.words)
        )
        return {"vectors": (1 - self.share) * dense, "words": self.share * words}


@dataclass(frozen=True, eq=False)
class CandidateIndex:
    """What candidates are held against queries by."""

    base: Vectors
    """(n, d) vectors of titles and abstracts."""
    profiles: Vectors
    """(n, d), see `profiler.build_profiles`."""
    lexicon: Lexicon
    profiled: npt.NDArray[np.bool_]
    """(n,) whether anything cites the paper."""
    latest: Days
    """(n,) the last day on which each paper may have appeared."""
    share: float = 0.2
    """Of words in a fused score; chosen on papers before those of any figure that is reported."""

    @cached_property
    def dense(self) -> DenseField:
        """By titles and abstracts."""
        return DenseField(self.base)

    @cached_property
    def profiler(self) -> DenseField:
        """By profiles; of a paper that nothing cites that is its own vector."""
        return DenseField(self.profiles)

    @cached_property
    def words(self) -> LexicalField:
        """By words of titles and abstracts."""
        return LexicalField(compute_weights(self.lexicon.own))

    @cached_property
    def word_profiles(self) -> LexicalField:
        """By words of titles, abstracts and contexts."""
        return LexicalField(compute_weights(self.lexicon.profiles))

    @cached_property
    def calibrated(self) -> Calibrated:
        """By vectors; papers that nothing cites by a scale of their own."""
        return Calibrated.of(self.dense, self.profiler, self.profiled)

    @cached_property
    def calibrated_words(self) -> Calibrated:
        """The same by words."""
        return Calibrated.of(self.words, self.word_profiles, self.profiled)

    @property
    def fused(self) -> Fused:
        """By vectors and words."""
        return Fused(self.calibrated, self.calibrated_words, self.share)

    def weigh(self, share: float) -> CandidateIndex:
        """The same with another share of words, and with what is fused, which is made once."""
        other = replace(self, share=share)
        made = {"calibrated": self.calibrated, "calibrated_words": self.calibrated_words}
        vars(other).update(made)
        return other


System = Callable[[CandidateIndex], Scorer]
SYSTEMS: Mapping[str, tuple[System, str]] = {
    "bm25": (lambda index: index.words, "words of title and abstract"),
    "bm25-profile": (
        lambda index: index.word_profiles,
        "words of title, abstract and the contexts that cite the paper",
    ),
    "dense": (lambda index: index.dense, "vectors of title and abstract"),
    "profiler": (
        lambda index: index.profiler,
        "vectors of title and abstract, contexts and citing papers, as published",
    ),
    "calibrated": (
        lambda index: index.calibrated,
        "the same; papers that nothing cites are measured by a scale of their own",
    ),
    FUSED: (lambda index: index.fused, "that and the like of words together"),
}
DEFAULT = FUSED


def describe_retriever(system: str, share: float) -> dict[str, Any]:
    """What decides ranks and scores beside profiles and queries, as rerankers are told of it.

    Args:
        system: one of `SYSTEMS`.
        share: of words, which count where they are fused only.
    """
    return {"system": system, "words": share if system == FUSED else None}


@dataclass(frozen=True, eq=False)
class Retrieved:
    """Papers found for queries, best first."""

    papers: Codes
    """(q, k) rows of papers, -1 where fewer were found."""
    scores: Scores
    """(q, k) descending, of equal ones the lower row first; -inf where fewer were found."""


def retrieve(
    index: CandidateIndex,
    asked: Questions,
    system: str = DEFAULT,
    *,
    k: int = 300,
    among: npt.NDArray[np.bool_] | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> Retrieved:
    """The k best candidates of each query; exact, every candidate is looked at.

    A query's own paper is not found, nor is one that is not surely older than the query asks for.
    Papers without a date are found where a query asks for those of any time.

    Args:
        index: what candidates are held against.
        asked: queries.
        system: one of `SYSTEMS`.
        k: candidates of a query.
        among: (n,) what may be found; None for all.
        threads: 0 for every core this process may use; the result does not depend on it.
        progress: told how many queries are done.

    Raises:
        ConfigError: no such system, or k is not positive.
    """
    if system not in SYSTEMS:
        raise invalid_choice("system", system, SYSTEMS)
    if k < 1:
        raise ConfigError(f"k is {k}; expected 1 or more")
    scorer = SYSTEMS[system][0](index)
    scorer.ask(asked, slice(0, 0))  # what all threads read is made before there are any
    parts = list(slices(len(asked), _QUERIES))
    shares = _cut(len(index.latest), -(-(threads or usable_cores()) // max(len(parts), 1)))

    def work(task: tuple[slice, slice]) -> Found:
        return _search(index, (asked, task[0]), scorer, papers=task[1], among=among, k=k)

    found = []
    for done in run_blocks(work, product(parts, shares), threads=threads):
        found.append(done)
        progress(f"searched for {len(asked) * len(found) // (len(parts) * len(shares)):,} queries")
    joined = [join(found[at : at + len(shares)]) for at in range(0, len(found), len(shares))]
    none = (np.empty((0, k), np.int32), np.empty((0, k), np.float32))
    papers, scores = zip(none, *joined, strict=True)
    return Retrieved(np.concatenate(papers), np.concatenate(scores))


def _cut(size: int, shares: int) -> list[slice]:
    """Ranges of papers of about the same size, which begin and end between tiles."""
    return list(slices(size, max(-(-size // (TILE * shares)), 1) * TILE))


def _search(
    index: CandidateIndex,
    of: tuple[Questions, slice],
    scorer: Scorer,
    *,
    papers: slice,
    among: npt.NDArray[np.bool_] | None,
    k: int,
) -> Found:
    """The best of a range of papers for the queries of a part."""
    asked, part = of
    count, score = part.stop - part.start, scorer.ask(asked, part)
    best = Best(count, k, papers.stop - papers.start)
    for ahead in slices(papers.stop - papers.start, max(_SCORES // (TILE * count), 1) * TILE):
        own = slice(papers.start + ahead.start, papers.start + ahead.stop)
        best.take(score(own), _allow(index, (asked, part), own, among=among), own.start)
    return best.sort()


def _allow(
    index: CandidateIndex,
    of: tuple[Questions, slice],
    papers: slice,
    *,
    among: npt.NDArray[np.bool_] | None,
) -> npt.NDArray[np.bool_]:
    """(b, r) what may be found for queries among a range of papers."""
    asked, part = of
    before = asked.before[part, None]
    allowed: npt.NDArray[np.bool_] = (index.latest[papers] < before) | (before == EVER)
    if among is not None:
        allowed &= among[papers]
    citing = asked.citing[part]
    inside = np.flatnonzero((citing >= papers.start) & (citing < papers.stop))
    allowed[inside, citing[inside] - papers.start] = False
    return allowed
