"""A linear-chain conditional random field (Lafferty, McCallum and Pereira 2001).

score(x, y) = start[y_1] + sum_t emission[t, y_t] + sum_t transition[y_(t-1), y_t] + end[y_T],
p(y | x) = exp(score(x, y)) / Z(x). Sequences are padded at their end; a mask (B, T) marks the real
items. An unknown label is a set of possible labels: the loss sums over all of them (partial
labels: Tsuboi et al. 2008).
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

_NEVER = -1e4
"""The emission of an excluded label: its probability is 0 in float32."""


class LinearChainCrf(nn.Module):
    """Transitions between `labels` labels; emissions (B, T, labels) are arguments."""

    def __init__(self, labels: int) -> None:
        super().__init__()
        self.transitions = nn.Parameter(torch.zeros(labels, labels))  # from row to column
        self.start = nn.Parameter(torch.zeros(labels))
        self.end = nn.Parameter(torch.zeros(labels))

    def log_partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Logarithm of Z, (B,), by the forward algorithm."""
        alpha = self.start + emissions[:, 0]  # (B, C)
        for t in range(1, emissions.shape[1]):
            step = alpha[:, :, None] + self.transitions  # (B, C, C)
            alpha = torch.where(mask[:, t, None], torch.logsumexp(step, 1) + emissions[:, t], alpha)
        return torch.logsumexp(alpha + self.end, 1)

    def loss(self, emissions: Tensor, allowed: Tensor, mask: Tensor) -> Tensor:
        """Mean over the sequences of -log p(the labels are among the allowed ones).

        Args:
            emissions: (B, T, C).
            allowed: (B, T, C) true for one label where it is known, for all where it is not.
            mask: (B, T).
        """
        within = self.log_partition(restrict(emissions, allowed), mask)
        return (self.log_partition(emissions, mask) - within).mean()

    @torch.no_grad()
    def decode(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """The most probable labels (B, T) by Viterbi, undefined outside the mask.

        Of equally probable sequences, the one with lower labels is taken, compared from the end.
        """
        best = self.start + emissions[:, 0]
        stay = torch.arange(best.shape[1], device=best.device).expand_as(best)
        back: list[Tensor] = []
        for t in range(1, emissions.shape[1]):
            score, source = (best[:, :, None] + self.transitions).max(1)
            real = mask[:, t, None]
            back.append(torch.where(real, source, stay))
            best = torch.where(real, score + emissions[:, t], best)
        labels = [(best + self.end).argmax(1)]
        for source in reversed(back):
            labels.append(source.gather(1, labels[-1][:, None])[:, 0])
        return torch.stack(labels[::-1], 1)

    def marginals(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """p(y_t = c | x), (B, T, C): the gradient of log Z with respect to the emissions."""
        with torch.enable_grad():
            inputs = emissions.detach().requires_grad_()
            total = self.log_partition(inputs, mask).sum()
            (gradient,) = torch.autograd.grad(total, inputs)
        return gradient


def restrict(emissions: Tensor, allowed: Tensor) -> Tensor:
    """Emissions under which only the allowed labels are possible."""
    return emissions.masked_fill(~allowed, _NEVER)


def one_cycle(
    network: nn.Module, learning_rate: float, *, weight_decay: float, steps: int
) -> Callable[[Tensor], None]:
    """A function of the loss that does one training step with AdamW.

    Args:
        network: the network to train.
        learning_rate: highest rate of the one-cycle schedule (Smith and Topin 2018).
        weight_decay: weight decay of AdamW.
        steps: total number of steps.
    """
    optimiser = torch.optim.AdamW(network.parameters(), learning_rate, weight_decay=weight_decay)
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimiser, learning_rate, total_steps=steps + 1)

    def step(loss: Tensor) -> None:
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        cycle.step()

    return step
