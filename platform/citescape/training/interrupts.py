"""Signals to stop, heeded between updates, so that none of them is lost."""

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
"""Ctrl-C; and what schedulers of clusters and `kill` send."""
_LOOK = 0.2
"""Seconds between two looks for a signal, to tell of it."""
STOPPING = "stopping after the update under way; once more stops at once, as of the last checkpoint"


@dataclass
class Interrupt:
    """Whether a signal to stop has come."""

    number: int = 0
    """Of the signal; 0: none has come."""
    at: float = 0.0
    """When, in monotonic seconds."""

    @property
    def came(self) -> bool:
        """Whether one has."""
        return self.number > 0


@contextmanager
def heed_signals(progress: Progress = silent, *, apart: float = 0.0) -> Iterator[Interrupt]:
    """Remembers signals to stop in place of stopping at once; one that nobody heeded comes again.

    Outside the main thread, where Python does not let signals be handled, none is remembered; nor
    are those which the program was started to ignore, or which are handled outside Python.

    Args:
        progress: told of a signal while work goes on, by another thread: a handler may not print.
        apart: seconds from which a second signal stops at once. More than 0 where several processes
            train together: their launcher passes on what the terminal has sent them already.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    heeded = [n for n, handler in before.items() if handler not in (None, signal.SIG_IGN)]

    def restore() -> None:
        for number in heeded:
            signal.signal(number, before[number])

    def remember(number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if interrupt.came and now - interrupt.at >= apart:
            restore()
            signal.raise_signal(number)
        elif not interrupt.came:
            interrupt.number, interrupt.at = number, now

    for number in heeded:
        signal.signal(number, remember)
    try:
        with _telling(interrupt, progress):
            yield interrupt
    finally:
        restore()
    if interrupt.came:
        signal.raise_signal(interrupt.number)


@contextmanager
def _telling(interrupt: Interrupt, progress: Progress) -> Iterator[None]:
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(_LOOK):
            if interrupt.came:
                progress(STOPPING)
                return

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
