"""Scored pairs: features, weights and importance, as arrays and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.importance import kernel
from citescape.importance.components import COUNTED, TABLE
from citescape.importance.counts import Counts, PairFeatures
from citescape.importance.learned.additive import AdditiveModel

_ROWS = 65_536


def place_weights(weights: Mapping[str, float]) -> npt.NDArray[np.float64]:
    """Weights (7,) as the kernel takes them; those of other components are 0."""
    placed = np.zeros(kernel.COMPONENTS)
    for name, weight in weights.items():
        placed[TABLE[name].slot] = weight
    return placed


def feature_columns(counts: Counts, selfs: npt.NDArray[np.uint8]) -> dict[str, pa.Array]:
    """The properties of CITES that hold counts and self-citations.

    Args:
        counts: (k, 6) counts of pairs.
        selfs: (k,) 1 for self-citations, else 0.
    """
    whole = counts.astype(np.int64)
    columns = {"mentions": pa.array(whole[:, : kernel.COMBINED].sum(axis=1))}
    columns |= {name: pa.array(whole[:, slot]) for slot, name in enumerate(COUNTED)}
    columns["self"] = pa.array(selfs.astype(np.int64))
    return columns


@dataclass(frozen=True)
class LearnedScores:
    """Importance by a trained model, in the order of pairs."""

    importance: npt.NDArray[np.float64]
    """(pairs,) probability that a citation is important."""
    model: AdditiveModel
    values: npt.NDArray[np.float64]
    """(pairs, p) values of the predictors of the model; NaN for missing ones."""

    def similarity(self, name: str) -> npt.NDArray[np.float64] | None:
        """(pairs,) similarity of `title` or `abstract`; None if the model has no such predictor."""
        predictor = f"{name}_similarity"
        if predictor not in self.model.names:
            return None
        return self.values[:, self.model.names.index(predictor)]


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs with their features and weights; 19 bytes per pair (21 with title similarity)."""

    features: PairFeatures
    weights: Mapping[str, float]
    """By component; other components have weight 0."""
    combined: str
    learned: LearnedScores | None = None
    """Scores of a trained model, in place of weights."""

    @cached_property
    def importance(self) -> npt.NDArray[np.float64]:
        """Importance (pairs,): Eq. 1 (CIA), exactly rounded, or as a model has learned it."""
        if self.learned:
            return self.learned.importance
        f, weights = self.features, place_weights(self.weights)
        return kernel.weigh(f.counts, f.selfs, f.titles, weights, self.combined == "both")

    def columns(self, positions: npt.NDArray[np.int64]) -> dict[str, pa.Array]:
        """The properties of CITES at the given positions, all but `run`."""
        features = self.features
        columns = feature_columns(features.counts[positions], features.selfs[positions])
        if len(features.titles):
            steps = features.titles[positions]
            missing = steps == kernel.MISSING
            columns["title_similarity"] = pa.array(steps * kernel.GRID, mask=missing)
        if self.learned:
            for name in ("title", "abstract"):
                similarity = self.learned.similarity(name)
                if similarity is not None:
                    some = similarity[positions]
                    columns[f"{name}_similarity"] = pa.array(some, mask=np.isnan(some))
        columns["importance"] = pa.array(self.importance[positions])
        return columns

    def tables(self) -> Iterator[pa.Table]:
        """All pairs as `citing`, `cited`, counts (with `f_combined`), `self`, `importance`."""
        for start in range(0, len(self.features.pairs), _ROWS):
            positions = np.arange(start, min(start + _ROWS, len(self.features.pairs)))
            citing, cited = self.features.pairs.ends(positions)
            columns = self.columns(positions)
            joined = self.features.counts[positions, kernel.COMBINED].astype(np.int64)
            importance = columns.pop("importance")
            yield pa.table(
                {
                    "citing": citing,
                    "cited": cited,
                    **columns,
                    "f_combined": joined,
                    "importance": importance,
                }
            )
