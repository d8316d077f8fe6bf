"""Small trainings for tests of the training loop."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from citescape.encoders.documents import EncoderSettings
from citescape.encoders.files import load_transformer
from citescape.encoders.randomness import fixed_randomness
from citescape.sampling.fingerprint import recode
from citescape.sampling.triplets import Triplets
from citescape.training.checkpoint import State
from citescape.training.config import TrainConfig
from citescape.training.session import Session
from citescape.training.texts import join_tokens, read_texts, tokenise
from citescape.training.towers import AdapterTower, TextTower
from citescape.training.triplet_task import train_tower
from tests.training.conftest import Training, plain_triplets

CPU = torch.device("cpu")
Weights = dict[str, torch.Tensor]


def points(papers: int = 24, dimensions: int = 6) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(papers, dimensions)).astype(np.float32)


def some_triplets(held: int = 20) -> Triplets:
    chance = np.random.default_rng(4)
    rows = [tuple(chance.choice(24, 3, replace=False).tolist()) for _ in range(100)]
    return recode(plain_triplets(*sorted(rows), held=held))


def text_tower(training: Training, model: Path) -> TextTower:
    texts = read_texts(training.store, recode(training.triplets).ids, training.runs)
    transformer, tokenizer = load_transformer(str(model))
    tokens = join_tokens(tokenise(texts, tokenizer, EncoderSettings("joined", "mean", 30)))
    return TextTower(transformer, tokenizer, tokens, pooling="mean", budget=200)


def weights(tower: Any) -> Weights:
    return {name: p.detach().clone() for name, p in tower.module.named_parameters()}


def assert_close(first: Weights, second: Weights, tolerance: float = 2e-6) -> None:
    for name, tensor in first.items():
        torch.testing.assert_close(tensor, second[name], atol=tolerance, rtol=1e-4)


def run(tower: Any, triplets: Triplets, session: Session, **settings: Any) -> State:
    config, state = configure(tower, **settings), State(session.run)
    with fixed_randomness(0, threads=1):
        return train_tower(tower, triplets, config, session=session, state=state)


def configure(tower: Any, **settings: Any) -> TrainConfig:
    tune = "adapter" if isinstance(tower, AdapterTower) else "all"
    return TrainConfig(**{"tune": tune, "batch": 8, "learning_rate": 1e-2, **settings})


def pair_tensors(first: Weights, second: Weights) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    return ((tensor, second[name]) for name, tensor in first.items())


class PowerCutError(Exception):
    """Simulates a power cut."""


class LimitedMemoryTower(AdapterTower):
    """A tower that runs out of memory with more than `most` papers at once."""

    def __init__(self, vectors: Any, *, most: int) -> None:
        super().__init__(vectors)
        self.most = most
        self.refused = 0
        self.kept: list[weakref.ref[torch.Tensor]] = []
        self.alive: list[weakref.ref[torch.Tensor]] = []
        """Objects of a failed pass that were still in memory at the next allocation."""

    def inputs(self, papers: Any, device: torch.device) -> Any:
        if self.module.training and len(papers) > self.most:
            self.refused += 1
            activations = torch.ones(3)
            self.kept.append(weakref.ref(activations))
            raise torch.OutOfMemoryError("CUDA out of memory")
        self.alive += [kept for kept in self.kept if kept() is not None]
        return super().inputs(papers, device)
