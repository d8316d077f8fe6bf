"""The weight of words in fused scores, chosen on sentences whose cited works are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled
from citescape.core.progress import Progress, silent
from citescape.recommend.dates import EVER
from citescape.recommend.fields import Scores
from citescape.recommend.queries import ContextQueries
from citescape.recommend.retriever import CandidateIndex
from citescape.recommend.tiles import TILE
from citescape.search.listed import Bools, Floats, Rows
from citescape.search.vectors import slices

TRIED_WEIGHTS = tuple(part / 10 for part in range(11))
"""Weights of words that are tried."""
FEWEST = 100
"""Minimum number of sentences to choose on."""
LONGEST = 300
"""Length of the lists of which MRR is computed."""
_QUERIES = 8
_RANGE = 256 * TILE
"""Queries and papers whose scores are in memory at a time, for each thread."""


@dataclass(frozen=True)
class WordWeightChoice:
    """A weight of words, and the sentences it was chosen on."""

    word_weight: float
    sentences: int
    papers: int
    """Number of papers that the sentences are from."""
    mrr: tuple[float, ...] = ()
    """MRR of each of `TRIED_WEIGHTS`, 0 to 1; empty if nothing was tried."""
    reason: str = ""
    """Why the default is used; empty if the weight was chosen."""
    run: str = ""
    """Run of the profiles it was chosen on."""

    @classmethod
    def from_record(cls, content: Mapping[str, Any]) -> WordWeightChoice:
        """The inverse of `to_record`."""
        return cls(**{**content, "mrr": tuple(content["mrr"])})

    def to_record(self) -> dict[str, Any]:
        """Content for a run's record."""
        return {**asdict(self), "mrr": list(self.mrr)}

    def describe(self) -> str:
        """One line for the user."""
        if self.reason:
            return f"weight of words: {self.word_weight:g}, the default: {self.reason}"
        default = self.mrr[TRIED_WEIGHTS.index(CandidateIndex.word_weight)]
        return (
            f"weight of words: {self.word_weight:g}, chosen on {self.sentences:,} sentences of "
            f"{self.papers:,} papers that were held out: MRR {100 * max(self.mrr):.1f}, and "
            f"{100 * default:.1f} with {CandidateIndex.word_weight:g}"
        )


def choose_word_weight(ranks: Floats, citing: npt.NDArray[Any]) -> WordWeightChoice:
    """The weight of words with the highest MRR; ties: the nearest to the default.

    The default is kept unless the lead over it exceeds the standard error of the lead, which is
    computed over papers, because sentences of one paper are alike.

    Args:
        ranks: result of `rank_by_word_weight`, for `TRIED_WEIGHTS`.
        citing: (q,) paper of each query.
    """
    default, papers = CandidateIndex.word_weight, len(np.unique(citing))
    if len(ranks) < FEWEST:
        reason = f"{len(ranks):,} sentences to choose on; expected {FEWEST} or more"
        return WordWeightChoice(default, len(ranks), papers, reason=reason)
    gains = np.where(ranks <= LONGEST, 1 / ranks, 0.0)
    mrr = gains.mean(axis=0)
    best = np.flatnonzero(mrr == mrr.max())
    place = min(best.tolist(), key=lambda at: abs(TRIED_WEIGHTS[at] - default))
    choice = WordWeightChoice(
        TRIED_WEIGHTS[place], len(ranks), papers, tuple(mrr.round(6).tolist())
    )
    leads = gains[:, place] - gains[:, TRIED_WEIGHTS.index(default)]
    sums = np.bincount(np.unique(citing, return_inverse=True)[1], leads - leads.mean())
    error = float(np.sqrt((sums**2).sum() * papers / max(papers - 1, 1))) / len(leads)
    if choice.word_weight == default or (papers > 1 and leads.mean() > error):
        return choice
    return replace(
        choice,
        word_weight=default,
        reason=f"{choice.word_weight:g} leads by {100 * leads.mean():.1f} in MRR on "
        f"{choice.sentences:,} held-out sentences of {papers:,} papers, with a standard error of "
        f"{100 * error:.1f}",
    )


def rank_by_word_weight(
    index: CandidateIndex,
    queries: ContextQueries,
    cited: Sequence[Rows],
    *,
    word_weights: Sequence[float] = TRIED_WEIGHTS,
    among: Bools | None = None,
    threads: int = 0,
    progress: Progress = silent,
) -> Floats:
    """(q, w) rank, from 1, of the first cited work in the fused list of each weight of words.

    The ranks are those of `retriever.retrieve` for the system `fused`, without a limit. Scores by
    vectors and by words are computed once for all weights. A query without a cited work among its
    candidates has the rank infinity.

    Args:
        index: candidates.
        queries: q queries.
        cited: rows of the papers that each query cites.
        word_weights: w weights of words.
        among: (n,) papers that are candidates; None for all.
        threads: 0 for every core this process may use; the result does not depend on it.
        progress: reports how many queries are done.
    """
    weights = np.array([(1 - weight, weight) for weight in word_weights], np.float32)
    fields, papers = (index.calibrated, index.calibrated_words), len(index.latest)
    for field in fields:  # fills caches before threads
        field.scorer(queries, slice(0, 0))(slice(0, 0))
    ranks = np.full((len(queries), len(word_weights)), np.inf)

    def work(part: slice) -> None:
        scorers = [field.scorer(queries, part) for field in fields]
        targets = np.full((part.stop - part.start, len(word_weights)), -np.inf, np.float32)
        rows = np.full(targets.shape, papers)
        allowed_cited = []
        for at, query in enumerate(range(part.start, part.stop)):
            own = np.unique(cited[query])
            own = own[_find_allowed(index, queries, query, among)[own]]
            allowed_cited.append(own)
            if len(own):
                dense, words = (scorer(own)[at] for scorer in scorers)
                scores = weights[:, :1] * dense + weights[:, 1:] * words  # (w, cited)
                targets[at], rows[at] = scores.max(axis=1), own[scores.argmax(axis=1)]
        counts = np.zeros(targets.shape, np.int64)
        for stretch in slices(papers, _RANGE):
            dense, words = (scorer(stretch) for scorer in scorers)
            allowed = np.stack(
                [
                    _find_allowed(index, queries, query, among, stretch)
                    for query in range(part.start, part.stop)
                ]
            )
            _count_above(dense, words, allowed, weights, (targets, rows), stretch.start, counts)
        has_cited = np.array([len(own) > 0 for own in allowed_cited])
        ranks[part][has_cited] = 1.0 + counts[has_cited]

    parts = list(slices(len(queries), _QUERIES))
    for done, _ in enumerate(run_blocks(work, parts, threads=threads), 1):
        progress(f"weight of words: {min(done * _QUERIES, len(queries)):,} sentences")
    return ranks


def _find_allowed(
    index: CandidateIndex,
    queries: ContextQueries,
    query: int,
    among: Bools | None,
    papers: slice = slice(None),
) -> Bools:
    """(r,) candidates of a query: older than the query, and not its citing paper."""
    before, citing = queries.before[query], int(queries.citing[query])
    allowed: Bools = (index.latest[papers] < before) | (before == EVER)
    if among is not None:
        allowed &= among[papers]
    first = papers.start or 0
    if first <= citing < first + len(allowed):
        allowed[citing - first] = False
    return allowed


@compiled
def _count_above(
    dense: Scores,
    words: Scores,
    allowed: Bools,
    weights: Scores,
    targets: tuple[Scores, Rows],
    first: int,
    counts: Rows,
) -> None:
    """Adds to (b, w) the candidates before the first cited work; ties: the lower row."""
    scores, rows = targets
    for query in range(len(dense)):
        for at in range(dense.shape[1]):
            if not allowed[query, at]:
                continue
            vector, word, row = dense[query, at], words[query, at], first + at
            for at_weight in range(len(weights)):
                score = weights[at_weight, 0] * vector + weights[at_weight, 1] * word
                target = scores[query, at_weight]
                if score > target or (score == target and row < rows[query, at_weight]):
                    counts[query, at_weight] += 1
