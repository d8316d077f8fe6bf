"""Adapters on vectors in memory: identity at the start, learning and seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from citescape.sampling.triplets import Triplets
from citescape.training.adapt import train_adapter
from citescape.training.config import TrainConfig
from tests.training.conftest import plain_triplets

DIMENSIONS = 6
CONFIG = TrainConfig(epochs=3, batch=8, learning_rate=3e-3, seed=2)


def vectors(papers: int = 24) -> np.ndarray:
    """The first dimension separates even from odd papers; the others are noise."""
    array = np.random.default_rng(0).normal(size=(papers, DIMENSIONS)).astype(np.float32)
    array[:, 0] = (-1.0) ** np.arange(papers)
    return array


def triplets(held: int = 24) -> Triplets:
    """Each paper with two of its kind and two of the other; the last are for validation."""
    rows = []
    for anchor in range(24):
        for step in (2, 4):
            rows.append((anchor, (anchor + step) % 24, (anchor + step + 1) % 24))
    return plain_triplets(*rows, held=held)


def loss(given: np.ndarray, triplets_: Triplets) -> float:
    """Mean of max(0, d(a, p) - d(a, n) + 1), the Euclidean distance."""
    roles = (triplets_.anchor, triplets_.positive, triplets_.negative)
    a, p, n = (given[codes].astype(np.float64) for codes in roles)
    near, far = np.linalg.norm(a - p, axis=1), np.linalg.norm(a - n, axis=1)
    return float(np.maximum(near - far + 1, 0).mean())


def test_an_adapter_without_updates_is_the_identity() -> None:
    """All triplets are for validation, or the learning rate is nearly zero."""
    given = vectors()
    none = train_adapter(given, triplets(held=48), CONFIG).adapter
    assert none.weight.tolist() == np.eye(DIMENSIONS).tolist()
    assert none.bias.tolist() == [0] * DIMENSIONS
    assert none(given) == pytest.approx(given)
    slow = train_adapter(given, triplets(), replace(CONFIG, learning_rate=1e-12)).adapter
    assert slow.weight == pytest.approx(np.eye(DIMENSIONS), abs=1e-9)


def test_an_adapter_learns_to_separate_positives_and_negatives() -> None:
    given, triplets_ = vectors(), triplets()
    result = train_adapter(given, triplets_, replace(CONFIG, epochs=40, learning_rate=0.02))
    held = triplets_.select_rows(triplets_.validation)
    before, after = result.history[0], result.history[-1]
    assert before["loss"] == pytest.approx(loss(given, held), rel=1e-5)
    assert after["loss"] == pytest.approx(loss(result.adapter(given), held), rel=1e-4)
    assert after["loss"] < 0.5 * before["loss"]
    assert after["accuracy"] > before["accuracy"] + 0.1
    strengths = np.linalg.norm(result.adapter.weight, axis=0)
    assert strengths.argmax() == 0, "the number that tells them apart counts most"


def test_an_adapter_depends_on_the_seed() -> None:
    given, triplets_ = vectors(), triplets()
    first, again = (train_adapter(given, triplets_, CONFIG).adapter for _ in range(2))
    other = train_adapter(given, triplets_, replace(CONFIG, seed=3)).adapter
    assert (first.weight == again.weight).all()
    assert (first.weight != other.weight).any()


def test_settings_of_the_base_are_ignored_and_vectors_are_not_changed() -> None:
    given, triplets_ = vectors(), triplets()
    kept = given.copy()
    unused = replace(CONFIG, tune="all", base="no/such-encoder")
    assert (
        train_adapter(given, triplets_, unused).adapter.weight
        == train_adapter(given, triplets_, CONFIG).adapter.weight
    ).all()
    assert (given == kept).all()
