"""Losses by hand, in plain loops and in torch, and gradients by finite differences."""

from __future__ import annotations

import math
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.training.config import LOSSES, TrainConfig
from citescape.training.losses import (
    Batch,
    compute_in_batch_loss,
    compute_softmax_loss,
    compute_teacher_loss,
    compute_triplet_loss,
    make_loss,
)

Rows = list[tuple[int, int, int]]


def batch(vectors: torch.Tensor, rows: Rows) -> Batch:
    return Batch(vectors, *(torch.tensor(column) for column in zip(*rows, strict=True)))


def points(*rows: tuple[float, ...]) -> torch.Tensor:
    return torch.tensor(rows, dtype=torch.float64)


SQUARE = points((0, 0), (3, 4), (0, 2), (8, 6))
"""Points at distances 0, 5, 2 and 10 from the first."""


@pytest.mark.parametrize(
    ("row", "margin", "expected"),
    [
        ((0, 1, 2), 1.0, 5 - 2 + 1),
        ((0, 2, 1), 1.0, 0),
        ((0, 2, 1), 4.0, 2 - 5 + 4),
        ((0, 1, 3), 0.0, 0),
        ((0, 3, 1), 0.0, 10 - 5),
    ],
)
def test_the_triplet_loss_uses_distances_without_squares(
    row: tuple[int, int, int], margin: float, expected: float
) -> None:
    result = compute_triplet_loss(batch(SQUARE, [row]), margin=margin)
    assert result.item() == pytest.approx(max(expected, 0), abs=1e-12)


def test_the_loss_is_the_mean_over_triplets() -> None:
    rows = [(0, 1, 2), (0, 2, 1), (0, 3, 1)]
    result = compute_triplet_loss(batch(SQUARE, rows), margin=1.0)
    assert result.item() == pytest.approx(((5 - 2 + 1) + 0 + (10 - 5 + 1)) / 3)


@pytest.mark.parametrize(("negative", "margin"), [(1, 6.5), (2, 1.0), (2, 3.0)])
def test_triplet_loss_with_the_anchor_as_positive(negative: int, margin: float) -> None:
    """max(m - |a - n|, 0)."""
    vectors = torch.cat([SQUARE, SQUARE[:1]])
    result = compute_triplet_loss(batch(vectors, [(0, 4, negative)]), margin=margin)
    far = math.dist(SQUARE[0], SQUARE[negative])
    assert result.item() == pytest.approx(max(margin - far, 0), abs=1e-12)


def test_the_gradient_is_finite_at_equal_points() -> None:
    vectors = torch.zeros(3, 2, requires_grad=True)
    compute_triplet_loss(batch(vectors, [(0, 1, 2)]), margin=1.0).backward()
    assert vectors.grad is not None
    assert vectors.grad.tolist() == [[0, 0]] * 3


def make_random_batch(seed: int, papers: int = 7, triplets: int = 6) -> Batch:
    chance = torch.Generator().manual_seed(seed)
    vectors = torch.randn(papers, 4, generator=chance, dtype=torch.float64)
    rows = [torch.randperm(papers, generator=chance)[:3].tolist() for _ in range(triplets)]
    rows[1][:1] = rows[0][:1] if rows[0][0] not in rows[1] else rows[1][:1]
    return batch(vectors, [tuple(row) for row in rows])


@pytest.mark.parametrize("seed", range(5))
def test_torch_computes_the_same_loss(seed: int) -> None:
    batch_ = make_random_batch(seed)
    roles = (
        batch_.vectors[batch_.anchor],
        batch_.vectors[batch_.positive],
        batch_.vectors[batch_.negative],
    )
    expected = torch.nn.functional.triplet_margin_loss(*roles, margin=0.7, eps=0)
    assert compute_triplet_loss(batch_, margin=0.7).item() == pytest.approx(expected.item())


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", range(3))
def test_gradients_equal_finite_differences(loss: str, seed: int) -> None:
    batch_ = make_random_batch(seed)
    compute = make_loss(TrainConfig(loss=loss, margin=0.9, temperature=0.5))
    vectors = batch_.vectors.requires_grad_()
    assert torch.autograd.gradcheck(
        lambda v: compute(Batch(v, batch_.anchor, batch_.positive, batch_.negative)), (vectors,)
    )


def plain_in_batch(batch_: Batch, margin: float) -> float:
    """Each triplet with all negatives of the batch that are not papers of its anchor."""
    vectors = batch_.vectors.tolist()
    rows = list(
        zip(batch_.anchor.tolist(), batch_.positive.tolist(), batch_.negative.tolist(), strict=True)
    )
    total = 0.0
    for anchor, positive, _ in rows:
        known = {p for a, p, _ in rows if a == anchor} | {anchor}
        others = {n for _, _, n in rows} - known
        near = math.dist(vectors[anchor], vectors[positive])
        hinges = [max(near - math.dist(vectors[anchor], vectors[n]) + margin, 0) for n in others]
        total += sum(hinges) / len(hinges) if hinges else 0.0
    return total / len(rows)


def plain_softmax(batch_: Batch, temperature: float) -> float:
    """-log of the share of the positive among all papers except the anchor and other positives."""
    vectors = batch_.vectors.tolist()
    rows = list(zip(batch_.anchor.tolist(), batch_.positive.tolist(), strict=True))

    def cosine(a: int, b: int) -> float:
        dot = sum(x * y for x, y in zip(vectors[a], vectors[b], strict=True))
        return dot / math.hypot(*vectors[a]) / math.hypot(*vectors[b])

    total = 0.0
    for anchor, positive in rows:
        known = {p for a, p in rows if a == anchor} | {anchor}
        ranked = [k for k in range(len(vectors)) if k == positive or k not in known]
        shares = {k: math.exp(cosine(anchor, k) / temperature) for k in ranked}
        total -= math.log(shares[positive] / sum(shares.values()))
    return total / len(rows)


def test_in_batch_loss_of_three_triplets_by_hand() -> None:
    """Two triplets of anchor 0, whose positives 1 and 2 are no negatives, and one of anchor 3."""
    vectors = points((0, 0), (3, 4), (0, 2), (8, 6), (0, 1))
    batch_ = batch(vectors, [(0, 1, 4), (0, 2, 3), (3, 4, 1)])
    first = ((5 - 10 + 6) + (5 - 1 + 6)) / 2  # negatives 3 and 4; 1 is a positive of 0
    second = (0 + (2 - 1 + 6)) / 2
    third = (
        math.sqrt(64 + 25) - math.sqrt(25 + 4) + 6
    )  # anchor 3: only 1, because 4 is its positive
    result = compute_in_batch_loss(batch_, margin=6)
    assert result.item() == pytest.approx((first + second + third) / 3)
    assert plain_in_batch(batch_, 6) == pytest.approx((first + second + third) / 3)


def test_in_batch_loss_without_negatives_is_zero() -> None:
    batch_ = batch(SQUARE.requires_grad_(), [(0, 1, 2), (0, 2, 1)])
    loss = compute_in_batch_loss(batch_, margin=1.0)
    loss.backward()
    assert loss.item() == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 9), st.integers(2, 12))
def test_losses_equal_those_of_plain_loops(seed: int, papers: int, triplets: int) -> None:
    batch_ = make_random_batch(seed, papers, triplets)
    assert compute_in_batch_loss(batch_, margin=1.5).item() == pytest.approx(
        plain_in_batch(batch_, 1.5)
    )
    result = compute_softmax_loss(batch_, temperature=0.3).item()
    assert result == pytest.approx(plain_softmax(batch_, 0.3))


def test_the_configuration_selects_the_loss() -> None:
    batch_ = make_random_batch(1)
    expected = {
        "triplet": partial(compute_triplet_loss, margin=0.3),
        "in-batch": partial(compute_in_batch_loss, margin=0.3),
        "softmax": partial(compute_softmax_loss, temperature=0.2),
    }
    assert set(expected) == set(LOSSES)
    for name, compute in expected.items():
        loss = make_loss(TrainConfig(loss=name, margin=0.3, temperature=0.2))
        assert loss(batch_) == compute(batch_)


TEXT = points((3, 4), (1, 0), (0, 2))
"""Vectors with cosines .6, .8 and 0."""
GRAPH = points((1, 1, 0), (0, 5, 0), (0, 0, 2))
"""Vectors with cosines 1 / sqrt(2), 0 and 0, and other lengths and dimensions."""


def make_taught_batch(vectors: torch.Tensor, graph: torch.Tensor) -> Batch:
    untaught = batch(vectors, [(0, 1, 2)])
    return Batch(untaught.vectors, untaught.anchor, untaught.positive, untaught.negative, graph)


def test_a_teacher_of_three_papers_by_hand() -> None:
    """Nine pairs: the diagonal is 1 in both, all other pairs count twice."""
    root = 1 / math.sqrt(2)
    expected = 2 * ((0.6 - root) ** 2 + (0.8 - 0) ** 2 + (0 - 0) ** 2) / 9
    assert compute_teacher_loss(make_taught_batch(TEXT, GRAPH)).item() == pytest.approx(expected)


@pytest.mark.parametrize(("only", "weight"), [(False, 1.0), (False, 0.25), (True, 2.0)])
def test_the_joint_loss_is_a_sum(only: bool, weight: float) -> None:
    settings = {"teacher": "run", "teacher_weight": weight, "teacher_only": only}
    result = make_loss(TrainConfig(margin=3.0, **settings))(make_taught_batch(TEXT, GRAPH))  # type: ignore[arg-type]
    near, far = math.dist((3, 4), (1, 0)), math.dist((3, 4), (0, 2))
    triplet = 0 if only else max(near - far + 3.0, 0)
    of_teacher = compute_teacher_loss(make_taught_batch(TEXT, GRAPH)).item()
    assert result.item() == pytest.approx(triplet + weight * of_teacher)


def test_a_teacher_with_equal_cosines_has_zero_loss() -> None:
    vectors = (2.5 * TEXT).requires_grad_()
    loss = compute_teacher_loss(make_taught_batch(vectors, TEXT @ points((0, 1), (-1, 0))))
    loss.backward()
    assert loss.item() == pytest.approx(0, abs=1e-15)
    assert vectors.grad is not None
    assert vectors.grad.abs().max() < 1e-9


def test_papers_without_a_graph_vector_are_ignored() -> None:
    """They have no effect and no gradient."""
    none = torch.full((1, 3), math.nan, dtype=torch.float64)
    vectors = torch.cat([TEXT[:1], points((7, -3)), TEXT[1:]]).requires_grad_()
    loss = compute_teacher_loss(make_taught_batch(vectors, torch.cat([GRAPH[:1], none, GRAPH[1:]])))
    assert loss.item() == pytest.approx(compute_teacher_loss(make_taught_batch(TEXT, GRAPH)).item())
    loss.backward()
    assert vectors.grad is not None
    assert vectors.grad[1].tolist() == [0, 0]
    assert vectors.grad[0].abs().max() > 0


def test_a_teacher_without_vectors_has_zero_loss() -> None:
    vectors = TEXT.clone().requires_grad_()
    loss = compute_teacher_loss(make_taught_batch(vectors, torch.full((3, 2), math.nan)))
    loss.backward()
    assert loss.item() == 0
    assert vectors.grad is not None
    assert not vectors.grad.any()


@pytest.mark.parametrize("only", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_gradients_with_a_teacher_equal_finite_differences(seed: int, only: bool) -> None:
    batch_ = make_random_batch(seed)
    graph = torch.randn(7, 3, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    graph[2] = math.nan
    compute = make_loss(TrainConfig(teacher="run", teacher_only=only, margin=0.9))
    assert torch.autograd.gradcheck(
        lambda v: compute(Batch(v, batch_.anchor, batch_.positive, batch_.negative, graph)),
        (batch_.vectors.requires_grad_(),),
    )
