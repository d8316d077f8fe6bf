"""Trains in processes of its own, some of which are killed: `python driver.py JOBS`, JOBS as JSON.

Libraries are loaded once and each training is a fork, or a dozen of them would take minutes.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import IO, Any

# before the forks: what trainings load as they go
import transformers.models.bert.modeling_bert
import transformers.models.bert.tokenization_bert  # noqa: F401
from transformers import AutoModel, AutoTokenizer  # noqa: F401

from citescape.sampling.triplets import read_triplets
from citescape.store.graph_store import open_store
from citescape.training.config import TrainConfig
from citescape.training.train import train


def run(job: dict[str, Any], runs: str, messages: IO[str]) -> None:
    """One training in this process, with a checkpoint after every update."""
    store = open_store(job["store"], read_only=False)
    train(
        store,
        read_triplets(Path(job["triplets"])),
        TrainConfig(**job["config"]),
        runs=Path(runs),
        checkpoint_seconds=0.0,
        progress=lambda text: print(text, file=messages, flush=True),
    )
    store.close()


def fork(job: dict[str, Any], runs: str) -> tuple[int, IO[str]]:
    """The process of a training, and what it tells."""
    receive, send = os.pipe()
    child = os.fork()
    if child:
        os.close(send)
        return child, os.fdopen(receive)
    os.close(receive)
    status = 1
    try:
        with os.fdopen(send, "w") as messages:
            run(job, runs, messages)
        status = 0
    finally:
        os._exit(status)


def finish(job: dict[str, Any], runs: str) -> None:
    """A training that nobody disturbs."""
    child, messages = fork(job, runs)
    with messages:
        messages.read()
    assert os.waitpid(child, 0)[1] == 0


def kill(job: dict[str, Any], runs: str, *, after: int, chance: random.Random) -> list[str]:
    """A training killed at a random moment after some lines; its messages."""
    child, messages = fork(job, runs)
    lines = []
    with messages:
        for line in messages:
            lines.append(line.strip())
            if line.startswith(f"update {after} of"):
                time.sleep(chance.uniform(0, 0.01))
                os.kill(child, signal.SIGKILL)
                break
    os.waitpid(child, 0)
    return lines


def main() -> None:
    """Prints what the killed trainings of each job had printed, as JSON."""
    chance, messages = random.Random(11), []
    for job in json.loads(sys.argv[1]):
        finish(job, job["quiet"])
        messages.append([kill(job, job["killed"], after=n, chance=chance) for n in job["after"]])
        finish(job, job["killed"])
    print(json.dumps(messages))


if __name__ == "__main__":
    main()
