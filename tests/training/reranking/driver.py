"""Trains rerankers that kill themselves: `python -m tests.training.reranking.driver MODEL FOLDER`.

Each training is a fork, so that libraries are loaded once; with a checkpoint after every update.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import transformers.models.bert.modeling_bert  # noqa: F401  # before the forks
from torch.utils.tensorboard import SummaryWriter  # noqa: F401
from transformers import AutoModel, AutoTokenizer  # noqa: F401

from citescape.training.reranking.train import train_reranker
from tests.training.reranking.conftest import configure, plant

SETTINGS = {"epochs": 3, "batch": 16, "dropout": 0.3, "accumulation": 3, "patience": 2, "seed": 4}
KILLED = (2, 9)
"""Updates of 9, in the wake of which a training dies."""


def run(model: Path, runs: Path, *, last: int) -> None:
    """A training in a process of its own; killed after an update, 0: never."""
    child = os.fork()
    if not child:
        status = 1
        try:
            train(model, runs, last)
            status = 0
        finally:
            os._exit(status)
    ended = os.waitpid(child, 0)[1]
    assert os.WTERMSIG(ended) == signal.SIGKILL if last else ended == 0


def train(model: Path, runs: Path, last: int) -> None:
    """Prints where it resumes."""

    def progress(text: str) -> None:
        if text.startswith("resumed after"):
            print(text, flush=True)
        if last and text.startswith(f"update {last} of"):
            os.kill(os.getpid(), signal.SIGKILL)

    lists = plant(40, seed=1, missed=5), plant(20, seed=2)
    config = configure(model, **SETTINGS)
    train_reranker(*lists, config, runs=runs, checkpoint_seconds=0.0, progress=progress)


if __name__ == "__main__":
    base, folder = Path(sys.argv[1]), Path(sys.argv[2])
    run(base, folder / "quiet", last=0)
    for update in (*KILLED, 0):
        run(base, folder / "killed", last=update)
