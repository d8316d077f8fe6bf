"""A logistic regression for each intent on n-grams, section type and cue phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.text.intents.contexts import Context
from citescape.text.intents.members import Arrays, Fitted, Margins, divide_in_folds, targets
from citescape.text.intents.ngrams import NgramFeatures
from citescape.text.intents.scicite import Example
from citescape.text.intents.steps import IntentConfig

_CHUNK = 4096
"""Number of contexts whose features are in memory at one time: some 50 MB."""


@dataclass(frozen=True)
class LinearMember:
    """Margins by weights (features, 3) and bias (3,). Applying it needs no scikit-learn."""

    features: NgramFeatures
    weights: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]

    def __call__(self, contexts: Sequence[Context]) -> Margins:
        """Margins (n, 3)."""
        margins = np.empty((len(contexts), len(self.bias)))
        for start in range(0, len(contexts), _CHUNK):
            rows = self.features(contexts[start : start + _CHUNK])
            margins[start : start + _CHUNK] = rows @ self.weights + self.bias
        return margins

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Vocabularies, weights, bias."""
        return {**self.features.tensors(), "weights": self.weights, "bias": self.bias}

    def save(self, folder: Path) -> None:
        """Writes nothing: the tensors are the whole model."""

    @classmethod
    def load(cls, tensors: Arrays, folder: Path, config: IntentConfig) -> LinearMember:
        """The inverse of `tensors`."""
        return cls(NgramFeatures.of_tensors(tensors), tensors["weights"], tensors["bias"])


def fit_linear(
    examples: Sequence[Example], config: IntentConfig, progress: Progress = silent
) -> Fitted:
    """A model of all examples, and held-out margins from models of the other folds.

    Raises:
        ConfigError: scikit-learn is not installed, or too few papers have an intent.
    """
    require("sklearn")
    fold = divide_in_folds(examples, config)
    progress("training: n-grams")
    contexts = [example.context for example in examples]
    features, wanted = NgramFeatures.learn(contexts), targets(examples)
    rows = features(contexts)
    held_out = np.full(wanted.shape, np.nan)
    for k in range(config.folds):
        progress(f"training: linear model, fold {k + 1} of {config.folds}")
        rest = np.flatnonzero(fold != k)
        weights, bias = _fit(rows[rest], wanted[rest], config)
        held_out[fold == k] = rows[np.flatnonzero(fold == k)] @ weights + bias
    progress("training: linear model")
    return Fitted(LinearMember(features, *_fit(rows, wanted, config)), held_out)


def _fit(
    rows: sp.csr_array, wanted: Margins, config: IntentConfig
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Weights (features, 3) and bias (3,) of a logistic regression for each column of `wanted`."""
    from sklearn.linear_model import LogisticRegression

    options = {"C": config.strength, "solver": "liblinear", "tol": 1e-3, "max_iter": 200}
    models = [LogisticRegression(**options).fit(rows, column) for column in wanted.T]
    weights = np.array([model.coef_[0] for model in models], np.float32)
    bias = np.array([model.intercept_[0] for model in models], np.float32)
    return weights.T.copy(), bias
