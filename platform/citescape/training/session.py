"""The session of a training: device, checkpoints, progress, TensorBoard logs, signals to stop."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator

from citescape.core.errors import TrainingError
from citescape.core.progress import Progress, silent
from citescape.encoders.device import use_attention_of_any_length
from citescape.training.checkpoint import STATE, State
from citescape.training.interrupts import Interrupt, catch_signals
from citescape.training.kept import LOGS

_FORWARDING_SECONDS = 10.0
"""Time in which launchers forward a signal to processes that have received it already."""
Log = Callable[[int, dict[str, float]], None]
"""Takes the number of updates done and figures by name."""


@dataclass(frozen=True)
class Session:
    """Device, folder of checkpoints, progress and logs of a training."""

    run: str
    accelerator: Accelerator
    folder: Path
    """Folder of the checkpoints."""
    checkpoint_seconds: float = 300.0
    precision: torch.dtype = torch.float32
    progress: Progress = silent
    log: Log = lambda _updates, _figures: None
    interrupt: Interrupt = field(default_factory=Interrupt)
    """The signal to stop, which is checked between updates."""

    def __post_init__(self) -> None:
        use_attention_of_any_length(self.accelerator.device)


@contextmanager
def open_session(session: Session, state: State) -> Iterator[Session]:
    """Opens the log and catches signals; removes the folder if a first training fails."""
    main = session.accelerator.is_main_process
    ignored = _FORWARDING_SECONDS if session.accelerator.num_processes > 1 else 0
    try:
        with (
            open_log(session.folder / LOGS, after=state.updates, writes=main) as log,
            catch_signals(session.progress, ignored_seconds=ignored) as interrupt,
        ):
            yield replace(session, log=log, interrupt=interrupt)
    except TrainingError:  # after the log is closed, which writes from its own thread
        if main and not (session.folder / STATE).exists():
            shutil.rmtree(session.folder, ignore_errors=True)
        raise


@contextmanager
def open_log(folder: Path, *, after: int, writes: bool = True) -> Iterator[Log]:
    """A log that TensorBoard reads.

    Args:
        folder: folder of the log.
        after: last update of an earlier attempt; later figures are dropped. 0: a new log.
        writes: whether this process writes the log.
    """
    if not writes:
        yield lambda _updates, _figures: None
        return
    from torch.utils.tensorboard import SummaryWriter

    if not after:
        shutil.rmtree(folder, ignore_errors=True)
    # TensorBoard reads files in the order of their names: second of the start, host, process
    started = [int(file.name.split(".")[3]) for file in folder.glob("events.out.tfevents.*")]
    pause = max(started, default=0) + 1 - time.time()
    if 0 < pause <= 1:  # more means that the clock was set back, or another machine's was ahead
        time.sleep(pause)
    # flushed often: a killed training loses the last seconds only
    writer = SummaryWriter(str(folder), purge_step=after + 1 if after else None, flush_secs=10)

    def log(updates: int, figures: dict[str, float]) -> None:
        for name, value in figures.items():
            writer.add_scalar(name, value, updates)

    try:
        yield log
    finally:
        writer.close()


def hash_update(seed: int, update: int, rank: int) -> int:
    """The random seed of dropout in one update and process.

    Args:
        seed: random seed of the training.
        update: updates done.
        rank: number of the process, from 0.
    """
    return int(np.random.SeedSequence([seed, update, rank]).generate_state(1, np.uint64)[0] >> 1)


def autocast(device: torch.device, dtype: torch.dtype) -> AbstractContextManager[Any]:
    """Matrix products in `dtype`; weights stay float32."""
    if dtype == torch.float32:
        return nullcontext()
    return torch.autocast(device.type, dtype=dtype)


def diverged(description: str) -> TrainingError:
    """The error for a loss or gradient that is not a number."""
    return TrainingError(
        f"{description}; expected numbers: use a smaller --learning-rate, or --precision float32"
    )
