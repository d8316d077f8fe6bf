"""What a reranker is trained on: shortlists, and what the model reads of their pairs."""

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
from citescape.training.reranking.pairs import PairTokens
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.states import VectorPairs
from citescape.training.reranking.task import Lists, choose_validation

Prepared = tuple[RerankModule, Any, tuple[Lists, Lists]]
"""A model at its beginning, its tokenizer if it has one, lists to train on and to validate by."""


@dataclass(frozen=True)
class Material:
    """What is used of the shortlists, whatever the order of their rows."""

    training: Shortlists
    validation: Shortlists
    base: Base | None
    """The transformer to begin with; None where vectors are read."""
    left_out: int
    """Queries that cite nothing, or nothing retrieved where none is injected, or have no candidate
    that they do not cite."""

    @classmethod
    def of(cls, lists: Sequence[Shortlists], config: RerankConfig, base: Base | None) -> Material:
        """Chooses queries.

        Args:
            lists: to train on, to validate by.
            config: of the training.
            base: see `find_reader`.

        Raises:
            ConfigError: nothing to learn or to validate by, or no vectors where these are to be
                read.
        """
        training, validation = (one.cut(config.k).sort() for one in lists)
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
            _check_encoders(*chosen)
        return cls(*chosen, base, len(training) - len(used))

    @property
    def reads(self) -> str:
        """SHA-256 of the encoder: of the one to begin with, or of that whose vectors are read."""
        return self.base.sha256 if self.base else self.training.read_vectors().encoder

    @property
    def inputs(self) -> dict[str, str]:
        """Hashes, for the run's record."""
        told = {
            "training": self.training.sha256,
            "validation": self.validation.sha256,
            "base": self.reads,
        }
        if self.base:
            return told
        lists = {"training": self.training, "validation": self.validation}
        own = {f"{name}_vectors": one.read_vectors().sha256 for name, one in lists.items()}
        return {**told, **own}


def find_reader(config: RerankConfig, runs: Path) -> Base | None:
    """The transformer to begin with; None where vectors are read.

    Raises:
        ConfigError: no such encoder.
    """
    if config.kind == "vectors":
        return None
    return find_base(TrainConfig(base=config.base, max_tokens=config.max_tokens), runs)


def prepare(material: Material, config: RerankConfig) -> Prepared:
    """A model with the weights that the seed gives, and readers of the pairs."""
    lists = (material.training, material.validation)
    if material.base is None:
        vectors = [one.read_vectors() for one in lists]
        torch.manual_seed(config.seed)
        module = RerankModule(None, config, dimensions=vectors[0].dimensions)
        pairs = [Lists(one, VectorPairs(own)) for one, own in zip(lists, vectors, strict=True)]
        return module, None, (pairs[0], pairs[1])
    encoder, tokenizer = load_transformer(material.base.name)
    most = fitting_tokens(encoder, config.max_tokens)
    reader = deepcopy(tokenizer)  # a tokenizer that has cut texts saves how it did
    read = [
        PairTokens(reader, (one.queries, one.candidates), max_tokens=most, name=material.base.name)
        for one in lists
    ]
    torch.manual_seed(config.seed)
    module = RerankModule(encoder, config)
    return module, tokenizer, (Lists(lists[0], read[0]), Lists(lists[1], read[1]))


def _check_encoders(training: Shortlists, validation: Shortlists) -> None:
    found = [one.read_vectors().encoder for one in (training, validation)]
    if found[0] != found[1]:
        raise ConfigError(
            f"vectors to train on are of the encoder {found[0][:12]}, those to validate by of "
            f"{found[1][:12]}; expected one for both"
        )
