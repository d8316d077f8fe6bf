"""Number of usable cores, and threads of BLAS."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController

_ALONE = Lock()


def usable_cores() -> int:
    """Cores this process may run on, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def plain_blas() -> Iterator[None]:
    """Matrix products inside run in the calling thread; one such block runs at a time.

    Threads of OpenBLAS wait in a loop for more work, which costs some 20 ms of a core each time.
    """
    with _ALONE, _find_libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def _find_libraries() -> ThreadpoolController:
    return ThreadpoolController()
