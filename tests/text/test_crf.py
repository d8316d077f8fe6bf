"""The CRF compared with brute force over all label sequences (checklist P1-04)."""

from __future__ import annotations

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from citescape.text.crf import LinearChainCrf, restrict

LABELS = 3


def random_crf(seed: int) -> LinearChainCrf:
    generator = torch.Generator().manual_seed(seed)
    crf = LinearChainCrf(LABELS).double()
    for parameter in crf.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    return crf


def random_emissions(seed: int, length: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed + 1000)
    return torch.randn(1, length, LABELS, generator=generator, dtype=torch.float64) * 2


def score(crf: LinearChainCrf, emissions: Tensor, labels: tuple[int, ...]) -> Tensor:
    """start[y_1] + sum_t emission[t, y_t] + sum_t transition[y_(t-1), y_t] + end[y_T]."""
    total = crf.start[labels[0]] + crf.end[labels[-1]]
    total = total + sum(emissions[0, t, label] for t, label in enumerate(labels))
    return total + sum(crf.transitions[a, b] for a, b in itertools.pairwise(labels))


def brute_force(crf: LinearChainCrf, emissions: Tensor) -> dict[tuple[int, ...], Tensor]:
    paths = itertools.product(range(LABELS), repeat=emissions.shape[1])
    return {path: score(crf, emissions, path) for path in paths}


sequences = st.tuples(st.integers(0, 10_000), st.integers(1, 5))


@given(sequences)
@settings(max_examples=40, deadline=None)
def test_log_z_viterbi_and_marginals_equal_brute_force(drawn: tuple[int, int]) -> None:
    seed, length = drawn
    crf, emissions = random_crf(seed), random_emissions(seed, length)
    mask = torch.ones(1, length, dtype=torch.bool)
    paths = brute_force(crf, emissions)
    log_z = torch.logsumexp(torch.stack(list(paths.values())), 0)
    assert torch.allclose(crf.log_partition(emissions, mask)[0], log_z)
    assert tuple(crf.decode(emissions, mask)[0].tolist()) == max(paths, key=lambda y: paths[y])
    marginals = crf.marginals(emissions, mask)[0]
    for t, label in itertools.product(range(length), range(LABELS)):
        through = [(value - log_z).exp() for path, value in paths.items() if path[t] == label]
        assert marginals[t, label].item() == pytest.approx(sum(through).item())


@given(sequences, st.data())
@settings(max_examples=40, deadline=None)
def test_the_loss_sums_over_all_allowed_paths(drawn: tuple[int, int], data: st.DataObject) -> None:
    seed, length = drawn
    crf, emissions = random_crf(seed), random_emissions(seed, length)
    choices = st.sets(st.integers(0, LABELS - 1), min_size=1)
    allowed = [data.draw(choices) for _ in range(length)]
    paths = brute_force(crf, emissions)
    inside = [
        value
        for path, value in paths.items()
        if all(label in allowed[t] for t, label in enumerate(path))
    ]
    every = torch.logsumexp(torch.stack(list(paths.values())), 0)
    expected = every - torch.logsumexp(torch.stack(inside), 0)
    flags = torch.tensor([[[label in choice for label in range(LABELS)] for choice in allowed]])
    loss = crf.loss(emissions, flags, torch.ones(1, length, dtype=torch.bool))
    assert loss.item() == pytest.approx(expected.item(), abs=1e-9)


def test_padding_changes_nothing() -> None:
    crf, short, long = random_crf(7), random_emissions(1, 2), random_emissions(2, 5)
    padded = torch.cat([torch.cat([short, torch.full((1, 3, LABELS), 99.0)], 1), long])
    mask = torch.tensor([[True, True, False, False, False], [True] * 5])
    alone = crf.log_partition(short, torch.ones(1, 2, dtype=torch.bool))
    assert torch.allclose(crf.log_partition(padded, mask)[:1], alone)
    decoded = crf.decode(short, torch.ones(1, 2, dtype=torch.bool))
    assert torch.equal(crf.decode(padded, mask)[0, :2], decoded[0])
    marginals = crf.marginals(padded, mask)
    assert torch.equal(marginals[0, 2:], torch.zeros(3, LABELS, dtype=torch.float64))


def test_excluded_labels_are_never_predicted() -> None:
    crf, emissions = random_crf(3), random_emissions(3, 4).float()
    crf = crf.float()
    allowed = torch.tensor([[[False, True, True]] * 4])
    mask = torch.ones(1, 4, dtype=torch.bool)
    restricted = restrict(emissions, allowed)
    assert (crf.decode(restricted, mask) != 0).all()
    assert crf.marginals(restricted, mask)[..., 0].max() == 0
    assert torch.allclose(crf.marginals(restricted, mask).sum(-1), torch.ones(1, 4))


def test_gradients_equal_finite_differences() -> None:
    crf, emissions = random_crf(5), random_emissions(5, 3).requires_grad_()
    allowed = torch.tensor([[[True, False, False], [True, True, False], [True] * 3]])
    mask = torch.ones(1, 3, dtype=torch.bool)
    assert torch.autograd.gradcheck(lambda e: crf.loss(e, allowed, mask), (emissions,))
