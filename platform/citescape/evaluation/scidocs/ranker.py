"""Ranker of recommendations: a small neural network trained on clicks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.search.listed import Floats

Rows = npt.NDArray[np.int64]
Pairs = tuple[Floats, Rows, Rows]
"""Features (p, f), click of each pair (p,) ascending, row of the clicked pair (clicks,)."""
Weights = tuple[Floats, Floats, Floats, Floats]
"""Weights and biases of both layers: (f, h), (h,), (h, 1), (1,)."""
_MOST = 10
"""Maximum number of papers per click in training that were not clicked."""


@dataclass(frozen=True)
class RankerConfig:
    """Settings of the training, with the defaults of the published evaluator."""

    hidden: int = 50
    dropout: float = 0.4
    margin: float = 0.1
    batch: int = 128
    epochs: int = 5
    rho: float = 0.95
    clip: float = 5.0
    """Maximum absolute value of each number of a gradient."""
    seed: int = 7


@dataclass(frozen=True, eq=False)
class Net:
    """One hidden layer: score = sigmoid(relu(x W1 + b1) W2 + b2)."""

    weights: Weights

    def score(self, features: Floats) -> Floats:
        """(p,) scores of (p, f) features; higher is better."""
        return self.forward(features)[2]

    def forward(self, features: Floats, mask: Floats | float = 1.0) -> tuple[Floats, ...]:
        """Hidden layer before (p, h) and after (p, h) its activation, and scores (p,)."""
        first, first_bias, second, second_bias = self.weights
        before = features @ first + first_bias
        hidden = np.maximum(before, 0) * mask
        scores = 1 / (1 + np.exp(-(hidden @ second + second_bias)))
        return before, hidden, scores[:, 0]

    def backward(self, features: Floats, slope: Floats, mask: Floats | float = 1.0) -> Weights:
        """Gradients of the sum of slope * score, in the shapes of the weights.

        Args:
            features: (p, f) features.
            slope: (p,) factors of the scores.
            mask: (p, h) dropout mask of the hidden layer.
        """
        before, hidden, scores = self.forward(features, mask)
        outer = (slope * scores * (1 - scores))[:, None]  # (p, 1)
        inner = outer @ self.weights[2].T * mask * (before > 0)  # (p, h)
        return features.T @ inner, inner.sum(axis=0), hidden.T @ outer, outer.sum(axis=0)


def train_ranker(
    train: Pairs, validation: Pairs | None = None, config: RankerConfig | None = None
) -> Net:
    """Trains a network to score the clicked paper above the other papers shown.

    Minimises max(0, m - s(clicked) + s(other)) over pairs of a clicked paper and one of the first
    10 others, by Adadelta (Zeiler 2012). Returns the epoch with the lowest loss on `validation`, or
    the last epoch without it. The evaluator of SciDocs divides losses by propensities, but its
    reader sets all positions to 0, so the divisor is constant and Adadelta cancels it. Figures are
    equal to published ones up to random effects.

    Args:
        train: pairs of one click or more.
        validation: pairs of one click or more.
        config: settings of the training.
    """
    config = config or RankerConfig()
    random = np.random.default_rng(config.seed)
    net, state = Net(_draw(train[0].shape[1], config, random)), _Adadelta(config)
    pairs, best, least = pair_up(train[1], train[2]), net, np.inf
    for _ in range(config.epochs):
        order = random.permutation(len(pairs))
        for first in range(0, len(order), config.batch):
            batch = pairs[order[first : first + config.batch]]
            gradients = _compute_gradients(net, train[0][batch], config, random=random)
            net = state.step(net, gradients)
        loss = _loss(net, validation, config) if validation else -np.inf
        if loss < least or validation is None:
            best, least = net, loss
    return best


def pair_up(rows: Rows, clicked: Rows) -> Rows:
    """(n, 2) row of the clicked pair, and row of one of the first 10 others of the click."""
    others = np.flatnonzero(np.arange(len(rows)) != clicked[rows])
    owners = rows[others]
    place = np.arange(len(others)) - np.searchsorted(owners, owners, side="left")
    kept = others[place < _MOST]
    return np.stack([clicked[rows[kept]], kept], axis=1)


def _loss(net: Net, pairs: Pairs, config: RankerConfig) -> float:
    features, rows, clicked = pairs
    both = pair_up(rows, clicked)
    scores = net.score(features)
    losses = config.margin - scores[both[:, 0]] + scores[both[:, 1]]
    return float(np.maximum(losses, 0).mean()) if len(losses) else 0.0


def _compute_gradients(
    net: Net, features: Floats, config: RankerConfig, *, random: np.random.Generator
) -> Weights:
    """Gradients of the mean loss over a batch (b, 2, f), with a dropout mask for each paper."""
    kept = 1 - config.dropout
    masks = (random.random((2, len(features), config.hidden)) < kept) / kept
    scores = [net.forward(features[:, side], masks[side])[2] for side in (0, 1)]
    slope = (config.margin - scores[0] + scores[1] > 0) / len(features)
    clicked = net.backward(features[:, 0], -slope, masks[0])
    other = net.backward(features[:, 1], slope, masks[1])
    sums = (a + b for a, b in zip(clicked, other, strict=True))
    clipped = [np.clip(gradient, -config.clip, config.clip) for gradient in sums]
    return clipped[0], clipped[1], clipped[2], clipped[3]


def _draw(inputs: int, config: RankerConfig, random: np.random.Generator) -> Weights:
    """Initial weights, uniform within 1 / sqrt(inputs of the layer), as in PyTorch."""
    first, second = 1 / np.sqrt(inputs), 1 / np.sqrt(config.hidden)
    return (
        random.uniform(-first, first, (inputs, config.hidden)),
        random.uniform(-first, first, config.hidden),
        random.uniform(-second, second, (config.hidden, 1)),
        random.uniform(-second, second, 1),
    )


class _Adadelta:
    """Adadelta: steps sqrt(mean squared step / mean squared gradient) * gradient.

    Means are exponentially decaying.
    """

    _SMALL = 1e-6

    def __init__(self, config: RankerConfig) -> None:
        self.rho = config.rho
        self.squares: list[Floats | float] = [0.0] * 4
        self.steps: list[Floats | float] = [0.0] * 4

    def step(self, net: Net, gradients: Weights) -> Net:
        """The network after one step."""
        moved = []
        for at, (weight, gradient) in enumerate(zip(net.weights, gradients, strict=True)):
            self.squares[at] = self.rho * self.squares[at] + (1 - self.rho) * gradient**2
            ratio = np.sqrt((self.steps[at] + self._SMALL) / (self.squares[at] + self._SMALL))
            change = ratio * gradient
            self.steps[at] = self.rho * self.steps[at] + (1 - self.rho) * change**2
            moved.append(weight - change)
        return Net((moved[0], moved[1], moved[2], moved[3]))
