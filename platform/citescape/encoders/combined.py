"""Several encoders as one: the weighted sum of their vectors (FLeW, Eq. 8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.encoders.documents import separator
from citescape.encoders.pretrained import Encoded

if TYPE_CHECKING:
    from citescape.encoders.documents import DocumentEncoder

Vectors = npt.NDArray[np.float32]
Weights = tuple[float, ...]
_TOLERANCE = 1e-9


class WeightedSum:
    """Vectors sum_x w_x e_x of several encoders, which are not normalised first."""

    def __init__(self, parts: Sequence[DocumentEncoder], weights: Weights) -> None:
        check_weights(weights, len(parts))
        check_widths([part.dimensions for part in parts])
        if parts[0].settings.form == "sep":
            separators = sorted({separator(part.encoder.tokenizer) for part in parts})
            if len(separators) > 1:
                raise ConfigError(
                    f"encoders that separate title and abstract by {' and '.join(separators)} "
                    "cannot read one text; expected the same, or the form `joined`"
                )
        self.parts = tuple(parts)
        self.weights = weights
        self.dimensions = parts[0].dimensions
        self.tokenizer: Any = parts[0].encoder.tokenizer

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Vectors (texts, d) and the number of tokens of all parts together."""
        encoded = [part.encode(texts) for part in self.parts]
        vectors = combine([part.vectors for part in encoded], self.weights)
        return Encoded(vectors, sum(part.tokens for part in encoded))


def combine(vectors: Sequence[Vectors], weights: Weights) -> Vectors:
    """sum_x w_x v_x (n, d) float32, of one array (n, d) per encoder."""
    total = np.zeros(vectors[0].shape, np.float64)
    for part, weight in zip(vectors, weights, strict=True):
        total += weight * part
    return total.astype(np.float32)


def check_widths(widths: Sequence[int]) -> None:
    """Raises ConfigError where vectors have different dimensions, and so no sum."""
    if len(set(widths)) > 1:
        raise ConfigError(
            f"vectors of {', '.join(map(str, sorted(set(widths))))} dimensions cannot be summed; "
            "expected encoders of equal dimensions"
        )


def check_weights(weights: Sequence[float], parts: int) -> None:
    """Raises ConfigError unless weights are positive and sum to one (FLeW, Eq. 8)."""
    positive = len(weights) == parts and all(weight > 0 for weight in weights)
    if not positive or abs(sum(weights) - 1) > _TOLERANCE:
        raise ConfigError(
            f"weights are {', '.join(f'{w:g}' for w in weights)}; expected {parts}, each more "
            "than 0, with the sum 1"
        )


def make_grid(parts: int, step: float) -> list[Weights]:
    """All strictly positive weights in multiples of `step` that sum to one, ascending.

    Three parts have 36 at .1 and 171 at .05 (FLeW, section 3.4).

    Raises:
        ConfigError: the step does not divide one, or is too large for this number of parts.
    """
    count = round(1 / step) if step > 0 else 0
    if not count or abs(count * step - 1) > _TOLERANCE or count < parts:
        raise ConfigError(
            f"step is {step}; expected a share that divides 1, at most 1/{parts}, such as .1"
        )
    cuts = combinations(range(1, count), parts - 1)
    bounds = ((0, *inner, count) for inner in cuts)
    return sorted(tuple((b - a) / count for a, b in pairwise(ends)) for ends in bounds)


@dataclass(frozen=True)
class WeightSearch:
    """The best weights of a grid."""

    weights: Weights
    score: float
    grid: tuple[tuple[Weights, float], ...]
    """Every point with its score."""
    tied: int
    """Number of points with the best score."""


def search_weights(
    parts: int, score: Callable[[Weights], float], *, step: float = 0.1
) -> WeightSearch:
    """The weights with the highest score on a task's validation data.

    Among points with the best score, those nearest to equal weights win, then the smallest in
    order: a task that does not depend on the weights keeps all encoders.

    Args:
        parts: number of encoders.
        score: function of the weights; higher is better.
        step: step of the grid, see `make_grid`.
    """
    grid = [(weights, float(score(weights))) for weights in make_grid(parts, step)]
    best = max(value for _, value in grid)
    tied = [weights for weights, value in grid if value == best]

    def rank(weights: Weights) -> tuple[float, Weights]:
        distance = sum((weight - 1 / parts) ** 2 for weight in weights)
        return round(distance, 12), weights  # rounded: permutations are equally far

    return WeightSearch(min(tied, key=rank), best, tuple(grid), len(tied))
