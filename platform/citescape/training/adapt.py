"""Trains an adapter on vectors in memory, without store and run directory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from citescape.encoders.documents import Adapter
from citescape.encoders.randomness import fixed_randomness
from citescape.sampling.triplets import Triplets
from citescape.search.vectors import Floats
from citescape.training.checkpoint import State
from citescape.training.config import TrainConfig
from citescape.training.processes import make_accelerator
from citescape.training.session import Session
from citescape.training.towers import AdapterTower
from citescape.training.triplet_task import train_tower


@dataclass(frozen=True)
class TrainedAdapter:
    """A trained linear map and its validation figures."""

    adapter: Adapter
    history: tuple[dict[str, float], ...]
    """Validation figures before training and after each epoch."""


def train_adapter(
    vectors: Floats, triplets: Triplets, config: TrainConfig | None = None
) -> TrainedAdapter:
    """Trains a linear map, initially the identity.

    Args:
        vectors: (papers, d), in the codes of `triplets`.
        triplets: triplets to train and to validate on.
        config: loss, schedule, seed; `tune` and `base` are ignored.

    Raises:
        TrainingError: the loss is not a number.
    """
    config = replace(config or TrainConfig(), tune="adapter")
    tower = AdapterTower(vectors)
    with TemporaryDirectory() as folder, fixed_randomness(config.seed, threads=1):
        session = Session("adapter", make_accelerator(), Path(folder), float("inf"))
        state = train_tower(tower, triplets, config, session=session, state=State("adapter"))
    module = tower.module
    weight, bias = (p.detach().cpu().numpy().copy() for p in (module.weight, module.bias))
    adapter = Adapter(np.asarray(weight, np.float32), np.asarray(bias, np.float32))
    return TrainedAdapter(adapter, tuple(state.history))
