"""A linear-chain CRF over the sentences of an abstract.

The score of a facet for a sentence is linear in its words, those of the sentences before and after,
and its position; with an encoder, also in the vectors of the three sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from scipy.sparse import vstack
from torch import Tensor, nn

from citescape.core.types import FACETS
from citescape.encoders.randomness import fixed_randomness
from citescape.runs.directory import RunRecord
from citescape.text.abstracts.facets import FACET_INDEX, UNSAVED_RUN, FacetLabels, Sentences
from citescape.text.abstracts.features import (
    POSITION_COLUMNS,
    Rows,
    Words,
    describe_position,
    zero_rows,
)
from citescape.text.abstracts.gold import GoldAbstract
from citescape.text.crf import LinearChainCrf, one_cycle
from citescape.text.model_run import Tensors

Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]
_BATCH_SENTENCES = 4096
"""Maximum number of padded sentences per batch when labelling."""


@dataclass(frozen=True)
class SequenceConfig:
    """Settings of the CRF, chosen by cross-validation over papers."""

    epochs: int = 15
    steps: int = 200
    """Minimum number of training steps: few abstracts are trained for more epochs."""
    batch: int = 16
    """Abstracts per step."""
    learning_rate: float = 2e-2
    """Highest rate of the one-cycle schedule; without hidden layers it may be large."""
    weight_decay: float = 0.01
    dropout: float = 0.3
    """Dropout of the sentence vectors."""
    shortened: float = 0.5
    """Share of abstracts that are shortened in a step: abstracts without headings are less orderly
    than structured ones and may lack whole parts."""
    kept: float = 0.6
    """Share of sentences that are kept in a shortened abstract."""
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True)
class _AbstractBatch:
    """B padded abstracts of at most T sentences."""

    words: Tensor
    """(B T, words) sparse"""
    places: Tensor
    """(B, T, POSITION_COLUMNS)"""
    vectors: Tensor
    """(B, T, d); d = 0 without an encoder"""
    mask: Tensor
    """(B, T) booleans"""


class SequenceNetwork(nn.Module):
    """Emissions of the CRF and the CRF itself; `dimensions` is 0 without an encoder."""

    def __init__(self, words: int, dimensions: int = 0, dropout: float = 0.3) -> None:
        super().__init__()
        self.words = nn.Parameter(torch.zeros(words, 3 * len(FACETS)))  # own, before, after
        self.places = nn.Linear(POSITION_COLUMNS, len(FACETS))
        self.vectors = nn.Linear(3 * dimensions, len(FACETS), bias=False) if dimensions else None
        self.dropout = nn.Dropout(dropout)
        self.crf = LinearChainCrf(len(FACETS))

    def forward(self, batch: _AbstractBatch) -> Tensor:
        """Emissions (B, T, facets)."""
        scores = torch.sparse.mm(batch.words, self.words).view(*batch.mask.shape, 3, len(FACETS))
        own, before, after = scores.unbind(2)  # (B, T, facets) each
        emissions: Tensor = own + _shift(before, 1) + _shift(after, -1)
        emissions = emissions + self.places(batch.places)
        if self.vectors is not None:
            own = self.dropout(batch.vectors)
            near = torch.cat([own, _shift(own, 1), _shift(own, -1)], 2)  # (B, T, 3 d)
            emissions = emissions + self.vectors(near)
        return emissions


class SentenceCrf:
    """The CRF as a splitter; `encode` is None for one without sentence vectors."""

    def __init__(
        self, words: Words, network: SequenceNetwork, *, record: RunRecord, encode: Encode | None
    ) -> None:
        self.words = words
        self.network = network.eval()
        self.record = record
        self.encode = encode

    @classmethod
    def fit(
        cls,
        gold: Sequence[GoldAbstract],
        record: RunRecord = UNSAVED_RUN,
        *,
        config: SequenceConfig | None = None,
        encode: Encode | None = None,
    ) -> SentenceCrf:
        """Trains on abstracts with a facet for each sentence.

        Args:
            gold: abstracts to train on.
            record: record of the run.
            config: settings of the training.
            encode: encoder of sentences; None for a CRF without sentence vectors.
        """
        config = config or SequenceConfig()
        words = Words.fit([text for abstract in gold for text in abstract.sentences])
        inputs = [_Inputs.from_sentences(abstract.sentences, words) for abstract in gold]
        if encode:
            inputs = _with_vectors(inputs, [abstract.sentences for abstract in gold], encode)
        targets = [np.array([FACET_INDEX[f] for f in abstract.facets]) for abstract in gold]
        network = _train(inputs, targets, config)
        return cls(words, network, record=record, encode=encode)

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays to save."""
        state = {name: value.numpy() for name, value in self.network.state_dict().items()}
        return {**self.words.tensors(), **{f"network.{name}": v for name, v in state.items()}}

    @classmethod
    def from_tensors(
        cls, tensors: Tensors, record: RunRecord, *, encode: Encode | None = None
    ) -> SentenceCrf:
        """The inverse of `tensors`.

        Args:
            tensors: result of `tensors`.
            record: record of the run.
            encode: the encoder of the training, if it had one.
        """
        words = Words.from_tensors(tensors)
        state = {
            name.removeprefix("network."): torch.from_numpy(np.array(value))
            for name, value in tensors.items()
            if name.startswith("network.")
        }
        vectors = state.get("vectors.weight")
        network = SequenceNetwork(words.size, vectors.shape[1] // 3 if vectors is not None else 0)
        network.load_state_dict(state)
        return cls(words, network, record=record, encode=encode)

    def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
        """Labels of each abstract; they do not depend on the batches."""
        facets: list[tuple[str, ...]] = [()] * len(abstracts)
        inputs = [_Inputs.from_sentences(sentences, self.words) for sentences in abstracts]
        if self.encode:
            inputs = _with_vectors(inputs, abstracts, self.encode)
        for rows in _batch_by_length([len(sentences) for sentences in abstracts]):
            batch = _pad([inputs[row] for row in rows])
            with torch.no_grad():
                labels = self.network.crf.decode(self.network(batch), batch.mask).numpy()
            for row, path in zip(rows, labels, strict=True):
                facets[row] = tuple(FACETS[k] for k in path[: len(abstracts[row])])
        return [FacetLabels(path, "model", self.record.id) for path in facets]


@dataclass(frozen=True)
class _Inputs:
    """The input of one abstract of n sentences."""

    words: Rows
    """(n, words)"""
    places: npt.NDArray[np.float32]
    """(n, POSITION_COLUMNS)"""
    vectors: npt.NDArray[np.float32]
    """(n, d)"""

    @classmethod
    def from_sentences(cls, sentences: Sentences, words: Words) -> _Inputs:
        n = len(sentences)
        return cls(words(sentences), describe_position(n), np.zeros((n, 0), np.float32))

    def select_sentences(self, rows: npt.NDArray[np.int64]) -> _Inputs:
        """The input of an abstract that has only these sentences."""
        return _Inputs(self.words[rows], describe_position(len(rows)), self.vectors[rows])


def _with_vectors(
    inputs: Sequence[_Inputs], abstracts: Sequence[Sentences], encode: Encode
) -> list[_Inputs]:
    """The inputs with the vectors of their sentences, all encoded at once."""
    if not inputs:
        return []  # np.split returns one piece for an empty list
    vectors = encode([text.strip() for sentences in abstracts for text in sentences])
    ends = np.cumsum([len(sentences) for sentences in abstracts])[:-1]
    pieces = np.split(vectors, ends)
    return [replace(item, vectors=v) for item, v in zip(inputs, pieces, strict=True)]


def _train(
    inputs: Sequence[_Inputs], targets: Sequence[npt.NDArray[np.int64]], config: SequenceConfig
) -> SequenceNetwork:
    """A network trained on the inputs of abstracts and the facets (n,) of their sentences."""
    rng = np.random.default_rng(config.seed)
    size, dimensions = inputs[0].words.shape[1], inputs[0].vectors.shape[1]
    with fixed_randomness(config.seed, threads=config.threads):
        network = SequenceNetwork(size, dimensions, config.dropout)
        epoch_steps = -(-len(inputs) // config.batch)
        epochs = max(config.epochs, -(-config.steps // epoch_steps))
        rate, decay = config.learning_rate, config.weight_decay
        step = one_cycle(network, rate, weight_decay=decay, steps=epochs * epoch_steps)
        for _ in range(epochs):
            order = rng.permutation(len(inputs))
            for start in range(0, len(order), config.batch):
                rows = order[start : start + config.batch]
                drawn = [_draw_sentences(len(targets[row]), config, rng) for row in rows]
                pairs = list(zip(rows, drawn, strict=True))
                batch = _pad([inputs[row].select_sentences(kept) for row, kept in pairs])
                allowed = torch.ones((*batch.mask.shape, len(FACETS)), dtype=torch.bool)
                # the true facet; any facet for the padding
                for k, (row, kept) in enumerate(pairs):
                    one_hot = torch.eye(len(FACETS), dtype=torch.bool)[targets[row][kept]]
                    allowed[k, : len(kept)] = one_hot
                step(network.crf.loss(network(batch), allowed, batch.mask))
    return network


def _draw_sentences(
    sentences: int, config: SequenceConfig, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Indices of the sentences used in a step: all, or some, at least one."""
    if rng.random() >= config.shortened:
        return np.arange(sentences)
    kept = np.flatnonzero(rng.random(sentences) < config.kept)
    return kept if len(kept) else rng.integers(sentences, size=1)


def _pad(inputs: Sequence[_Inputs]) -> _AbstractBatch:
    """One batch of abstracts that have at least one sentence."""
    lengths = torch.tensor([len(item.places) for item in inputs])
    longest = int(lengths.max())
    mask = torch.arange(longest)[None] < lengths[:, None]  # (B, T)
    size = inputs[0].words.shape[1]
    padding = [zero_rows(longest - len(item.places), size) for item in inputs]
    pairs = zip(inputs, padding, strict=True)
    rows = vstack([part for item, zeros in pairs for part in (item.words, zeros)]).tocoo()
    words = torch.sparse_coo_tensor(
        torch.from_numpy(np.stack([rows.row, rows.col]).astype(np.int64)),
        torch.from_numpy(rows.data.astype(np.float32)),
        rows.shape,
        check_invariants=False,
    )
    places = _stack_padded([item.places for item in inputs])
    return _AbstractBatch(words, places, _stack_padded([item.vectors for item in inputs]), mask)


def _stack_padded(arrays: Sequence[npt.NDArray[np.float32]]) -> Tensor:
    """(B, T, d), shorter arrays padded with zeros."""
    tensors = [torch.from_numpy(np.ascontiguousarray(array, np.float32)) for array in arrays]
    return nn.utils.rnn.pad_sequence(tensors, batch_first=True)


def _batch_by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows of each batch: abstracts of similar length, up to `_BATCH_SENTENCES` when padded."""
    rows: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (lengths[row], row)):
        if not lengths[row]:
            continue
        if rows and (len(rows) + 1) * lengths[row] > _BATCH_SENTENCES:
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def _shift(values: Tensor, by: int) -> Tensor:
    """Values (B, T, d) of the sentence before (`by` 1) or after (-1); 0 where it is missing."""
    moved = torch.zeros_like(values)
    if by > 0:
        moved[:, 1:] = values[:, :-1]
    else:
        moved[:, :-1] = values[:, 1:]
    return moved
