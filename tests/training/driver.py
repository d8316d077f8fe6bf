"""Programs run by `tests.forks`: trainings that are killed, and several processes."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citescape.sampling.triplets import read_triplets
from citescape.store.graph_store import open_store
from citescape.training import loop
from citescape.training.config import TrainConfig
from citescape.training.train import train


def run_training(
    store: str, triplets: str, config: dict[str, Any], runs: str, killed_after: int = 0
) -> None:
    """Run a training with a checkpoint after every update, and print its messages.

    It is killed at a random moment after the given number of updates; 0: never.
    """
    chance = random.Random(killed_after)

    def report(text: str) -> None:
        print(text, flush=True)
        if killed_after and text.startswith(f"update {killed_after} of"):
            wait = chance.uniform(0, 0.01)
            threading.Timer(wait, os.kill, (os.getpid(), signal.SIGKILL)).start()

    opened = open_store(store)
    train(
        opened,
        read_triplets(Path(triplets)),
        TrainConfig(**config),
        runs=Path(runs),
        checkpoint_seconds=0.0,
        progress=report,
    )
    opened.close()


def launch(words: Sequence[str], stopped_after: int = 0) -> None:
    """Run a command in two processes, like `torchrun --standalone --nproc-per-node 2`.

    The second process receives SIGTERM after the given number of updates; 0: never.
    """
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=2,
        run_id="test",
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        max_restarts=0,
        monitor_interval=0.1,
        start_method="fork",
    )
    elastic_launch(config, execute)(list(words), stopped_after)


def execute(words: list[str], stopped_after: int) -> None:
    """Run the command in one of the processes."""
    from citescape.cli.main import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    step = loop._step

    def stop(work: Any, *arguments: Any) -> None:
        step(work, *arguments)
        if work.state.updates == stopped_after and os.environ["RANK"] == "1":
            os.kill(os.getpid(), signal.SIGTERM)

    if stopped_after:
        loop._step = stop
    main(words)
