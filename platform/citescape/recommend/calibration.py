"""Calibrated scores: papers with and without a profile on one scale.

A profile has more words than a title, and its vector is a mean, which is closer to any query.
Uncalibrated scores therefore rank papers that nothing cites last. Each score is standardised by the
scores of a sample of papers with a profile: by those of their profiles for papers with a profile,
by those of their own texts for papers without one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.recommend.fields import DenseField, Field, LexicalField, QueryScorer, Scores
from citescape.recommend.queries import ContextQueries
from citescape.search.listed import Rows

Scale = tuple[Scores, Scores]
"""(b,) for each query: the score that is mapped to 0, and its difference from the score that is
mapped to 1."""
FieldKind = TypeVar("FieldKind", DenseField, LexicalField)
TOP_SHARE = 0.01
"""Share of the papers above the score that is mapped to 1; the mean is mapped to 0."""
FEWEST = 100
"""Minimum number of papers with a profile in a sample."""
_SAMPLE = 8192
"""Maximum number of papers in a sample."""


@dataclass(frozen=True, eq=False)
class CalibratedField:
    """A field in which papers without a profile have a scale of their own."""

    field: Field
    """(n,) scores by profiles; by own texts for papers without a profile."""
    sample: Rows
    """(s,) papers whose scores define the scales."""
    sample_field: Field
    """(s,) `field` of the sample."""
    own_sample_field: Field | None
    """(s,) scores of the sample by own texts; None if all papers share one scale."""
    profiled: npt.NDArray[np.bool_]
    """(n,) whether the paper has a profile."""

    @classmethod
    def from_fields(
        cls, own: FieldKind, profiles: FieldKind, profiled: npt.NDArray[np.bool_], *, seed: int = 0
    ) -> CalibratedField:
        """Combines the scores by own texts and by profiles.

        Args:
            own: field of the papers by their own texts.
            profiles: field of the same papers by profiles.
            profiled: (n,) papers with a profile; below `FEWEST`, all papers share one scale.
            seed: random seed of the sample.
        """
        field, rows = own.mix(profiles, profiled), np.flatnonzero(profiled)
        shared = len(rows) < FEWEST
        sample = np.arange(len(profiled)) if shared else rows
        if len(sample) > _SAMPLE:
            sample = np.sort(np.random.default_rng(seed).choice(sample, _SAMPLE, replace=False))
        own_sample = None if shared else own.select_rows(sample)
        return cls(field, sample, field.select_rows(sample), own_sample, profiled)

    def select_rows(self, rows: Rows) -> CalibratedField:
        """The field of some papers, with the same scales."""
        return replace(self, field=self.field.select_rows(rows), profiled=self.profiled[rows])

    def scorer(self, queries: ContextQueries, part: slice) -> QueryScorer:
        """Calibrated scores: 0 for the mean paper, 1 at the start of the best hundredth.

        They are monotonic in the scores, so that bounds stay bounds.
        """
        every, score = slice(0, len(self.sample)), self.field.scorer(queries, part)
        scale = _measure(self.sample_field.scorer(queries, part)(every))
        own = self.own_sample_field
        own_scale = scale if own is None else _measure(own.scorer(queries, part)(every))

        def calibrate(papers: slice | Rows, *, bounds: bool = False) -> Scores:
            scores = score(papers, bounds=bounds)
            _calibrate(scores, self.profiled[papers], scale, own_scale)
            return scores

        return calibrate


def _measure(scores: Scores) -> Scale:
    """(b,) mean, and its difference from the score of the best hundredth; 1 if all are equal.

    If less than a hundredth of the papers have a word of the query, that score is below the mean,
    and the maximum replaces it.
    """
    place = scores.shape[1] - max(int(np.ceil(TOP_SHARE * scores.shape[1])), 1)
    top = np.partition(scores, place, axis=1)[:, place]
    mean = scores.mean(axis=1, dtype=np.float64).astype(np.float32)
    spread = np.where(top > mean, top, scores.max(axis=1)) - mean
    return mean, np.where(spread > 0, spread, np.float32(1))


@compiled
def _calibrate(
    scores: Scores, profiled: npt.NDArray[np.bool_], scale: Scale, own_scale: Scale
) -> None:
    """Replaces (b, r) scores by calibrated ones; `own_scale` is for papers without a profile."""
    for query in range(len(scores)):
        row = scores[query]
        mean, spread = scale[0][query], scale[1][query]
        own_mean, own_spread = own_scale[0][query], own_scale[1][query]
        for at in range(len(row)):
            offset = mean if profiled[at] else own_mean
            width = spread if profiled[at] else own_spread
            row[at] = (row[at] - offset) / width
