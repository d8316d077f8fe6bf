"""Ctrl-C or a time limit ends a query: the engine is told to stop, and the store stays usable."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TypeVar

from citescape.core.errors import QueryTimeoutError, StoreError

T = TypeVar("T")
_PATIENCE = 0.1
"""Seconds between two looks for Ctrl-C, and between two calls to stop: before its query has begun,
an engine hears none."""


def interruptible(work: Callable[[], T], stop: Callable[[], None], *, limit: float = 0.0) -> T:
    """The result of work that `stop` ends: at Ctrl-C, or after `limit` seconds (0: never).

    Args:
        work: runs in a thread of its own, since one that waits inside an engine or for a server
            does not receive signals.
        stop: ends the work from another thread.
        limit: seconds; 0 means none.

    Raises:
        QueryTimeoutError: the limit was reached and the work failed as it was stopped. An answer
            that was there just before is returned.
    """
    ends = time.monotonic() + limit if limit else float("inf")
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while not wait([future], timeout=_PATIENCE).done and time.monotonic() < ends:
                pass  # whichever thread took the signal, only this one raises, once it wakes
            if future.done():
                return future.result()
            _stop(future, stop)
            try:
                return future.result()
            except StoreError as error:
                raise QueryTimeoutError(limit) from error
        except KeyboardInterrupt:
            _stop(future, stop)
            raise


def _stop(future: Future[T], stop: Callable[[], None]) -> None:
    while not future.done():
        with suppress(StoreError):  # of a server that does not answer; the work then fails too
            stop()
        wait([future], timeout=_PATIENCE)
