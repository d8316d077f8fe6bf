"""Classifiers of single sentences: by position alone, and by words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack, vstack

from citescape.core.types import FACETS
from citescape.runs.directory import RunRecord
from citescape.text.abstracts.facets import FACET_INDEX, UNSAVED_RUN, FacetLabels, Sentences
from citescape.text.abstracts.features import BINS, Rows, Words, bins, describe_position, zero_rows
from citescape.text.abstracts.gold import GoldAbstract
from citescape.text.model_run import Tensors

_C = 3.0
"""Inverse strength of the L2 penalty, chosen from 1 and 3 by cross-validation."""
_NEIGHBOUR = 0.5
"""Weight of the words of the neighbouring sentences."""
LINEAR_SETTINGS = {"c": _C, "neighbour": _NEIGHBOUR}


@dataclass
class PositionSplitter:
    """The most frequent facet of each tenth of an abstract; a control."""

    facets: npt.NDArray[np.int64]
    """(BINS,)"""
    record: RunRecord

    @classmethod
    def fit(cls, gold: Sequence[GoldAbstract], record: RunRecord = UNSAVED_RUN) -> PositionSplitter:
        """Counts the facets of each tenth; a tenth without sentences is background."""
        counts = np.zeros((BINS, len(FACETS)), np.int64)
        for abstract in gold:
            facets = np.array([FACET_INDEX[facet] for facet in abstract.facets])
            np.add.at(counts, (bins(len(facets)), facets), 1)
        return cls(counts.argmax(1), record)

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays to save."""
        return {"facets": self.facets}

    @classmethod
    def from_tensors(cls, tensors: Tensors, record: RunRecord) -> PositionSplitter:
        """The inverse of `tensors`."""
        return cls(tensors["facets"], record)

    def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
        """Labels of each abstract."""
        run = self.record.id
        return [
            FacetLabels(tuple(FACETS[k] for k in self.facets[bins(len(abstract))]), "model", run)
            for abstract in abstracts
        ]


@dataclass
class LinearSplitter:
    """Logistic regression on words, the neighbours' words and position; classes balanced."""

    words: Words
    weights: npt.NDArray[np.float64]
    """(1 + features, facets), the first row the bias."""
    record: RunRecord

    @classmethod
    def fit(cls, gold: Sequence[GoldAbstract], record: RunRecord = UNSAVED_RUN) -> LinearSplitter:
        """Trains on sentences with known facets."""
        from sklearn.linear_model import LogisticRegression

        words = Words.fit([text for abstract in gold for text in abstract.sentences])
        rows = vstack([_describe(words, abstract.sentences) for abstract in gold]).tocsr()
        facets = [FACET_INDEX[facet] for abstract in gold for facet in abstract.facets]
        model = LogisticRegression(C=_C, max_iter=500, class_weight="balanced").fit(rows, facets)
        weights = np.concatenate([model.intercept_[None], model.coef_.T])
        return cls(words, weights, record)

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays to save."""
        return {**self.words.tensors(), "weights": self.weights}

    @classmethod
    def from_tensors(cls, tensors: Tensors, record: RunRecord) -> LinearSplitter:
        """The inverse of `tensors`."""
        return cls(Words.from_tensors(tensors), tensors["weights"], record)

    def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
        """Labels of each abstract."""
        labels = []
        for sentences in abstracts:
            facets: tuple[str, ...] = ()
            if sentences:
                rows = _describe(self.words, sentences)
                scores = rows @ self.weights[1:] + self.weights[0]  # (n, 3)
                facets = tuple(FACETS[k] for k in scores.argmax(1))
            labels.append(FacetLabels(facets, "model", self.record.id))
        return labels


def _describe(words: Words, sentences: Sentences) -> Rows:
    """(n, 3 size + POSITION_COLUMNS): own words, words before, words after, position."""
    own = words(sentences)
    missing = zero_rows(1, words.size)
    before = vstack([missing, own[:-1]]) * _NEIGHBOUR
    after = vstack([own[1:], missing]) * _NEIGHBOUR
    return hstack([own, before, after, csr_array(describe_position(len(sentences)))]).tocsr()
