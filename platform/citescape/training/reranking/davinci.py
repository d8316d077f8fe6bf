"""DAVINCI: fuses the state of a pair and the prior of its retrieval by a gate (section 3.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.pairs import PaddedPairs
from citescape.training.towers import count_flops


def make_mlp(inputs: int, outputs: int, *, hidden: int, dropout: float) -> torch.nn.Sequential:
    """Two linear layers with GELU and dropout between.

    Args:
        inputs: dimensions of the input.
        outputs: dimensions of the output.
        hidden: dimensions between the layers.
        dropout: probability, 0 or more and below 1.
    """
    return torch.nn.Sequential(
        torch.nn.Linear(inputs, hidden),
        torch.nn.GELU(),
        torch.nn.Dropout(dropout),
        torch.nn.Linear(hidden, outputs),
    )


class GatedFusion(torch.nn.Module):
    """Score of a pair from its text and the signal of its retrieval (DAVINCI, Eq. 7-10).

    h = [MLP_text(e_cls); MLP_score(p)]          (B, 2 d_h)   Eq. 7
    g = sigmoid(MLP_gate([e_cls; p]))            (B, 2 d_h)   Eq. 8
    S = sigmoid(MLP_out(g * h))                  (B,)         Eq. 9, 10

    Without a signal (A1) there are no p and MLP_score, and h and g have d_h dimensions. With a
    scalar gate (A4) g is (B, 1).
    """

    def __init__(self, dimensions: int, config: RerankConfig) -> None:
        super().__init__()
        self.has_signal = bool(config.parts.signal)
        fused = config.hidden * (2 if self.has_signal else 1)
        gates = fused if config.parts.gate == "vector" else 1
        shape: dict[str, Any] = {"hidden": config.hidden, "dropout": config.dropout}
        self.text = make_mlp(dimensions, config.hidden, **shape)
        if self.has_signal:
            self.score = make_mlp(1, config.hidden, **shape)
        self.gate = make_mlp(dimensions + self.has_signal, gates, **shape)
        self.out = make_mlp(fused, 1, **shape)

    def forward(self, states: torch.Tensor, signals: torch.Tensor) -> torch.Tensor:
        """Scores (B,) in 0..1 of states (B, d) and signals (B,)."""
        signals = signals[:, None]
        parts = [self.text(states)]
        if self.has_signal:
            parts.append(self.score(signals))
        fused = self.open_gate(states, signals) * torch.cat(parts, 1)
        scores: torch.Tensor = torch.sigmoid(self.out(fused)).squeeze(1)
        return scores

    def open_gate(self, states: torch.Tensor, signals: torch.Tensor) -> torch.Tensor:
        """Gate (B, 2 d_h) in 0..1 of states (B, d) and signals (B, 1)."""
        inputs = torch.cat([states, signals], 1) if self.has_signal else states
        return torch.sigmoid(self.gate(inputs))


class TextHead(torch.nn.Module):
    """A linear map of the state (B, d) alone: a plain cross-encoder."""

    def __init__(self, dimensions: int, config: RerankConfig) -> None:
        super().__init__()
        self.dropout = torch.nn.Dropout(config.dropout)
        self.out = torch.nn.Linear(dimensions, 1)

    def forward(self, states: torch.Tensor, _signals: torch.Tensor) -> torch.Tensor:
        """Scores (B,) in 0..1."""
        scores: torch.Tensor = torch.sigmoid(self.out(self.dropout(states))).squeeze(1)
        return scores


_HEADS: dict[str, type[GatedFusion] | type[TextHead]] = {
    "davinci": GatedFusion,
    "vectors": GatedFusion,
    "cross-encoder": TextHead,
}


class RerankModule(torch.nn.Module):
    """A transformer and the head over the state of its first token; or the head alone."""

    def __init__(
        self, encoder: torch.nn.Module | None, config: RerankConfig, *, dimensions: int = 0
    ) -> None:
        """Initialises the head at random; without encoder its states have `dimensions`."""
        super().__init__()
        self.encoder = encoder
        if encoder is not None:
            dimensions = int(encoder.config.hidden_size)  # type: ignore[union-attr, arg-type]
        self.head = _HEADS[config.kind](dimensions, config)

    def forward(self, pairs: PaddedPairs | torch.Tensor, signals: torch.Tensor) -> torch.Tensor:
        """Scores (B,) float32 in 0..1 of pairs, or of their states, and their signals (B,)."""
        if isinstance(pairs, torch.Tensor):
            states = pairs
        else:
            assert self.encoder is not None, "pairs of tokens need an encoder"
            types = {} if pairs.types is None else {"token_type_ids": pairs.types}
            output = self.encoder(input_ids=pairs.ids, attention_mask=pairs.mask, **types)
            states = output.last_hidden_state[:, 0].float()  # (B, d) of the first tokens
        with torch.autocast(states.device.type, enabled=False):  # differences of priors are small
            scores: torch.Tensor = self.head(states, signals)
        return scores

    def count_flops(self, lengths: npt.NDArray[np.int64]) -> float:
        """Operations of one pass over pairs of these lengths, by the encoder, else the head."""
        if self.encoder is not None:
            return count_flops(self.encoder, lengths)
        weights = sum(value.numel() for value in self.head.parameters() if value.ndim == 2)
        return 2.0 * weights * len(lengths)


def compute_loss(scores: torch.Tensor, mask: torch.Tensor, config: RerankConfig) -> torch.Tensor:
    """Loss of each query.

    margin:  max(0, S- - S+ + m), mean over its negatives       DAVINCI, Eq. 11
    softmax: -log(exp(z+) / (exp(z+) + sum of exp(z-))),  z = log(S / (1 - S))

    Args:
        scores: S (queries, 1 + n) in 0..1, the positive first.
        mask: (queries, 1 + n) bool of the scores in use; each query has one negative or more.
        config: the loss and its margin m.

    Returns:
        (queries,), 0 or more.
    """
    if config.loss == "softmax":
        logits = torch.logit(scores, 1e-6).masked_fill(~mask, -torch.inf)
        return torch.logsumexp(logits, 1) - logits[:, 0]
    losses = torch.relu(scores[:, 1:] - scores[:, :1] + config.margin) * mask[:, 1:]
    return losses.sum(1) / mask[:, 1:].sum(1)
