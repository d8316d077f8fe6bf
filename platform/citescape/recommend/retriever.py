"""Candidates for contexts: by own texts or profiles, by vectors or words, or by all combined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.cores import usable_cores
from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.progress import Progress, silent
from citescape.recommend.calibration import CalibratedField
from citescape.recommend.dates import EVER, Days
from citescape.recommend.fields import DenseField, Field, LexicalField, QueryScorer, Scores
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.profiler import Vectors
from citescape.recommend.queries import ContextQueries
from citescape.recommend.tiles import TILE
from citescape.search.bm25 import compute_weights
from citescape.search.listed import Codes, Rows
from citescape.search.ranker import NONE
from citescape.search.selection import BestScores, Chosen, join
from citescape.search.vectors import slices

FUSED: Final = "fused"
_BLOCK_QUERIES = 32
"""Queries that a thread searches at a time."""
_BOUNDED_QUERIES = 4
"""Maximum number of queries that are searched one by one, by bounds; blocks of more queries read
the papers together."""
_EXTRA_CANDIDATES = 512
"""Candidates whose exact scores are computed, in addition to 2 k."""
_BLOCK_SCORES = 1 << 18
"""Scores computed at a time, so that they stay in the cache of a core."""


@dataclass(frozen=True)
class FusedField:
    """Weighted sum of the calibrated scores by vectors and by words."""

    dense: CalibratedField
    words: CalibratedField
    word_weight: float
    """Weight of words, 0 to 1."""

    def scorer(self, queries: ContextQueries, part: slice) -> QueryScorer:
        """Scores papers for a part of the queries; monotonic in both scores."""
        dense, words = self.dense.scorer(queries, part), self.words.scorer(queries, part)

        def fuse(papers: slice | Rows, *, bounds: bool = False) -> Scores:
            scores, by_words = dense(papers, bounds=bounds), words(papers, bounds=bounds)
            scores *= np.float32(1 - self.word_weight)
            by_words *= np.float32(self.word_weight)
            scores += by_words
            return scores

        return fuse

    def split_scores(self, queries: ContextQueries, row: int, papers: Rows) -> dict[str, Scores]:
        """(k,) contributions of `vectors` and `words` to the scores of papers for one query.

        Args:
            queries: all queries.
            row: the query.
            papers: (k,) rows of papers.
        """
        part, every = slice(row, row + 1), slice(0, len(papers))
        dense, words = (
            field.select_rows(papers).scorer(queries, part)(every)[0]
            for field in (self.dense, self.words)
        )
        return {"vectors": (1 - self.word_weight) * dense, "words": self.word_weight * words}


@dataclass(frozen=True, eq=False)
class CandidateIndex:
    """Vectors, words and dates of the candidates."""

    base: Vectors
    """(n, d) vectors of titles and abstracts."""
    profiles: Vectors
    """(n, d), see `profiler.build_profiles`."""
    lexicon: Lexicon
    profiled: npt.NDArray[np.bool_]
    """(n,) whether anything cites the paper."""
    latest: Days
    """(n,) the last day on which each paper may have appeared."""
    word_weight: float = 0.2
    """Weight of words in fused scores; chosen on papers older than those of reported figures."""

    @cached_property
    def dense(self) -> DenseField:
        """Vectors of titles and abstracts."""
        return DenseField(self.base)

    @cached_property
    def profiler(self) -> DenseField:
        """Vectors of profiles; a paper that nothing cites has its own vector."""
        return DenseField(self.profiles)

    @cached_property
    def words(self) -> LexicalField:
        """Words of titles and abstracts."""
        return LexicalField(compute_weights(self.lexicon.own))

    @cached_property
    def word_profiles(self) -> LexicalField:
        """Words of titles, abstracts and contexts."""
        return LexicalField(compute_weights(self.lexicon.profiles))

    @cached_property
    def calibrated(self) -> CalibratedField:
        """Vectors, with a separate scale for papers that nothing cites."""
        return CalibratedField.from_fields(self.dense, self.profiler, self.profiled)

    @cached_property
    def calibrated_words(self) -> CalibratedField:
        """Words, with a separate scale for papers that nothing cites."""
        return CalibratedField.from_fields(self.words, self.word_profiles, self.profiled)

    @property
    def fused(self) -> FusedField:
        """Vectors and words."""
        return FusedField(self.calibrated, self.calibrated_words, self.word_weight)

    def weigh(self, word_weight: float) -> CandidateIndex:
        """The same index with another weight of words; it shares the calibrated fields."""
        other = replace(self, word_weight=word_weight)
        fields = {"calibrated": self.calibrated, "calibrated_words": self.calibrated_words}
        vars(other).update(fields)
        return other


Scorer = Field | CalibratedField | FusedField
SYSTEMS: Mapping[str, tuple[Callable[[CandidateIndex], Scorer], str]] = {
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
        "like profiler, with a separate scale for papers that nothing cites",
    ),
    FUSED: (lambda index: index.fused, "like calibrated, by vectors and by words together"),
}
DEFAULT: Final = FUSED
WORD_SYSTEMS = ("bm25", "bm25-profile")
"""Systems that need no vectors."""
DEFAULT_WORDS: Final = "bm25-profile"
"""The system that answers before there are vectors."""


def describe_retriever(system: str, word_weight: float | None) -> dict[str, Any]:
    """Settings that decide ranks and scores, as recorded with rerankers.

    The weight of words counts for the system `fused` only.
    """
    return {"system": system, "word_weight": word_weight if system == FUSED else None}


@dataclass(frozen=True, eq=False)
class Retrieved:
    """Shortlists of queries, best first."""

    papers: Codes
    """(q, k) rows of papers; -1 fills short lists."""
    scores: Scores
    """(q, k) descending (ties: the lower row first); -inf fills short lists."""


def retrieve(
    index: CandidateIndex,
    queries: ContextQueries,
    system: str = DEFAULT,
    *,
    k: int = 300,
    among: npt.NDArray[np.bool_] | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> Retrieved:
    """The k best candidates of each query; the search is exact.

    The citing paper of a query is not a candidate, nor is a paper that may not be older than the
    date of the query. Papers without a date are candidates of queries for any date only.

    Args:
        index: candidates.
        queries: q queries.
        system: one of `SYSTEMS`.
        k: number of candidates per query.
        among: (n,) papers that are candidates; None for all.
        threads: 0 for every core this process may use; the result does not depend on it.
        progress: reports how many queries are done.

    Raises:
        ConfigError: no such system, or k is not positive.
    """
    if system not in SYSTEMS:
        raise invalid_choice("system", system, SYSTEMS)
    if k < 1:
        raise ConfigError(f"k is {k}; expected 1 or more")
    field = SYSTEMS[system][0](index)
    by_bounds = len(queries) <= _BOUNDED_QUERIES and not isinstance(field, LexicalField)
    field.scorer(queries, slice(0, 0))(slice(0, 0), bounds=by_bounds)  # fills caches before threads

    # blocks of queries by ranges of papers, which begin and end between tiles
    parts = list(slices(len(queries), 1 if by_bounds else _BLOCK_QUERIES))
    ranges = -(-(threads or usable_cores()) // max(len(parts), 1))
    papers = len(index.latest)
    shares = list(slices(papers, max(-(-papers // (TILE * ranges)), 1) * TILE))

    def search(task: tuple[slice, slice]) -> Chosen:
        block, score = _SearchBlock(index, queries, *task, among), field.scorer(queries, task[0])
        return block.search_by_bounds(score, k) if by_bounds else block.search(score, k)

    blocks = []
    for best in run_blocks(search, product(parts, shares), threads=threads):
        blocks.append(best)
        count = len(queries) * len(blocks) // (len(parts) * len(shares))
        progress(f"searched for {count:,} queries")
    joined = [join(blocks[at : at + len(shares)]) for at in range(0, len(blocks), len(shares))]
    empty = (np.empty((0, k), np.int32), np.empty((0, k), np.float32))
    rows, scores = zip(empty, *joined, strict=True)
    return Retrieved(np.concatenate(rows), np.concatenate(scores))


@dataclass(frozen=True)
class _SearchBlock:
    """A block of queries and a range of papers."""

    index: CandidateIndex
    queries: ContextQueries
    part: slice
    papers: slice
    among: npt.NDArray[np.bool_] | None

    def search_by_bounds(self, score: QueryScorer, k: int) -> Chosen:
        """The result of `search` for one query, from the papers with the greatest bounds.

        These contain the k best if the k-th best score exceeds the bounds of all other papers.
        Otherwise, as when many papers are alike, all papers are scored.
        """
        fewest = 2 * k + _EXTRA_CANDIDATES
        for size in (fewest, 8 * fewest):
            (rows,), (bounds,) = self.search(partial(score, bounds=True), size)
            candidates = np.sort(rows[rows != NONE]).astype(np.int64)
            best = BestScores(1, k, len(candidates))
            best.add(score(candidates), np.ones((1, len(candidates)), np.bool_), 0)
            places, scores = best.sort()
            if len(candidates) < size or scores[0, -1] > bounds[-1]:
                return np.append(candidates, NONE)[places].astype(np.int32), scores
        return self.search(score, k)

    def search(self, score: Callable[[slice], Scores], k: int) -> Chosen:
        """(b, k) the papers with the greatest scores, and these scores."""
        first, size = self.papers.start, self.papers.stop - self.papers.start
        before, citing = self.queries.before[self.part, None], self.queries.citing[self.part]
        best = BestScores(len(citing), k, size)
        for stretch in slices(size, max(_BLOCK_SCORES // (TILE * len(citing)), 1) * TILE):
            papers = slice(first + stretch.start, first + stretch.stop)

            # (b, r) candidates: older than the query, and not its citing paper
            allowed = (self.index.latest[papers] < before) | (before == EVER)
            if self.among is not None:
                allowed &= self.among[papers]
            own = np.flatnonzero((citing >= papers.start) & (citing < papers.stop))
            allowed[own, citing[own] - papers.start] = False
            best.add(score(papers), allowed, papers.start)
        return best.sort()
