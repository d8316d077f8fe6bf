"""Linear classifiers and regressors on fixed embeddings, as SciDocs and SciRepEval train them.

Both take `LinearSVC` and `LinearSVR` of sklearn-contrib-lightning, which no present-day Python
installs. These are scikit-learn's (liblinear's): the same problems, without an intercept.

Squared hinge loss is minimised by Newton's method, to the minimum. Lightning's dual coordinate
descent ends after 1000 passes, which for a C of 1 and more is far from it where labels overlap (at
25 times the cost), so figures of such a C may differ from published ones. The other losses have no
second derivative; they are minimised by dual coordinate descent with lightning's tolerance and
passes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.extras import require

FOLDS = 3
TOLERANCE, PASSES = 1e-3, 1_000
PASSES_PER_LABEL = 10_000
"""Passes for papers with several labels, as in SciRepEval."""
Matrix = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Labelled:
    """Papers with labels or numbers to predict, in the order of the file, on which folds depend."""

    papers: pa.StringArray
    """(n,)"""
    labels: Labels
    """(n,) classes (whole numbers where all are, else texts) or numbers; or (n, labels) of 0, 1."""
    source: str

    def __len__(self) -> int:
        return len(self.papers)

    def take(self, rows: npt.NDArray[Any]) -> Labelled:
        """Some of the papers."""
        return Labelled(self.papers.take(pa.array(rows)), self.labels[rows], self.source)


@dataclass(frozen=True)
class Learner:
    """Trains linear models: min over w of 1/2 ||w||^2 + C * sum of losses."""

    costs: tuple[float, ...]
    """Values of C; of several the best in cross-validation is taken, of equals the first."""
    seed: int = 42
    cores: int = 1
    """Processes that fit folds. Threads would share liblinear's one random generator."""

    def __post_init__(self) -> None:
        require("sklearn")

    def classify(self, papers: Matrix, labels: Labels, tested: Matrix) -> Labels:
        """(m,) one label each: one against the rest, squared hinge loss.

        C is chosen by accuracy in 3 stratified folds, the papers in the order given.

        Args:
            papers: (n, d) to learn from.
            labels: (n,)
            tested: (m, d) to predict.

        Raises:
            ConfigError: fewer than two labels, or no label of 3 papers.
        """
        from sklearn.svm import LinearSVC

        counts = np.unique(labels, return_counts=True)[1]
        if len(counts) < 2 or (len(self.costs) > 1 and counts.max() < FOLDS):
            raise ConfigError(
                f"{len(labels)} papers with {len(counts)} labels to learn from, of which the most "
                f"frequent has {counts.max(initial=0)}; expected two labels or more, and {FOLDS} "
                "papers of one"
            )
        model = LinearSVC(loss="squared_hinge", fit_intercept=False, dual=False)
        return self._learn(model, (papers, labels), tested)

    def classify_many(self, papers: Matrix, labels: Labels, tested: Matrix) -> Labels:
        """(m, labels) 0 or 1: a classifier per label, hinge loss, C chosen for each.

        Labels are (n, labels) of 0 and 1. A label that all papers have, or none, is predicted for
        all or none; a label that fewer than 3 have, or lack, takes the first C.
        """
        from sklearn.svm import LinearSVC

        model = LinearSVC(
            loss="hinge",
            fit_intercept=False,
            tol=TOLERANCE,
            max_iter=PASSES_PER_LABEL,
            random_state=self.seed,
            dual=True,
        )
        columns = []
        for column in labels.T:
            fewest = min(int(column.sum()), int(len(column) - column.sum()))
            if not fewest:
                columns.append(np.full(len(tested), column[0]))
            elif fewest < FOLDS:
                alone = Learner(self.costs[:1], self.seed, self.cores)
                columns.append(alone._learn(model, (papers, column), tested))
            else:
                columns.append(self._learn(model, (papers, column), tested))
        return np.stack(columns, axis=1)

    def regress(self, papers: Matrix, numbers: Matrix, tested: Matrix) -> Matrix:
        """(m,) numbers: absolute loss (epsilon 0); C is chosen by R^2 in 3 folds, in order.

        Raises:
            ConfigError: fewer than 6 papers, of which folds have no R^2.
        """
        from sklearn.svm import LinearSVR

        if len(papers) < 2 * FOLDS:
            raise ConfigError(
                f"{len(papers)} papers to learn from; expected {2 * FOLDS} or more: {FOLDS} folds"
            )
        model = LinearSVR(
            epsilon=0.0,
            loss="epsilon_insensitive",
            fit_intercept=False,
            tol=TOLERANCE,
            max_iter=PASSES,
            random_state=self.seed,
            dual=True,
        )
        return self._learn(model, (papers, numbers), tested)

    def _learn(self, model: Any, known: tuple[Matrix, Labels], tested: Matrix) -> Labels:
        from sklearn.model_selection import GridSearchCV

        model.set_params(C=self.costs[0])
        with _quietly():
            if len(self.costs) > 1:
                model = GridSearchCV(model, {"C": list(self.costs)}, cv=FOLDS, n_jobs=self.cores)
            predicted: Labels = model.fit(*known).predict(tested)
        return predicted


def log_spaced(low: int, high: int, count: int) -> tuple[float, ...]:
    """10^low to 10^high, `count` of them at equal ratios."""
    return tuple(float(value) for value in np.logspace(low, high, count))


def split_few(labels: Labels, size: int, iterations: int) -> Sequence[npt.NDArray[np.int64]]:
    """Stratified parts of about `size` papers: at most `iterations` of the n / size there are.

    Args:
        labels: (n,) one of each paper.
        size: papers of a part.
        iterations: parts to take, the first ones.

    Raises:
        ConfigError: no label has as many papers as there would be parts, or there would be one
            part only.
    """
    from sklearn.model_selection import StratifiedKFold

    parts = -(-len(labels) // size)
    most = int(np.unique(labels, return_counts=True)[1].max(initial=0))
    if parts < 2 or most < parts:
        raise ConfigError(
            f"{len(labels)} papers, {most} with the most frequent label, for parts of {size}; "
            "expected enough for two parts or more, and a paper of that label in each"
        )
    with _quietly():
        folds = StratifiedKFold(parts).split(np.zeros(len(labels)), labels)
        return [part for (_, part), _ in zip(folds, range(iterations), strict=False)]


@contextmanager
def _quietly() -> Iterator[None]:
    """Hides warnings: passes run out, as in the published evaluators; rare labels miss a fold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
