"""Candidates for contexts: by own texts or profiles, by vectors or words, or by all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.cores import usable_cores
from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.progress import Progress, silent
from citescape.recommend.calibration import Calibrated
from citescape.recommend.dates import EVER, Days
from citescape.recommend.fields import DenseField, LexicalField, QueryScorer, Scores
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.profiler import Vectors
from citescape.recommend.questions import Questions
from citescape.recommend.tiles import TILE
from citescape.search.bm25 import compute_weights
from citescape.search.listed import Codes, Rows
from citescape.search.ranker import NONE
from citescape.search.selection import Best, Chosen, join
from citescape.search.vectors import slices

FUSED = "fused"
_QUERIES = 32
"""That a thread answers at one time."""
_FEW = 4
"""Queries of which each is answered by bounds: more share what is read of the papers."""
_SPARE = 512
"""Papers that are looked at closely, beside twice as many as are asked for."""
_SCORES = 1 << 18
"""That it works out at one time, so that they stay in its cache."""


class Scorer(Protocol):
    """Scores of papers for some queries."""

    def ask(self, asked: Questions, part: slice) -> QueryScorer:
        """For the queries of a part."""
        ...


@dataclass(frozen=True)
class Fused:
    """Standings of words and vectors, added up."""

    dense: Calibrated
    words: Calibrated
    share: float
    """Of the words, 0 to 1."""

    def ask(self, asked: Questions, part: slice) -> QueryScorer:
        """For the queries of a part: sums, which rise with what they are of."""
        dense, words = self.dense.ask(asked, part), self.words.ask(asked, part)

        def add(papers: slice | Rows, *, rough: bool = False) -> Scores:
            found, more = dense(papers, rough=rough), words(papers, rough=rough)
            found *= np.float32(1 - self.share)
            more *= np.float32(self.share)
            found += more
            return found

        return add

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
    few = len(asked) <= _FEW and not isinstance(scorer, LexicalField)
    none_yet = scorer.ask(asked, slice(0, 0))  # what all threads read is made before there are any
    none_yet(slice(0, 0), rough=few)
    parts = list(slices(len(asked), 1 if few else _QUERIES))
    shares = _cut(len(index.latest), -(-(threads or usable_cores()) // max(len(parts), 1)))

    def work(task: tuple[slice, slice]) -> Chosen:
        share, score = _Share(index, asked, *task, among), scorer.ask(asked, task[0])
        return share.search_by_bounds(score, k) if few else share.search(score, k)

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


@dataclass(frozen=True)
class _Share:
    """Queries and papers that are held against each other in one go."""

    index: CandidateIndex
    asked: Questions
    part: slice
    papers: slice
    among: npt.NDArray[np.bool_] | None

    def search_by_bounds(self, score: QueryScorer, k: int) -> Chosen:
        """As `search` for one query: the greatest bounds first, whose papers are looked at closely.

        That is all that may be among the best if the k-th of them exceeds the bound of all others.
        Where many papers are alike that may fail, and all are looked at closely.
        """
        fewest = 2 * k + _SPARE
        for held in (fewest, 8 * fewest):
            (rows,), (bounds,) = self.search(partial(score, rough=True), held)
            there = np.sort(rows[rows != NONE]).astype(np.int64)
            best = Best(1, k, len(there))
            best.take(score(there), np.ones((1, len(there)), np.bool_), 0)
            places, scores = best.sort()
            if len(there) < held or scores[0, -1] > bounds[-1]:
                return np.append(there, NONE)[places].astype(np.int32), scores
        return self.search(score, k)

    def search(self, score: Callable[[slice], Scores], k: int) -> Chosen:
        """(b, k) the papers whose scores are greatest, and these."""
        papers, count = self.papers, self.part.stop - self.part.start
        best = Best(count, k, papers.stop - papers.start)
        for ahead in slices(papers.stop - papers.start, max(_SCORES // (TILE * count), 1) * TILE):
            own = slice(papers.start + ahead.start, papers.start + ahead.stop)
            best.take(score(own), self._allow(own), own.start)
        return best.sort()

    def _allow(self, papers: slice) -> npt.NDArray[np.bool_]:
        """(b, r) what may be found among a range of papers."""
        before = self.asked.before[self.part, None]
        allowed: npt.NDArray[np.bool_] = (self.index.latest[papers] < before) | (before == EVER)
        if self.among is not None:
            allowed &= self.among[papers]
        citing = self.asked.citing[self.part]
        inside = np.flatnonzero((citing >= papers.start) & (citing < papers.stop))
        allowed[inside, citing[inside] - papers.start] = False
        return allowed
