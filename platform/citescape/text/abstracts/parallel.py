"""Waits for several answers at once, in threads that nothing waits for once it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

Input = TypeVar("Input")
Output = TypeVar("Output")


def in_parallel(
    work: Callable[[Input], Output], inputs: Sequence[Input], *, threads: int
) -> Iterator[tuple[int, Output]]:
    """The number of each input and what `work` returns for it, as they are done.

    The first exception ends it, and so does Ctrl-C: what is under way is left alone (the threads
    are daemons; those of `ThreadPoolExecutor` would hold the program up until a server answers).
    """
    stopped = Event()
    todo: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, Callable[[], Output]]] = SimpleQueue()
    for k in range(len(inputs)):
        todo.put(k)

    def run() -> None:
        while not stopped.is_set():
            try:
                k = todo.get_nowait()
            except Empty:
                return
            done.put((k, _outcome(work, inputs[k])))

    try:
        _start(run, min(threads, len(inputs)))
        for _ in inputs:
            k, outcome = done.get()
            yield k, outcome()
    finally:
        stopped.set()


def _outcome(work: Callable[[Input], Output], value: Input) -> Callable[[], Output]:
    """Gives what `work` returned, or raises what it raised, to whoever calls it."""
    try:
        found = work(value)
    except BaseException as error:
        failed = error

        def fail() -> Output:
            raise failed

        return fail
    return lambda: found


def _start(run: Callable[[], None], threads: int) -> None:
    for _ in range(threads):
        Thread(target=run, daemon=True).start()
