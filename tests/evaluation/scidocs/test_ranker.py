"""The neural ranker, compared with PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from citescape.evaluation.scidocs.ranker import (
    Net,
    Pairs,
    RankerConfig,
    Weights,
    _Adadelta,
    pair_up,
    train_ranker,
)
from citescape.search.listed import Floats

torch = pytest.importorskip("torch")
CHANCE = np.random.default_rng(2)


def weights(inputs: int = 4, hidden: int = 6) -> Weights:
    draw = CHANCE.normal
    return draw(size=(inputs, hidden)), draw(size=hidden), draw(size=(hidden, 1)), draw(size=1)


def scores(tensors: list[Any], features: Floats, mask: Floats) -> Any:
    first, first_bias, second, second_bias = tensors
    hidden = torch.relu(torch.tensor(features) @ first + first_bias) * torch.tensor(mask)
    return torch.sigmoid(hidden @ second + second_bias)[:, 0]


def test_scores_and_gradients_equal_those_of_pytorch() -> None:
    net, features = Net(weights()), CHANCE.normal(size=(9, 4))
    mask, slope = CHANCE.integers(0, 2, (9, 6)) / 0.6, CHANCE.normal(size=9)
    tensors = [torch.tensor(weight, requires_grad=True) for weight in net.weights]
    theirs = scores(tensors, features, mask)
    (theirs * torch.tensor(slope)).sum().backward()
    assert net.forward(features, mask)[2] == pytest.approx(theirs.detach().numpy())
    for ours, tensor in zip(net.backward(features, slope, mask), tensors, strict=True):
        assert ours == pytest.approx(tensor.grad.numpy())


def test_updates_equal_those_of_adadelta() -> None:
    net, state = Net(weights()), _Adadelta(RankerConfig())
    tensors = [torch.tensor(weight, requires_grad=True) for weight in net.weights]
    theirs = torch.optim.Adadelta(tensors, lr=1.0, rho=0.95, eps=1e-6)
    for _ in range(5):
        gradients = weights()
        for tensor, gradient in zip(tensors, gradients, strict=True):
            tensor.grad = torch.tensor(gradient)
        theirs.step()
        net = state.step(net, gradients)
    for ours, tensor in zip(net.weights, tensors, strict=True):
        assert ours == pytest.approx(tensor.detach().numpy())


def test_pairs_are_the_first_ten_others() -> None:
    rows = np.repeat([0, 1, 2], [3, 13, 1])
    found = pair_up(rows, np.array([1, 5, 16]))
    assert found[found[:, 0] == 1].tolist() == [[1, 0], [1, 2]]
    assert found[found[:, 0] == 5].tolist() == [[5, o] for o in (3, 4, 6, 7, 8, 9, 10, 11, 12, 13)]
    assert len(found) == 12


def clicks(count: int, rule: int) -> Pairs:
    """Of 5 papers the one with the largest value of a feature is clicked."""
    features = CHANCE.random((count * 5, 3))
    clicked = features[:, rule].reshape(count, 5).argmax(axis=1) + 5 * np.arange(count)
    return features, np.repeat(np.arange(count), 5), clicked


def share_first(net: Net, pairs: Pairs) -> float:
    top = net.score(pairs[0]).reshape(-1, 5).argmax(axis=1) + 5 * np.arange(len(pairs[2]))
    return float((top == pairs[2]).mean())


def test_training_learns_the_relevant_feature() -> None:
    net = train_ranker(clicks(1500, 1), clicks(300, 1))
    assert share_first(net, clicks(400, 1)) > 0.85
    assert share_first(net, clicks(400, 2)) < 0.35


def test_the_best_epoch_on_validation_is_kept() -> None:
    """With reversed validation clicks the first epoch is the best."""
    train = clicks(400, 0)
    features, rows, _ = train
    turned = features, rows, features[:, 0].reshape(-1, 5).argmin(axis=1) + 5 * np.arange(400)
    kept, last = train_ranker(train, turned), train_ranker(train)
    single_epoch = train_ranker(train, config=RankerConfig(epochs=1))
    for ours, first in zip(kept.weights, single_epoch.weights, strict=True):
        assert ours == pytest.approx(first)
    assert share_first(last, train) > share_first(kept, train)


def test_training_depends_on_the_seed_only() -> None:
    pairs = clicks(50, 0)
    first, same, other = (train_ranker(pairs, config=RankerConfig(seed=s)) for s in (1, 1, 2))
    assert first.score(pairs[0]).tolist() == same.score(pairs[0]).tolist()
    assert first.score(pairs[0]).tolist() != other.score(pairs[0]).tolist()
