"""Scores of two scales held side by side.

A profile has more words than a title, and its vector is a mean, which lies nearer to anything. Left
as they are, scores of profiles bring papers that nothing cites yet to the end of every list. So a
score is told by how it stands among the scores that the same papers, those with a profile, have of
its kind: of their profiles, or of their own texts. The first is for papers with a profile, the
second for those without.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.recommend.fields import DenseField, Field, LexicalField, QueryScorer, Scores
from citescape.recommend.questions import Questions
from citescape.search.listed import Rows

Scale = tuple[Scores, Scores]
"""(b,) of each query: the score that counts as 0, and how far above it 1 is."""
Kind = TypeVar("Kind", DenseField, LexicalField)
TOP_SHARE = 0.01
"""Of the papers, how many stand above the score that counts as 1; the mean counts as 0."""
FEWEST = 100
"""Papers with a profile by which scores are told, at least."""
_SAMPLE = 8192
"""Papers by which they are told, at most."""


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A field whose papers without a profile are measured by a scale of their own."""

    field: Field
    """(n,) by profiles where there are such, else by own texts."""
    sample: Rows
    """(s,) the papers by whose scores others are told."""
    some: Field
    """(s,) the field of these alone."""
    own: Field | None
    """(s,) of these by their own texts; None where all are told by one scale."""
    profiled: npt.NDArray[np.bool_]
    """(n,)"""

    @classmethod
    def of(
        cls, own: Kind, profiles: Kind, profiled: npt.NDArray[np.bool_], *, seed: int = 0
    ) -> Calibrated:
        """Puts both kinds of scores side by side.

        Where too few papers have a profile to tell a scale by, all are told by that of all papers.

        Args:
            own: of all papers by their own texts.
            profiles: of all papers by their profiles.
            profiled: (n,) which have one.
            seed: of the sample.
        """
        mixed, rows = own.mix(profiles, profiled), np.flatnonzero(profiled)
        if len(rows) < FEWEST:
            sample = _draw(np.arange(len(profiled)), seed)
            return cls(mixed, sample, mixed.take(sample), None, profiled)
        sample = _draw(rows, seed)
        return cls(mixed, sample, mixed.take(sample), own.take(sample), profiled)

    def take(self, rows: Rows) -> Calibrated:
        """Some papers, told by the same scales."""
        return replace(self, field=self.field.take(rows), profiled=self.profiled[rows])

    def ask(self, asked: Questions, part: slice) -> QueryScorer:
        """Standings: 0 for a mean paper, 1 for one among the best hundredth.

        They rise with the scores, so what bounds these bounds them.
        """
        every, scores = slice(0, len(self.sample)), self.field.ask(asked, part)
        scale = _measure(self.some.ask(asked, part)(every))
        other = scale if self.own is None else _measure(self.own.ask(asked, part)(every))

        def stand(papers: slice | Rows, *, rough: bool = False) -> Scores:
            found = scores(papers, rough=rough)
            _stand(found, self.profiled[papers], scale, other)
            return found

        return stand


def _draw(rows: Rows, seed: int) -> Rows:
    if len(rows) <= _SAMPLE:
        return rows
    return np.sort(np.random.default_rng(seed).choice(rows, _SAMPLE, replace=False))


def _measure(scores: Scores) -> Scale:
    """(b,) mean, and how far above it the best hundredth begins; 1 where nothing differs.

    Where fewer than a hundredth have a word of the query, that score is below the mean: the best
    one counts then.
    """
    place = scores.shape[1] - max(int(np.ceil(TOP_SHARE * scores.shape[1])), 1)
    top = np.partition(scores, place, axis=1)[:, place]
    middle = scores.mean(axis=1, dtype=np.float64).astype(np.float32)
    spread = np.where(top > middle, top, scores.max(axis=1)) - middle
    return middle, np.where(spread > 0, spread, np.float32(1))


@compiled
def _stand(scores: Scores, profiled: npt.NDArray[np.bool_], scale: Scale, other: Scale) -> None:
    """Turns (b, r) scores into standings; the other scale is for papers without a profile."""
    for query in range(len(scores)):
        row = scores[query]
        middle, spread = scale[0][query], scale[1][query]
        own_middle, own_spread = other[0][query], other[1][query]
        for at in range(len(row)):
            less = middle if profiled[at] else own_middle
            by = spread if profiled[at] else own_spread
            row[at] = (row[at] - less) / by
