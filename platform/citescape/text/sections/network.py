"""The sequence model: vectors and numbers of each section -> BiLSTM -> linear-chain CRF.

After the SciBERT-BiLSTM-CRF of CIA, section 3.1, with the first words of each section's text and
any pretrained encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from citescape.core.progress import Progress, silent
from citescape.encoders.randomness import fixed_randomness
from citescape.text.crf import LinearChainCrf, one_cycle, restrict
from citescape.text.sections.gold import allowed_types, check_types, draw_hidden_titles
from citescape.text.sections.inputs import NUMBERS, SectionInputs, compute_numbers
from citescape.text.sections.sequences import TYPES, Flags, Ints, Probabilities
from citescape.text.sections.steps import TrainSections

_WINDOW = 200
"""Maximum length of a sequence; longer papers (floras, theses) are cut into windows."""
_TITLE, _OPENING, _HIDDEN = 128, 96, 128
"""Widths of the layers; the LSTM has this width per direction."""
_DROPOUT = 0.3
_BATCH = 64
"""Sequences per batch when predicting."""
_POOL = 16
"""Number of training batches whose sequences are sorted by length together."""


@dataclass(frozen=True)
class SectionBatch:
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
    """(B, T) position in the window of each section's top-level section; the section's own position
    if its top-level section is before the window"""
    mask: Tensor
    """(B, T) booleans"""
    rows: Tensor
    """(B, T) row of the section, -1 for padding"""


class SectionNetwork(nn.Module):
    """Emissions of the CRF and the CRF itself; `dimensions` is the length of the vectors."""

    def __init__(self, dimensions: int, *, body: bool) -> None:
        super().__init__()
        self.body = body
        self.title = nn.Linear(dimensions, _TITLE)
        self.opening = nn.Linear(dimensions, _OPENING)
        width = _TITLE + len(NUMBERS) + (_OPENING if body else 0)
        self.lstm = nn.LSTM(width, _HIDDEN, bidirectional=True, batch_first=True)
        self.out = nn.Linear(4 * _HIDDEN, len(TYPES))
        self.dropout = nn.Dropout(_DROPOUT)
        self.crf = LinearChainCrf(len(TYPES))

    def forward(self, batch: SectionBatch) -> Tensor:
        """Emissions (B, T, types)."""
        parts = [torch.tanh(self.title(self.dropout(batch.titles))), batch.numbers]
        if self.body:
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

    def loss(self, batch: SectionBatch) -> Tensor:
        """Mean over the sequences of the negative log-likelihood of the allowed types."""
        loss: Tensor = self.crf.loss(self(batch), batch.allowed, batch.mask)
        return loss

    @torch.no_grad()
    def predict(self, batch: SectionBatch) -> tuple[Tensor, Tensor]:
        """The most probable allowed types (B, T) and the probability of each (B, T)."""
        emissions = restrict(self(batch), batch.allowed)
        types = self.crf.decode(emissions, batch.mask)
        marginals = self.crf.marginals(emissions, batch.mask)
        return types, marginals.gather(2, types[..., None])[..., 0]


class Windows:
    """Sequences of at most 200 sections: papers, or windows of long papers."""

    def __init__(self, inputs: SectionInputs, allowed: Flags) -> None:
        self._inputs = inputs
        self._allowed = allowed
        self.spans = [
            (begin, min(begin + _WINDOW, end))
            for first, end in inputs.sections.spans
            for begin in range(first, end, _WINDOW)
        ]

    def batches(self, hidden: Flags, order: Sequence[int], *, size: int) -> Iterator[SectionBatch]:
        """Batches of windows.

        Args:
            hidden: (n,) sections whose title is hidden.
            order: positions in `spans`.
            size: windows per batch.
        """
        numbers = compute_numbers(self._inputs.sections, hidden)
        titles, openings = self._inputs.titles, self._inputs.openings
        title_rows = np.where(hidden, 0, titles.rows)
        for start in range(0, len(order), size):
            spans = [self.spans[k] for k in order[start : start + size]]
            rows = np.full((len(spans), max(end - begin for begin, end in spans)), -1, np.int64)
            for k, (begin, end) in enumerate(spans):
                rows[k, : end - begin] = np.arange(begin, end)  # (B, T)
            real, first = rows >= 0, rows[:, :1]
            heads = self._inputs.sections.heads[rows]
            heads = np.where(real, np.where(heads < first, rows, heads) - first, 0)
            yield SectionBatch(
                torch.from_numpy(titles.vectors[np.where(real, title_rows[rows], 0)]),
                torch.from_numpy(openings.vectors[np.where(real, openings.rows[rows], 0)]),
                torch.from_numpy(numbers[rows] * real[..., None]),
                torch.from_numpy(self._allowed[rows]),
                torch.from_numpy(heads),
                torch.from_numpy(real),
                torch.from_numpy(rows),
            )

    @property
    def lengths(self) -> Ints:
        """Number of sections of each window."""
        return np.array([end - begin for begin, end in self.spans], np.int64)


def fit(
    inputs: SectionInputs, config: TrainSections, progress: Progress = silent
) -> SectionNetwork:
    """A trained network.

    Args:
        inputs: sections to train on.
        config: settings of the training.
        progress: reports the epochs.

    Raises:
        ConfigError: too few papers have a section of some type.
    """
    check_types(inputs.sections)
    windows = Windows(inputs, allowed_types(inputs.sections))
    rng = np.random.default_rng(config.seed)
    with fixed_randomness(config.seed, threads=config.threads):
        network = SectionNetwork(inputs.titles.vectors.shape[1], body=config.body)
        steps = -(-len(windows.spans) // config.batch)  # of one epoch
        epochs = max(config.epochs, -(-config.fewest_steps // steps))
        rate, decay = config.learning_rate, config.weight_decay
        step = one_cycle(network, rate, weight_decay=decay, steps=epochs * steps)
        for epoch in range(epochs):
            progress(f"training: epoch {epoch + 1} of {epochs}")
            hidden = draw_hidden_titles(inputs.sections, config.hidden_share, rng)
            order = _order(windows.lengths, config.batch, rng)
            for batch in windows.batches(hidden, order, size=config.batch):
                step(network.loss(batch))
    return network.eval()


def _order(lengths: Ints, size: int, rng: np.random.Generator) -> list[int]:
    """Sequences in random order, with about equal lengths within a batch.

    A batch takes as many steps as its longest sequence, so this saves two thirds of the time.
    """
    drawn = rng.permutation(len(lengths))
    pools = np.arange(len(drawn)) // (_POOL * size)
    by_length = drawn[np.lexsort((lengths[drawn], pools))]
    full = len(by_length) // size * size  # the rest is a smaller batch, at the end
    batches = by_length[:full].reshape(-1, size)
    order: list[int] = [*rng.permutation(batches).ravel().tolist(), *by_length[full:].tolist()]
    return order


def predict(
    network: SectionNetwork,
    inputs: SectionInputs,
    *,
    allowed: Flags | None = None,
    hidden: Flags | None = None,
) -> tuple[Ints, Probabilities]:
    """Types (n,) as indices into `TYPES`, and the probability of each, rounded to 4 decimals.

    Args:
        network: a trained network.
        inputs: input of the n sections.
        allowed: (n, types) possible types; known types influence their neighbours. All by default.
        hidden: (n,) sections whose title is hidden; none by default.
    """
    n = len(inputs.sections)
    types, probabilities = np.zeros(n, np.int64), np.zeros(n, np.float64)
    windows = Windows(inputs, np.ones((n, len(TYPES)), bool) if allowed is None else allowed)
    hidden = np.zeros(n, bool) if hidden is None else hidden
    order: list[int] = np.argsort(windows.lengths, kind="stable").tolist()  # less padding
    for batch in windows.batches(hidden, order, size=_BATCH):
        likely, marginals = network.predict(batch)
        rows = batch.rows[batch.mask].numpy()
        types[rows] = likely[batch.mask].numpy()
        probabilities[rows] = marginals[batch.mask].numpy()
    rounded: Probabilities = np.round(probabilities, 4)
    return types, rounded
