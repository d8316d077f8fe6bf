"""Input of a reranker's training: shortlists, base encoder, readers of the pairs."""

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
from citescape.training.reranking.task import Lists, choose_validation

Prepared = tuple[RerankModule, Any, tuple[Lists, Lists]]
"""An untrained model, its tokenizer if it has one, lists to train on and to validate on."""


@dataclass(frozen=True)
class Material:
    """The shortlists that are used, in an order that does not depend on that of the rows."""

    training: Shortlists
    validation: Shortlists
    base: Base | None
    """The transformer to begin with; None where vectors are read."""
    left_out: int
    """Number of queries that are not in `find_trainable`."""

    @classmethod
    def of(cls, lists: Sequence[Shortlists], config: RerankConfig, base: Base | None) -> Material:
        """Chooses queries of the lists to train on and of those to validate on.

        Raises:
            ConfigError: no queries to train or to validate on, or no vectors where these are read.
        """
        training, validation = (shortlists.cut(config.k).sort() for shortlists in lists)
        used = find_trainable(training, inject=config.inject)
        measured = choose_validation(validation, config.validation_queries)
        if not len(used):
            raise ConfigError(
                f"none of {len(training):,} queries to train on cites a paper and has a candidate "
                "that it does not cite; expected some: more contexts, or a larger k"
            )
        if not len(measured):
            raise ConfigError(
                f"none of {len(validation):,} queries for validation cites a paper; expected some"
            )
        chosen = training.take(used), validation.take(measured)
        if not base:
            first, second = (shortlists.read_vectors().encoder for shortlists in chosen)
            if first != second:
                raise ConfigError(
                    f"vectors to train on are of the encoder {first[:12]}, those to validate by "
                    f"of {second[:12]}; expected one for both"
                )
        return cls(*chosen, base, len(training) - len(used))

    @property
    def reads(self) -> str:
        """SHA-256 of the base encoder, or of the encoder whose vectors are read."""
        return self.base.sha256 if self.base else self.training.read_vectors().encoder

    @property
    def inputs(self) -> dict[str, str]:
        """Hashes, for the run's record."""
        lists = {"training": self.training, "validation": self.validation}
        hashes = {name: shortlists.sha256 for name, shortlists in lists.items()}
        hashes["base"] = self.reads
        if not self.base:
            for name, shortlists in lists.items():
                hashes[f"{name}_vectors"] = shortlists.read_vectors().sha256
        return hashes


def find_reader(config: RerankConfig, runs: Path) -> Base | None:
    """The transformer to begin with; None where vectors are read.

    Raises:
        ConfigError: no such encoder.
    """
    if config.kind == "vectors":
        return None
    return find_base(TrainConfig(base=config.base, max_tokens=config.max_tokens), runs)


def prepare(material: Material, config: RerankConfig) -> Prepared:
    """A model with the random weights of the seed, and readers of the pairs."""
    first, second = material.training, material.validation
    readers: list[PairReader]
    if material.base is None:
        readers = [VectorPairs(shortlists.read_vectors()) for shortlists in (first, second)]
        torch.manual_seed(config.seed)
        dimensions = first.read_vectors().dimensions
        module, tokenizer = RerankModule(None, config, dimensions=dimensions), None
    else:
        name = material.base.name
        encoder, tokenizer = load_transformer(name)
        most = fitting_tokens(encoder, config.max_tokens)
        copy = deepcopy(tokenizer)  # a tokenizer saves its last truncation
        readers = [
            PairTokens(copy, (part.queries, part.candidates), max_tokens=most, name=name)
            for part in (first, second)
        ]
        torch.manual_seed(config.seed)
        module = RerankModule(encoder, config)
    return module, tokenizer, (Lists(first, readers[0]), Lists(second, readers[1]))
