"""Training of a reranker that kills itself, run by `tests.forks`."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from citescape.training.reranking.train import train_reranker
from tests.training.reranking.conftest import configure, plant

SETTINGS = {"epochs": 3, "batch": 16, "dropout": 0.3, "accumulation": 3, "patience": 2, "seed": 4}


def run_training(model: str, runs: str, killed_after: int = 0) -> None:
    """Train with a checkpoint after every update, killed after `killed_after` updates; 0: never.

    Prints the update after which it resumes.
    """

    def report(text: str) -> None:
        if text.startswith("resumed after"):
            print(text, flush=True)
        if killed_after and text.startswith(f"update {killed_after} of"):
            os.kill(os.getpid(), signal.SIGKILL)

    lists = plant(40, seed=1, missed=5), plant(20, seed=2)
    config = configure(Path(model), **SETTINGS)
    train_reranker(*lists, config, runs=Path(runs), checkpoint_seconds=0.0, progress=report)
