"""Runs of trainings of encoders and rerankers. Does not import torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from citescape.runs.kept import KeptRun

LOGS = "tensorboard"
"""Folder in a run directory: `tensorboard --logdir RUN/tensorboard`."""


@dataclass(frozen=True)
class TrainedRun(KeptRun):
    """A trained model with its validation figures."""

    resumed_after: int = 0
    """Updates of earlier attempts, from whose checkpoint it continued."""

    @property
    def before(self) -> Mapping[str, float]:
        """Validation figures before the first update."""
        history: list[Mapping[str, float]] = self.counts["history"]
        return history[0]

    @property
    def after(self) -> Mapping[str, float]:
        """Validation figures of the weights that are kept."""
        history: list[Mapping[str, float]] = self.counts["history"]
        kept: int = self.counts["kept"]
        return history[kept]


@dataclass(frozen=True)
class EncoderRun(TrainedRun):
    """A trained encoder: run.json, weights, tensorboard/. Its id or folder names the encoder."""

    command: ClassVar[str] = "train"
    noun: ClassVar[str] = "encoders"

    @property
    def seed(self) -> int:
        """Random seed."""
        return self.record.seed or 0
