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

from citescape.core.errors import ConfigError
from citescape.core.extras import require

FOLDS = 3
TOLERANCE, PASSES = 1e-3, 1_000
PASSES_PER_LABEL = 10_000
"""Of papers with several labels, as SciRepEval sets it."""
Matrix = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


@dataclass(frozen=True)
class Learner:
    """How a linear model is learned: min over w of 1/2 ||w||^2 + C * sum of losses."""

    costs: tuple[float, ...]
    """Values of C; of several the best in cross-validation is taken, of equals the first."""
    seed: int = 42
    cores: int = 1
    """Processes that fit folds. Threads would share liblinear's one source of chance."""

    def __post_init__(self) -> None:
        require("sklearn")

    def classify(self, papers: Matrix, labels: Labels, asked: Matrix) -> Labels:
        """One label each: one against the rest, squared hinge loss.

        C is chosen by accuracy in 3 stratified folds, the papers in the order given.

        Args:
            papers: (n, d) to learn from.
            labels: (n,)
            asked: (m, d)

        Returns:
            (m,) labels.

        Raises:
            ConfigError: fewer than two labels, or none that 3 papers have.
        """
        counts = np.unique(labels, return_counts=True)[1]
        if len(counts) < 2 or (self._searches and counts.max() < FOLDS):
            raise ConfigError(
                f"{len(labels)} papers with {len(counts)} labels to learn from, of which the most "
                f"frequent has {counts.max(initial=0)}; expected two labels or more, and {FOLDS} "
                "papers of one"
            )
        return self._learn(_newton(), (papers, labels), asked)

    def classify_many(self, papers: Matrix, labels: Labels, asked: Matrix) -> Labels:
        """Several labels each: a classifier a label, hinge loss, C chosen for each.

        Args:
            papers: (n, d) to learn from.
            labels: (n, labels) 0 or 1.
            asked: (m, d)

        Returns:
            (m, labels) 0 or 1. A label that all papers have, or none, is predicted for all or none;
            of one that fewer than 3 have, or lack, the first C is taken.
        """
        model, found = _descent(self.seed), []
        for column in labels.T:
            fewest = min(int(column.sum()), int(len(column) - column.sum()))
            if not fewest:
                found.append(np.full(len(asked), column[0]))
            elif fewest < FOLDS:
                alone = Learner(self.costs[:1], self.seed, self.cores)
                found.append(alone._learn(model, (papers, column), asked))
            else:
                found.append(self._learn(model, (papers, column), asked))
        return np.stack(found, axis=1)

    def regress(self, papers: Matrix, numbers: Matrix, asked: Matrix) -> Matrix:
        """A number each: absolute loss (epsilon 0); C is chosen by R^2 in 3 folds, in order.

        Args:
            papers: (n, d) to learn from.
            numbers: (n,)
            asked: (m, d)

        Returns:
            (m,)

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
        return self._learn(model, (papers, numbers), asked)

    @property
    def _searches(self) -> bool:
        return len(self.costs) > 1

    def _learn(self, model: Any, known: tuple[Matrix, Labels], asked: Matrix) -> Labels:
        from sklearn.model_selection import GridSearchCV

        model.set_params(C=self.costs[0])
        with _quietly():
            if self._searches:
                model = GridSearchCV(model, {"C": list(self.costs)}, cv=FOLDS, n_jobs=self.cores)
            predicted: Labels = model.fit(*known).predict(asked)
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


def _newton() -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(loss="squared_hinge", fit_intercept=False, dual=False)


def _descent(seed: int) -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(
        loss="hinge",
        fit_intercept=False,
        tol=TOLERANCE,
        max_iter=PASSES_PER_LABEL,
        random_state=seed,
        dual=True,
    )


@contextmanager
def _quietly() -> Iterator[None]:
    """Passes run out, as they do in the published evaluators, and rare labels miss a fold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
