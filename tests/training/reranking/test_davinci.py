"""The model, compared with its equations, and its ablations."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from scipy.special import erf, expit

from citescape.training.reranking.config import ABLATIONS, RerankConfig
from citescape.training.reranking.davinci import GatedFusion, RerankModule, TextHead, compute_loss

WIDTH, HIDDEN, BATCH = 12, 5, 7
Floats = npt.NDArray[Any]


def make(ablation: str = "none", **settings: Any) -> GatedFusion:
    torch.manual_seed(1)
    config = RerankConfig(hidden=HIDDEN, ablation=ablation, **settings)
    return GatedFusion(WIDTH, config).eval()


@pytest.fixture
def inputs() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(2)
    return torch.randn(BATCH, WIDTH), 0.95 ** torch.arange(1, BATCH + 1)


def apply_mlp(mlp: torch.nn.Sequential, x: Floats) -> Floats:
    """Two layers with GELU between them."""
    first, second = mlp[0], mlp[3]
    inner = x @ first.weight.detach().numpy().T + first.bias.detach().numpy()
    inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
    return inner @ second.weight.detach().numpy().T + second.bias.detach().numpy()


def test_the_score_equals_the_equations(inputs: tuple[torch.Tensor, torch.Tensor]) -> None:
    """Eq. 7 to 10 in numpy."""
    model = make()
    states, prior = inputs[0].numpy(), inputs[1].numpy()[:, None]
    concat = np.hstack([apply_mlp(model.text, states), apply_mlp(model.score, prior)])
    gate = expit(apply_mlp(model.gate, np.hstack([states, prior])))
    assert concat.shape == gate.shape == (BATCH, 2 * HIDDEN)
    expected = expit(apply_mlp(model.out, gate * concat))[:, 0]
    result = model(*inputs).detach().numpy()
    np.testing.assert_allclose(result, expected, rtol=1e-5)
    assert ((result > 0) & (result < 1)).all()


def test_each_gate_is_between_0_and_1(inputs: tuple[torch.Tensor, torch.Tensor]) -> None:
    states, prior = inputs
    gate = make().open_gate(states, prior[:, None])
    assert gate.shape == (BATCH, 2 * HIDDEN)
    assert ((gate > 0) & (gate < 1)).all()
    assert gate.std(0).min() > 0


def test_a_closed_gate_blocks_its_input(inputs: tuple[torch.Tensor, torch.Tensor]) -> None:
    """For any text the score is the output for zeros."""
    model = make()
    with torch.no_grad():
        model.gate[3].weight.zero_()
        model.gate[3].bias.fill_(-1e4)
    nothing = torch.sigmoid(model.out(torch.zeros(1, 2 * HIDDEN)))[0, 0]
    torch.testing.assert_close(model(*inputs), nothing.expand(BATCH))


SHAPES = {
    "none": {"text": HIDDEN, "score": HIDDEN, "gate": 2 * HIDDEN, "out": 1},
    "semantics": {"text": HIDDEN, "gate": HIDDEN, "out": 1},
    "raw": {"text": HIDDEN, "score": HIDDEN, "gate": 2 * HIDDEN, "out": 1},
    "softmax": {"text": HIDDEN, "score": HIDDEN, "gate": 2 * HIDDEN, "out": 1},
    "scalar-gate": {"text": HIDDEN, "score": HIDDEN, "gate": 1, "out": 1},
}


@pytest.mark.parametrize("ablation", ABLATIONS)
def test_an_ablation_changes_only_its_part(
    ablation: str, inputs: tuple[torch.Tensor, torch.Tensor]
) -> None:
    model = make(ablation)
    result = {name: mlp[3].out_features for name, mlp in model.named_children()}  # type: ignore[index]
    assert result == SHAPES[ablation]
    states, prior = inputs
    moved = model(states, prior + 0.3) - model(states, prior)
    assert bool(moved.any()) == (ablation != "semantics")
    assert model(states, prior).shape == (BATCH,)


def test_a_plain_cross_encoder_is_a_linear_map(inputs: tuple[torch.Tensor, torch.Tensor]) -> None:
    head = TextHead(WIDTH, RerankConfig(kind="cross-encoder")).eval()
    states, prior = inputs
    expected = torch.sigmoid(states @ head.out.weight[0] + head.out.bias)
    torch.testing.assert_close(head(states, prior), expected)


def test_the_margin_loss() -> None:
    """Eq. 11: negative .42 and positive .5 with margin .1 have loss .02; negative .3 has loss 0."""
    scores = torch.tensor([[0.5, 0.42, 0.3], [0.5, 0.6, 0.9]])
    there = torch.ones(2, 3, dtype=torch.bool)
    expected = torch.tensor(
        [(0.42 - 0.5 + 0.1 + 0) / 2, ((0.6 - 0.5 + 0.1) + (0.9 - 0.5 + 0.1)) / 2]
    )
    torch.testing.assert_close(compute_loss(scores, there, RerankConfig()), expected)
    there[1, 2] = False  # the mean is over existing negatives
    expected[1] = 0.6 - 0.5 + 0.1
    torch.testing.assert_close(compute_loss(scores, there, RerankConfig()), expected)


def test_the_softmax_loss() -> None:
    """-log of the share of the cited paper in the odds S / (1 - S)."""
    scores = torch.tensor([[0.5, 0.75, 0.2], [0.9, 0.5, 0.5]])
    there = torch.tensor([[True, True, True], [True, True, False]])
    expected = torch.tensor([np.log((1 + 3 + 0.25) / 1), np.log((9 + 1) / 9)], dtype=torch.float32)
    result = compute_loss(scores, there, RerankConfig(loss="softmax"))
    torch.testing.assert_close(result, expected)


def test_a_head_scores_states() -> None:
    """Like a head over the first tokens of an encoder."""
    config = RerankConfig(kind="vectors", hidden=HIDDEN)
    torch.manual_seed(3)
    module = RerankModule(None, config, dimensions=WIDTH).eval()
    states, signals = torch.randn(BATCH, WIDTH), torch.rand(BATCH)
    torch.testing.assert_close(module(states, signals), module.head(states, signals))
    weights = 3 * (WIDTH + 1) * HIDDEN
    assert weights < module.count_flops(np.ones(2, np.int64)) / 4 < 3 * weights + 20 * HIDDEN**2
