"""Linear classifiers and regressors on fixed embeddings, as in SciDocs and SciRepEval.

The published evaluators use `LinearSVC` and `LinearSVR` of sklearn-contrib-lightning, which cannot
be installed for current versions of Python. Those of scikit-learn (liblinear) solve the same
problems, here without an intercept.

Squared hinge loss is minimised by Newton's method until convergence. Dual coordinate descent of
lightning stops after 1000 passes; with C >= 1 and overlapping labels this is far from the minimum,
so such figures may differ from published ones. The other losses have no second derivative; they are
minimised by dual coordinate descent with the tolerance and passes of lightning.
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
from citescape.metrics.chance import draw_numbers

FOLDS = 3
HELD_OUT = "held-out"
"""Split of tasks without a validation part: a seeded fifth of the training papers."""
_PARTS = 5
TOLERANCE, PASSES = 1e-3, 1_000
"""Tolerance and maximum passes of dual coordinate descent, as in lightning."""
PASSES_PER_LABEL = 10_000
"""Passes for papers with several labels, as in SciRepEval."""
SMALL = 100_000
"""Vectors times dimensions up to which one process is faster: others take seconds to start."""
Matrix = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Labelled:
    """Papers with labels or numbers to predict, in the order of the file, as folds depend on it."""

    papers: pa.StringArray
    """(n,) ids."""
    labels: Labels
    """(n,) classes (integers if all are, else strings) or numbers; or (n, labels) of 0 and 1."""
    source: str

    def __len__(self) -> int:
        return len(self.papers)

    def select_rows(self, rows: npt.NDArray[Any]) -> Labelled:
        """The papers at some rows."""
        return Labelled(self.papers.take(pa.array(rows)), self.labels[rows], self.source)


@dataclass(frozen=True)
class Learner:
    """Trains linear models: min over w of 1/2 ||w||^2 + C * sum of losses."""

    costs: tuple[float, ...]
    """Values of C; the best in cross-validation is used (ties: the first)."""
    seed: int = 42
    cores: int = 1
    """Number of processes that fit folds. Threads would share the random generator of liblinear."""

    def __post_init__(self) -> None:
        require("sklearn")

    def classify(self, papers: Matrix, labels: Labels, tested: Matrix) -> Labels:
        """(m,) one label per paper: one-vs-rest, squared hinge loss.

        C is chosen by accuracy in 3 stratified folds, without shuffling.

        Args:
            papers: (n, d) training vectors.
            labels: (n,) labels.
            tested: (m, d) test vectors.

        Raises:
            ConfigError: fewer than two labels, or no label of 3 papers.
        """
        from sklearn.svm import LinearSVC

        counts = np.unique(labels, return_counts=True)[1]
        if len(counts) < 2 or (len(self.costs) > 1 and counts.max() < FOLDS):
            raise ConfigError(
                f"{len(labels)} training papers with {len(counts)} labels, the most frequent with "
                f"{counts.max(initial=0)} papers; expected two labels or more, and {FOLDS} papers "
                "of one label"
            )
        model = LinearSVC(loss="squared_hinge", fit_intercept=False, dual=False)
        return self._learn(model, (papers, labels), tested)

    def classify_many(self, papers: Matrix, labels: Labels, tested: Matrix) -> Labels:
        """(m, labels) of 0 and 1: a binary classifier per label, hinge loss, C chosen per label.

        A constant label is predicted for all papers. A label with fewer than 3 positive or negative
        papers uses the first C.

        Args:
            papers: (n, d) training vectors.
            labels: (n, labels) of 0 and 1.
            tested: (m, d) test vectors.
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
                single = Learner(self.costs[:1], self.seed, self.cores)
                columns.append(single._learn(model, (papers, column), tested))
            else:
                columns.append(self._learn(model, (papers, column), tested))
        return np.stack(columns, axis=1)

    def regress(self, papers: Matrix, numbers: Matrix, tested: Matrix) -> Matrix:
        """(m,) numbers: absolute loss (epsilon 0); C is chosen by R^2 in 3 folds, in order.

        Args:
            papers: (n, d) training vectors.
            numbers: (n,) numbers to predict.
            tested: (m, d) test vectors.

        Raises:
            ConfigError: fewer than 6 papers, for which R^2 of folds is undefined.
        """
        from sklearn.svm import LinearSVR

        if len(papers) < 2 * FOLDS:
            raise ConfigError(
                f"{len(papers)} training papers; expected {2 * FOLDS} or more, for {FOLDS} folds"
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
        with _hide_warnings():
            if len(self.costs) > 1:
                processes = self.cores if known[0].size > SMALL else 1
                model = GridSearchCV(model, {"C": list(self.costs)}, cv=FOLDS, n_jobs=processes)
            predicted: Labels = model.fit(*known).predict(tested)
        return predicted


def hold_out(known: Labelled, *, seed: int) -> tuple[Labelled, Labelled]:
    """Training papers without a fifth of them, and that fifth.

    Labels and numbers are spread over both: every fifth paper in their order is held out, and ties
    are in random order. With several labels per paper the draw is plain.

    Args:
        known: training papers.
        seed: random seed; the draw of a paper depends on its id, not on its row.
    """
    drawn = draw_numbers(known.papers, HELD_OUT, seed=seed)
    order = np.argsort(drawn, kind="stable")
    if known.labels.ndim == 1:
        order = order[np.argsort(known.labels[order], kind="stable")]
    held = np.sort(order[_PARTS // 2 :: _PARTS])
    return known.select_rows(np.setdiff1d(np.arange(len(known)), held)), known.select_rows(held)


def log_spaced(low: int, high: int, count: int) -> tuple[float, ...]:
    """Numbers at equal ratios.

    Args:
        low: exponent of the first number, to base 10.
        high: exponent of the last number.
        count: number of numbers.
    """
    return tuple(float(value) for value in np.logspace(low, high, count))


def split_few(labels: Labels, size: int, iterations: int) -> Sequence[npt.NDArray[np.int64]]:
    """Stratified parts of about `size` papers: the first `iterations` of n / size parts.

    Args:
        labels: (n,) one label per paper.
        size: papers per part.
        iterations: maximum number of parts.

    Raises:
        ConfigError: fewer than two parts, or no label with a paper in each part.
    """
    from sklearn.model_selection import StratifiedKFold

    parts = -(-len(labels) // size)
    most = int(np.unique(labels, return_counts=True)[1].max(initial=0))
    if parts < 2 or most < parts:
        raise ConfigError(
            f"{len(labels)} papers, {most} with the most frequent label, for parts of {size}; "
            "expected two parts or more, each with a paper of that label"
        )
    with _hide_warnings():
        folds = StratifiedKFold(parts).split(np.zeros(len(labels)), labels)
        return [part for (_, part), _ in zip(folds, range(iterations), strict=False)]


@contextmanager
def _hide_warnings() -> Iterator[None]:
    """Hides warnings on unfinished passes, as in the published evaluators, and on rare labels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
