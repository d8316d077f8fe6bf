"""Runs command lines, and kills them."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.forks import Forks
from tests.kills.corpus import STORE


@dataclass(frozen=True)
class Done:
    """Result of a process."""

    status: int
    """Exit status; negative: the signal that ended the process."""
    events: tuple[float, ...]
    """Seconds from its start to each of its writes."""
    seconds: float
    output: str


PREPARE = """
from pathlib import Path
from tests.kills.corpus import prepare_corpus
from tests.kills.driver import set_batches
set_batches()
prepare_corpus(Path({!r}), {})
"""
EXECUTE = "from tests.kills.driver import execute; execute()"


class Driver:
    """The process that forks for each command line, from `with` to the end of its block."""

    def __init__(self, root: Path, papers: int = 50) -> None:
        """Prepares a corpus in a folder that does not exist."""
        self.root, self.base = root, root / "base"
        root.mkdir()
        self._forks = Forks(
            os.environ
            | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
            | {"CITESCAPE_ENCODER": str(root / "encoder"), "CITESCAPE_RUNS": "runs"}
            | {"CITESCAPE_STORE": STORE}
        )
        self._forks.warm(PREPARE.format(str(root), papers))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._forks.close()

    def run(
        self,
        folder: Path,
        arguments: Sequence[str],
        *,
        store: str,
        kill: tuple[int, float] | None = None,
    ) -> Done:
        """Runs a command line in a folder; kills it some time after a given write, if any."""
        started, times = time.monotonic(), list[float]()
        with self._forks.start(EXECUTE, *arguments, folder=folder, CITESCAPE_STORE=store) as fork:
            while _read(fork.stdout.fileno(), times, started, kill):
                pass
            if kill and len(times) > kill[0]:
                os.killpg(fork.pid, signal.SIGKILL)  # fails if the process has already ended
            seconds = time.monotonic() - started
            return Done(fork.wait(), tuple(times), seconds, fork.read_errors()[-2000:])


def _read(events: int, times: list[float], started: float, kill: tuple[int, float] | None) -> bool:
    """Waits for an event; false if the process has ended or time is up."""
    left = None
    if kill and len(times) > kill[0]:
        left = max(0.0, times[kill[0]] + kill[1] - (time.monotonic() - started))
    if not select.select([events], [], [], left)[0]:
        return False
    result = os.read(events, 4096)
    times.extend([time.monotonic() - started] * len(result))
    return bool(result)
