"""Logs of a training that TensorBoard reads."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Log = Callable[[int, dict[str, float]], None]


@contextmanager
def open_log(folder: Path, *, after: int, writes: bool = True) -> Iterator[Log]:
    """A function to call with the number of updates done and figures by name.

    Args:
        folder: where event files go.
        after: updates done already: what was logged of them stays, that of later ones is void.
        writes: false in all processes but one.
    """
    if not writes:
        yield lambda _updates, _figures: None
        return
    from torch.utils.tensorboard import SummaryWriter

    if not after:
        shutil.rmtree(folder, ignore_errors=True)
    # what a killed training had logged is on disk but for the last seconds
    writer = SummaryWriter(str(folder), purge_step=after + 1 if after else None, flush_secs=10)

    def log(updates: int, figures: dict[str, float]) -> None:
        for name, value in figures.items():
            writer.add_scalar(name, value, updates)

    try:
        yield log
    finally:
        writer.close()
