"""Ctrl-C during a query: the engine is told to stop, and the store stays usable."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
_PATIENCE = 0.1
"""Seconds between two looks for Ctrl-C, and between two calls to stop: before its query has begun,
an engine hears none."""


def interruptible(work: Callable[[], T], stop: Callable[[], None]) -> T:
    """The result of work that `stop` ends.

    The work runs in a thread of its own: one that waits inside an engine or for a server hears no
    signal, or does but then waits for the answer all the same.
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while not wait([future], timeout=_PATIENCE).done:
                pass  # whichever thread took the signal, only this one raises, once it wakes
            return future.result()
        except KeyboardInterrupt:
            while not future.done():
                stop()
                wait([future], timeout=_PATIENCE)
            raise
