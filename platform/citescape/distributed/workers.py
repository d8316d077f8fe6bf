"""Worker processes that work ahead of the consumer of their results, in bounded memory."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Thread, current_thread, main_thread
from types import ModuleType
from typing import Generic, TypeVar

from citescape.core.errors import CitescapeError

Task = TypeVar("Task")
Result = TypeVar("Result")

_MOST_WAITING = 32
_MOST_WAITING_BYTES = 256_000_000
_WAIT_SECONDS = 0.1  # until Ctrl-C is handled


class WorkerPool(Generic[Task, Result]):
    """Applies a function to tasks in worker processes; results come in the order of tasks.

    Processes start with the first task behind `here` bytes. With one worker there are none. Other
    tasks run in this process, when their result is taken.
    """

    def __init__(self, function: Callable[[Task], Result], workers: int, *, here: int = 0) -> None:
        """Of a function that other processes can import.

        Args:
            function: from a task to its result.
            workers: number of processes.
            here: bytes of the first tasks, which run in this process.
        """
        self._function = function
        self._workers = workers
        self._here = here
        self._executor: ProcessPoolExecutor | None = None
        self._waiting: deque[tuple[int, Callable[[], Result]]] = deque()
        self._bytes = 0

    def __enter__(self) -> WorkerPool[Task, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def __len__(self) -> int:
        """Number of results to take."""
        return len(self._waiting)

    @property
    def is_full(self) -> bool:
        """Whether a result should be taken before the next task is submitted."""
        most = max(_MOST_WAITING, 2 * self._workers) if self._workers > 1 else 1
        return len(self._waiting) >= most or self._bytes > _MOST_WAITING_BYTES

    def submit(self, task: Task, *, size: int) -> None:
        """Starts a task of `size` bytes; an empty one runs in this process."""
        self._here -= size
        in_place = self._workers <= 1 or size == 0 or self._here >= 0
        result = partial(self._function, task) if in_place else self._start(task)
        self._waiting.append((size, result))
        self._bytes += size

    def take(self) -> Result:
        """Waits for the result of the oldest task.

        Raises:
            CitescapeError: a worker process died.
        """
        size, result = self._waiting.popleft()
        self._bytes -= size
        return result()

    def _start(self, task: Task) -> Callable[[], Result]:
        try:
            with _deferred_interrupts():
                if self._executor is None:
                    self._executor = ProcessPoolExecutor(
                        self._workers, get_context("spawn"), initializer=_start_worker
                    )
                with _isolated_start():
                    return partial(_wait, self._executor.submit(self._function, task))
        except BrokenProcessPool:
            raise _worker_died() from None


@contextmanager
def _isolated_start() -> Iterator[None]:
    """Processes started inside neither run the caller's script again nor receive Ctrl-C.

    A spawned process first runs the main module's file, if it has one; without the usual guard
    (`if __name__ == "__main__"`) that would start the work again. Signals blocked here stay
    blocked in the new process: only this process handles Ctrl-C, once the new one is started.
    """
    main = sys.modules["__main__"]
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _deferred_interrupts() -> Iterator[None]:
    """Defers Ctrl-C and SIGTERM to the end, also if a thread of an engine takes the signal."""
    if current_thread() is not main_thread():  # it receives no signals
        yield
        return
    received: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _: received.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not None  # None: of a program that embeds Python
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if received:
            signal.raise_signal(received[0])


def _start_worker() -> None:
    # records have no cycles; garbage collection would cost a tenth of the time
    gc.set_threshold(200_000, 50, 50)

    def end_with_parent() -> None:  # a worker whose parent was killed would wait for tasks forever
        parent = parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()


def _wait(future: Future[Result]) -> Result:
    while True:
        # KeyboardInterrupt while a condition has released its lock would become a RuntimeError
        with _deferred_interrupts():
            if wait([future], timeout=_WAIT_SECONDS).done:
                try:
                    return future.result()
                except BrokenProcessPool:
                    raise _worker_died() from None


def _worker_died() -> CitescapeError:
    return CitescapeError(
        "a worker process died, most likely because memory ran out; loaded papers are kept: "
        "rerun with fewer --workers"
    )
