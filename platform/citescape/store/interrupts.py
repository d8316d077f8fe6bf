"""Ctrl-C or a time limit stops a query in the engine; the store stays usable."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TypeVar

from citescape.core.errors import QueryTimeoutError, StoreError

T = TypeVar("T")
_PATIENCE = 0.1
"""Seconds between two checks for Ctrl-C, and between two calls to stop: an engine ignores calls
before its query has begun."""


def interruptible(work: Callable[[], T], stop: Callable[[], None], *, limit: float = 0.0) -> T:
    """The result of work that `stop` ends: at Ctrl-C, or after `limit` seconds (0: never).

    Args:
        work: function that runs in a separate thread, since a thread that waits for an engine or a
            server does not receive signals.
        stop: function that ends the work from another thread.
        limit: time limit in seconds; 0 for no limit.

    Raises:
        QueryTimeoutError: the limit was reached, and the work failed when it was stopped. An answer
            that arrived just before is returned.
    """
    ends = time.monotonic() + limit if limit else float("inf")
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while not wait([future], timeout=_PATIENCE).done and time.monotonic() < ends:
                pass  # any thread may receive the signal; only this one raises, when it wakes
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
        with suppress(StoreError):  # the server does not answer: the work fails too
            stop()
        wait([future], timeout=_PATIENCE)
