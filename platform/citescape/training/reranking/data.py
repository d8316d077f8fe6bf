"""Input of a reranker's training: shortlists, base encoder, readers of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from citescape.core.errors import ConfigError
from citescape.encoders.files import load_transformer
from citescape.encoders.tokens import fitting_tokens
from citescape.training.base import Base, find_base
from citescape.training.config import TrainConfig
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.davinci import RerankModule
from citescape.training.reranking.drawn import find_trainable
from citescape.training.reranking.pairs import PairReader, PairTokens, VectorPairs
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.task import RerankingSplit, choose_validation

PreparedModel = tuple[RerankModule, Any, tuple[RerankingSplit, RerankingSplit]]
"""An untrained model, its tokenizer or None, and the splits to train and validate on."""


@dataclass(frozen=True)
class RerankingData:
    """The shortlists in use, in an order that does not depend on the order of the input."""

    training: Shortlists
    validation: Shortlists
    base: Base | None
    """The transformer to start from; None for a reranker of vectors."""
    left_out: int
    """Number of queries that cannot be trained on, see `find_trainable`."""

    @classmethod
    def select(
        cls, lists: Sequence[Shortlists], config: RerankConfig, base: Base | None
    ) -> RerankingData:
        """Selects queries to train and to validate on.

        Args:
            lists: shortlists to train on, and to validate on.
            config: number of candidates and of validation queries.
            base: result of `find_reader`.

        Raises:
            ConfigError: no queries to train or to validate on, or vectors are missing or of two
                encoders.
        """
        training, validation = (shortlists.cut(config.k).sort() for shortlists in lists)
        trainable = find_trainable(training, inject=config.inject)
        validating = choose_validation(validation, config.validation_queries)
        if not len(trainable):
            raise ConfigError(
                f"none of {len(training):,} queries to train on cites a paper and has a candidate "
                "that it does not cite; expected some: use more contexts, or a larger k"
            )
        if not len(validating):
            raise ConfigError(
                f"none of {len(validation):,} queries for validation cites a paper; expected some"
            )
        splits = training.select_rows(trainable), validation.select_rows(validating)
        if not base:
            first, second = (shortlists.read_vectors().encoder for shortlists in splits)
            if first != second:
                raise ConfigError(
                    f"vectors to train on are of the encoder {first[:12]}, those to validate on "
                    f"of {second[:12]}; expected one encoder"
                )
        return cls(*splits, base, len(training) - len(trainable))

    @property
    def encoder(self) -> str:
        """SHA-256 of the base encoder, or of the encoder of the vectors."""
        return self.base.sha256 if self.base else self.training.read_vectors().encoder

    @property
    def inputs(self) -> dict[str, str]:
        """Hashes, for the run's record."""
        lists = {"training": self.training, "validation": self.validation}
        hashes = {name: shortlists.sha256 for name, shortlists in lists.items()}
        hashes["base"] = self.encoder
        if not self.base:
            for name, shortlists in lists.items():
                hashes[f"{name}_vectors"] = shortlists.read_vectors().sha256
        return hashes


def find_reader(config: RerankConfig, runs: Path) -> Base | None:
    """The transformer to start from; None for a reranker of vectors.

    Raises:
        ConfigError: no such encoder.
    """
    if config.kind == "vectors":
        return None
    return find_base(TrainConfig(base=config.base, max_tokens=config.max_tokens), runs)


def prepare_model(data: RerankingData, config: RerankConfig) -> PreparedModel:
    """A model with random weights by the seed, and readers of the pairs."""
    first, second = data.training, data.validation
    readers: list[PairReader]
    if data.base is None:
        readers = [VectorPairs(shortlists.read_vectors()) for shortlists in (first, second)]
        torch.manual_seed(config.seed)
        dimensions = first.read_vectors().dimensions
        module, tokenizer = RerankModule(None, config, dimensions=dimensions), None
    else:
        name = data.base.name
        encoder, tokenizer = load_transformer(name)
        most = fitting_tokens(encoder, config.max_tokens)
        copy = deepcopy(tokenizer)  # a tokenizer saves its last truncation
        readers = [
            PairTokens(copy, (part.queries, part.candidates), max_tokens=most, name=name)
            for part in (first, second)
        ]
        torch.manual_seed(config.seed)
        module = RerankModule(encoder, config)
    return (
        module,
        tokenizer,
        (RerankingSplit(first, readers[0]), RerankingSplit(second, readers[1])),
    )
