"""Signals to stop, handled between updates, so that no update is lost."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from citescape.core.progress import Progress, silent

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C; and the signal of cluster schedulers and `kill`."""
_POLL_SECONDS = 0.2
"""Seconds between two checks for a signal to report."""
STOPPING = (
    "stopping after the current update; a second signal stops at once and loses the updates since "
    "the last checkpoint"
)


@dataclass
class Interrupt:
    """The first signal to stop, if any."""

    number: int = 0
    """Number of the signal; 0: none."""
    at: float = 0.0
    """Time of the signal, in monotonic seconds."""

    @property
    def received(self) -> bool:
        """Whether a signal was received."""
        return self.number > 0


@contextmanager
def catch_signals(
    progress: Progress = silent, *, ignored_seconds: float = 0.0
) -> Iterator[Interrupt]:
    """Records a signal to stop, and raises it again at the end. A second signal stops at once.

    Signals are not recorded outside the main thread, where Python cannot handle them, nor if the
    program was started to ignore them or handles them outside Python.

    Args:
        progress: reports a signal at once, from another thread: a handler may not print.
        ignored_seconds: further signals within this time are ignored. More than 0 if several
            processes train together: the terminal sends a signal to all, and their launcher
            forwards it once more.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    caught = [n for n, handler in before.items() if handler not in (None, signal.SIG_IGN)]

    def restore() -> None:
        for number in caught:
            signal.signal(number, before[number])

    def record(number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if interrupt.received and now - interrupt.at >= ignored_seconds:
            restore()
            signal.raise_signal(number)
        elif not interrupt.received:
            interrupt.number, interrupt.at = number, now

    ended = threading.Event()

    def report() -> None:
        while not ended.wait(_POLL_SECONDS):
            if interrupt.received:
                progress(STOPPING)
                return

    for number in caught:
        signal.signal(number, record)
    watcher = threading.Thread(target=report, daemon=True)
    try:
        watcher.start()
        try:
            yield interrupt
        finally:
            ended.set()
            watcher.join()
    finally:
        restore()
    if interrupt.received:
        signal.raise_signal(interrupt.number)
