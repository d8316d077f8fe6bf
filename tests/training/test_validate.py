"""Metrics on held-out triplets, by hand for points of the plane."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from citescape.sampling.triplets import RANDOM, reason_code
from citescape.training.towers import AdapterTower
from citescape.training.triplet_task import choose_validation, encode_papers, validate
from tests.training.conftest import plain_triplets

CPU = torch.device("cpu")
POINTS = [(0, 0), (3, 4), (0, 2), (8, 6), (3, -4)]
"""Points at distances 0, 5, 2, 10 and 5 from the first."""


def test_validation_metrics_by_hand() -> None:
    rows = [(0, 1, 2), (0, 2, 3), (0, 1, 4), (0, 3, 1)]
    hard = reason_code("least important reference")
    triplets = replace(
        plain_triplets(*rows),
        negative_reason=np.array([hard, hard, hard, RANDOM], np.int8),
    )
    result = validate(AdapterTower(POINTS), triplets, margin=1.0, device=CPU)
    assert result["loss"] == pytest.approx(((5 - 2 + 1) + 0 + (5 - 5 + 1) + (10 - 5 + 1)) / 4)
    assert result["accuracy"] == (0 + 1 + 0.5 + 0) / 4
    assert (result["hard"], result["easy"]) == ((0 + 1 + 0.5) / 3, 0.0)


def test_missing_kinds_of_negatives_have_no_metric() -> None:
    triplets = plain_triplets((0, 2, 1))
    assert set(validate(AdapterTower(POINTS), triplets, margin=1.0, device=CPU)) == {
        "loss", "accuracy", "easy",
    }  # fmt: skip
    assert (
        validate(
            AdapterTower(POINTS), triplets.select_rows(np.zeros(1, bool)), margin=1, device=CPU
        )
        == {}
    )


def test_many_triplets_are_validated_in_chunks() -> None:
    chance = np.random.default_rng(0)
    points = chance.normal(size=(24, 3)).astype(np.float32)
    rows = [tuple(chance.choice(24, 3, replace=False).tolist()) for _ in range(700)]
    triplets = plain_triplets(*rows)
    ids = [int(id_[-2:]) for id_ in triplets.ids.to_pylist()]
    place = points[ids]
    near = np.linalg.norm(place[triplets.anchor] - place[triplets.positive], axis=1)
    far = np.linalg.norm(place[triplets.anchor] - place[triplets.negative], axis=1)
    result = validate(AdapterTower(place), triplets, margin=0.5, device=CPU)
    assert result["loss"] == pytest.approx(np.maximum(near - far + 0.5, 0).mean(), rel=1e-6)
    assert result["accuracy"] == (near < far).mean()


def test_validation_does_not_change_the_module() -> None:
    tower = AdapterTower(POINTS)
    for training in (True, False):
        tower.module.train(training)
        validate(tower, plain_triplets((0, 1, 2)), margin=1.0, device=CPU)
        assert tower.module.training == training
    assert not encode_papers(tower, np.arange(2), CPU).requires_grad


@pytest.mark.parametrize("anchors", [1, 2, 50])
def test_validation_uses_some_anchors(anchors: int) -> None:
    rows = [(a, (a + 1) % 9, (a + 2) % 9) for a in range(6) for _ in range(2)]
    triplets = plain_triplets(*rows, held=8)
    held = choose_validation(triplets, anchors=anchors)
    assert held.validation.all()
    assert held.anchors == min(anchors, 4)
    assert len(held) == 2 * held.anchors
    again = choose_validation(triplets, anchors=anchors)
    assert (again.anchor == held.anchor).all()
