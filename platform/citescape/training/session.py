"""What surrounds a training, whatever is trained: where it runs, who is told, what stops it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator

from citescape.core.errors import TrainingError
from citescape.core.progress import Progress, silent
from citescape.training.checkpoint import STATE, State, drop_state
from citescape.training.interrupts import Interrupt, heed_signals
from citescape.training.kept import LOGS
from citescape.training.logs import Log, open_log

_COPIES = 10.0
"""Seconds within which launchers pass on to each process a signal that it has had already."""


@dataclass(frozen=True)
class Session:
    """What surrounds a training: where it runs, where its state goes, who is told."""

    run: str
    accelerator: Accelerator
    folder: Path
    """Of checkpoints."""
    checkpoint_seconds: float = 300.0
    precision: torch.dtype = torch.float32
    progress: Progress = silent
    log: Log = lambda _updates, _figures: None
    interrupt: Interrupt = field(default_factory=Interrupt)
    """Of the signals that are to be heeded between updates."""


@contextmanager
def open_session(session: Session, state: State) -> Iterator[Session]:
    """With a log, and with signals to stop heeded; one that fails first of all leaves nothing."""
    main, shared = session.accelerator.is_main_process, session.accelerator.num_processes > 1
    try:
        with (
            open_log(session.folder / LOGS, after=state.updates, writes=main) as log,
            heed_signals(session.progress, apart=_COPIES if shared else 0) as interrupt,
        ):
            yield replace(session, log=log, interrupt=interrupt)
    except TrainingError:  # the log is closed: it writes from a thread of its own
        if not (session.folder / STATE).exists():
            forget(session)
        raise


def forget(session: Session) -> None:
    """Removes the checkpoints: the result is kept elsewhere now."""
    if session.accelerator.is_main_process:
        drop_state(session.folder)


def hash_update(seed: int, update: int, rank: int) -> int:
    """What dropout draws from in one update."""
    return int(np.random.SeedSequence([seed, update, rank]).generate_state(1, np.uint64)[0] >> 1)


def autocast(device: torch.device, dtype: torch.dtype) -> AbstractContextManager[Any]:
    """Matrix products in bfloat16 where asked for; weights stay float32."""
    if dtype == torch.float32:
        return nullcontext()
    return torch.autocast(device.type, dtype=dtype)


def diverged(found: str) -> TrainingError:
    """The error for a loss or gradient that is no number."""
    return TrainingError(
        f"{found}; expected numbers: use a smaller --learning-rate, or --precision float32"
    )
