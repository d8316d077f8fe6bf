"""One step of a graph embedding: loss and gradients, computed edge by edge."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from citescape.encoders.graph_config import GraphConfig  # noqa: E402
from citescape.encoders.graph_edges import EdgeBatch  # noqa: E402
from citescape.encoders.graph_step import compute_loss  # noqa: E402
from citescape.encoders.graph_tables import EmbeddingTable  # noqa: E402

CPU = torch.device("cpu")


def step_of(sources: list[int], targets: list[int], weights: list[float]) -> EdgeBatch:
    """One chunk with two negative papers for each end."""
    return EdgeBatch(
        np.array([sources]),
        np.array([targets]),
        np.array([weights], np.float32),
        np.array([[5, 6]]),
        np.array([[7, 2]]),
    )


@pytest.fixture(params=["two", "shared"])
def tables(request: pytest.FixtureRequest) -> list[EmbeddingTable]:
    """Two tables of eight nodes."""
    chance = torch.Generator().manual_seed(0)
    count = 2 if request.param == "two" else 1
    return [
        EmbeddingTable(torch.randn(8, 5, generator=chance), torch.zeros(8)) for _ in range(count)
    ]


LOSSES = [
    GraphConfig(loss="softmax"),
    GraphConfig(loss="softmax", temperature=0.5),
    GraphConfig(loss="ranking"),
    GraphConfig(loss="ranking", comparator="cosine", margin=0.3),
    GraphConfig(loss="softmax", comparator="cosine"),
]


@pytest.mark.parametrize("config", LOSSES, ids=lambda c: f"{c.loss}-{c.comparator}")
def test_an_edge_of_weight_w_equals_w_copies(
    tables: list[EmbeddingTable], config: GraphConfig
) -> None:
    """FLeW, section 3.1.2: a citation is repeated for each of its contexts."""
    weighted = step_of([0, 1, 4], [2, 3, 2], [3, 1, 2])
    copies = step_of([0, 0, 0, 1, 4, 4], [2, 2, 2, 3, 2, 2], [1] * 6)
    loss, leaves = compute_loss(tables, weighted, config, device=CPU)
    expected, copied = compute_loss(tables, copies, config, device=CPU)
    assert loss == pytest.approx(expected, rel=1e-6)
    for (rows, leaf), (other_rows, other) in zip(leaves, copied, strict=True):
        assert torch.equal(rows, other_rows)
        assert leaf.grad is not None
        torch.testing.assert_close(leaf.grad, other.grad)


@pytest.mark.parametrize("config", LOSSES, ids=lambda c: f"{c.loss}-{c.comparator}")
@pytest.mark.parametrize("corrected", [False, True])
def test_loss_and_gradient_equal_the_formula(
    tables: list[EmbeddingTable], config: GraphConfig, corrected: bool
) -> None:
    """Compared with the loss computed edge by edge and differentiated by torch."""
    step = step_of([0, 1, 4], [2, 3, 2], [3, 1, 2])
    leaves = [table.vectors.clone().requires_grad_() for table in tables]
    chance = np.random.default_rng(1)
    often = [chance.normal(size=8 if corrected else 0).astype(np.float32) for _ in range(2)]
    draws = (often[0], often[1]) if corrected else None
    total = naive_loss(leaves[0], leaves[-1], step, config, draws)
    total.backward()  # type: ignore[no-untyped-call]
    loss, result = compute_loss(tables, step, config, device=CPU, draws=draws)
    assert loss == pytest.approx(total.item(), rel=1e-5)
    for leaf, (rows, vectors) in zip(leaves, result, strict=True):
        assert leaf.grad is not None
        torch.testing.assert_close(vectors.grad, leaf.grad[rows])
        untouched = sorted({*range(8)} - {*rows.tolist()})
        assert not leaf.grad[untouched].any()


def naive_loss(
    sources: torch.Tensor,
    targets: torch.Tensor,
    step: EdgeBatch,
    config: GraphConfig,
    draws: tuple[np.ndarray, np.ndarray] | None,
) -> torch.Tensor:
    """`draws`: log sampling frequencies of nodes, subtracted from score / temperature."""
    as_source, as_target = draws or (np.zeros(8), np.zeros(8))
    heat = 1 if draws is None else config.temperature or (1 if config.comparator == "dot" else 0.2)

    def as_cited(i: int, j: int) -> torch.Tensor:
        return score(i, j) - heat * float(as_target[j])

    def as_citing(i: int, j: int) -> torch.Tensor:
        return score(i, j) - heat * float(as_source[i])

    def score(i: int, j: int) -> torch.Tensor:
        a, b = sources[i], targets[j]
        return a @ b / (a.norm() * b.norm()) if config.comparator == "cosine" else a @ b

    edges = list(
        zip(step.sources[0].tolist(), step.targets[0].tolist(), step.weights[0], strict=True)
    )
    total = torch.zeros(())
    for i, j, w in edges:
        others = [(as_cited(i, t), m) for _, t, m in edges if t != j]
        others += [(as_cited(i, t), 1) for t in step.other_targets[0].tolist() if t != j]
        total = total + w * loss_of_citation(as_cited(i, j), others, config)
        others = [(as_citing(s, j), m) for s, _, m in edges if s != i]
        others += [(as_citing(s, j), 1) for s in step.other_sources[0].tolist() if s != i]
        total = total + w * loss_of_citation(as_citing(i, j), others, config)
    return total


def loss_of_citation(
    positive: torch.Tensor, others: list[tuple[torch.Tensor, float]], config: GraphConfig
) -> torch.Tensor:
    if config.loss == "ranking":
        zero = torch.zeros(())
        return sum((m * torch.maximum(zero, config.margin - positive + x) for x, m in others), zero)
    heat = 1 if config.comparator == "dot" else 0.2
    heat = config.temperature or heat
    odds = sum(((x / heat).exp() * m for x, m in others), (positive / heat).exp())
    return torch.log(odds) - positive / heat
