"""Grid search for k1 and b of BM25 on validation queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.search.bm25 import Bm25


@dataclass(frozen=True)
class Grid:
    """Values of k1 and b; each combination is tried. Usual values are 1.2 and 0.75."""

    k1: tuple[float, ...] = (0.4, 0.8, 1.2, 1.6, 2.0)
    b: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)

    def __post_init__(self) -> None:
        if not self.k1 or not self.b:
            raise ConfigError(
                f"k1 is {self.k1} and b is {self.b}; expected one value of each or more"
            )


def tune_bm25(
    ranker: Bm25,
    measure: Callable[[Bm25], float],
    grid: Grid | None = None,
    *,
    progress: Progress = silent,
) -> Bm25:
    """The ranker with the best k1 and b; ties: the lowest k1, then the lowest b.

    Args:
        ranker: BM25 over the words of a corpus.
        measure: computes a figure of validation queries; higher is better.
        grid: values of k1 and b.
        progress: receives the current values.
    """
    grid = grid or Grid()
    trials = []
    for k1 in sorted(grid.k1):
        for b in sorted(grid.b):
            progress(f"trying BM25 with k1 {k1} and b {b}")
            trials.append((k1, b, measure(ranker.tuned(k1, b))))
    k1, b, _ = max(trials, key=lambda trial: trial[2])  # ties: the first
    return replace(ranker, k1=k1, b=b, trials=tuple(trials))
