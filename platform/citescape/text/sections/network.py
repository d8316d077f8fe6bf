"""The sequence model: vectors and numbers of each section -> BiLSTM -> linear-chain CRF.

After the SciBERT-BiLSTM-CRF of CIA, section 3.1, with the first words of each section's text and
with any pretrained encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from citescape.text.crf import LinearChainCrf, restrict
from citescape.text.sections.inputs import NUMBERS, SectionInputs, describe
from citescape.text.sections.sequences import TYPES, Flags, Ints

_WINDOW = 200
"""Sections of a sequence; what is longer (floras, theses) is cut."""


@dataclass(frozen=True)
class NetworkShape:
    """Sizes of the layers."""

    dimensions: int
    """Of the encoder's vectors."""
    body: bool = True
    """First words of the text beside the title."""
    title: int = 128
    opening: int = 96
    hidden: int = 128
    """Of the LSTM, in each direction."""
    dropout: float = 0.3


@dataclass(frozen=True)
class Batch:
    """B padded sequences of at most T sections."""

    titles: Tensor
    """(B, T, d)"""
    openings: Tensor
    """(B, T, d)"""
    numbers: Tensor
    """(B, T, numbers)"""
    allowed: Tensor
    """(B, T, types) booleans"""
    heads: Tensor
    """(B, T) place in the sequence of the top-level section that each is in, or is; its own where
    that lies before the window"""
    mask: Tensor
    """(B, T) booleans"""
    rows: Tensor
    """(B, T) which section it is, -1 for padding"""


class SectionNetwork(nn.Module):
    """Emissions of the CRF and the CRF itself."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape = shape
        self.title = nn.Linear(shape.dimensions, shape.title)
        self.opening = nn.Linear(shape.dimensions, shape.opening)
        width = shape.title + len(NUMBERS) + (shape.opening if shape.body else 0)
        self.lstm = nn.LSTM(width, shape.hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(4 * shape.hidden, len(TYPES))
        self.dropout = nn.Dropout(shape.dropout)
        self.crf = LinearChainCrf(len(TYPES))

    def forward(self, batch: Batch) -> Tensor:
        """Emissions (B, T, types)."""
        parts = [torch.tanh(self.title(self.dropout(batch.titles))), batch.numbers]
        if self.shape.body:
            parts.append(torch.tanh(self.opening(self.dropout(batch.openings))))
        inputs = self.dropout(torch.cat(parts, -1))  # (B, T, width)
        packed = nn.utils.rnn.pack_padded_sequence(
            inputs, batch.mask.sum(1).cpu(), batch_first=True, enforce_sorted=False
        )
        hidden, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=inputs.shape[1]
        )
        above = hidden.gather(1, batch.heads[..., None].expand_as(hidden))
        emissions: Tensor = self.out(self.dropout(torch.cat([hidden, above], -1)))
        return emissions

    def loss(self, batch: Batch) -> Tensor:
        """Mean negative log-likelihood of the allowed types of a sequence."""
        loss: Tensor = self.crf.loss(self(batch), batch.allowed, batch.mask)
        return loss

    @torch.no_grad()
    def predict(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The most probable allowed types (B, T) and the probability of each (B, T)."""
        emissions = restrict(self(batch), batch.allowed)
        types = self.crf.decode(emissions, batch.mask)
        marginals = self.crf.marginals(emissions, batch.mask)
        return types, marginals.gather(2, types[..., None])[..., 0]


class Windows:
    """Sequences of at most 200 sections: the papers, the longest of them cut."""

    def __init__(self, inputs: SectionInputs, allowed: Flags) -> None:
        self._inputs = inputs
        self._allowed = allowed
        self.spans = [
            (begin, min(begin + _WINDOW, end))
            for first, end in inputs.sections.spans
            for begin in range(first, end, _WINDOW)
        ]

    def batches(self, hidden: Flags, order: Sequence[int], *, size: int) -> Iterator[Batch]:
        """Batches of `size` windows in the given order, titles hidden as said."""
        numbers = describe(self._inputs.sections, hidden)
        titles, openings = self._inputs.titles, self._inputs.openings
        title_rows = np.where(hidden, 0, titles.rows)
        for start in range(0, len(order), size):
            rows = self._rows([self.spans[k] for k in order[start : start + size]])  # (B, T)
            real = rows >= 0
            yield Batch(
                torch.from_numpy(titles.vectors[np.where(real, title_rows[rows], 0)]),
                torch.from_numpy(openings.vectors[np.where(real, openings.rows[rows], 0)]),
                torch.from_numpy(numbers[rows] * real[..., None]),
                torch.from_numpy(self._allowed[rows]),
                torch.from_numpy(self._heads(rows)),
                torch.from_numpy(real),
                torch.from_numpy(rows),
            )

    @property
    def lengths(self) -> Ints:
        """Sections of each window."""
        return np.array([end - begin for begin, end in self.spans], np.int64)

    def by_length(self) -> list[int]:
        """Numbers of all windows, short ones first, so that little is padded."""
        order: list[int] = np.argsort(self.lengths, kind="stable").tolist()
        return order

    def _heads(self, rows: Ints) -> Ints:
        """Place (B, T) in the window of each one's top-level section, its own if that is cut."""
        first = rows[:, :1]
        heads = self._inputs.sections.heads[rows]
        return np.where(rows >= 0, np.where(heads < first, rows, heads) - first, 0)

    @staticmethod
    def _rows(spans: Sequence[tuple[int, int]]) -> Ints:
        rows = np.full((len(spans), max(end - begin for begin, end in spans)), -1, np.int64)
        for k, (begin, end) in enumerate(spans):
            rows[k, : end - begin] = np.arange(begin, end)
        return rows
