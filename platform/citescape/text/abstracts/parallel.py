"""Waits for several answers at once, in threads that nothing waits for once it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

Input = TypeVar("Input")
Output = TypeVar("Output")


def in_parallel(
    work: Callable[[Input], Output], inputs: Sequence[Input], *, threads: int
) -> list[Output]:
    """What `work` returns for each input, in their order.

    The first exception ends it, and so does Ctrl-C: what is under way is left alone (the threads
    are daemons; those of `ThreadPoolExecutor` would hold the program up until a server answers).
    """
    stopped = Event()
    todo: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, Output | BaseException, bool]] = SimpleQueue()
    for k in range(len(inputs)):
        todo.put(k)

    def run() -> None:
        while not stopped.is_set():
            try:
                k = todo.get_nowait()
            except Empty:
                return
            try:
                done.put((k, work(inputs[k]), True))
            except BaseException as error:
                done.put((k, error, False))

    found: dict[int, Output] = {}
    try:
        _start(run, min(threads, len(inputs)))
        for _ in inputs:
            k, value, well = done.get()
            if isinstance(value, BaseException) and not well:
                raise value
            found[k] = value  # type: ignore[assignment]
    finally:
        stopped.set()
    return [found[k] for k in range(len(inputs))]


def _start(run: Callable[[], None], threads: int) -> None:
    for _ in range(threads):
        Thread(target=run, daemon=True).start()
