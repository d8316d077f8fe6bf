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
_LOOK = 0.2
"""Seconds between two checks for a signal to report."""
STOPPING = "stopping after the update under way; once more stops at once, as of the last checkpoint"


@dataclass
class Interrupt:
    """Whether a signal to stop has come."""

    number: int = 0
    """Number of the signal; 0: none has come."""
    at: float = 0.0
    """Time of the signal, in monotonic seconds."""

    @property
    def came(self) -> bool:
        """Whether a signal has come."""
        return self.number > 0


@contextmanager
def heed_signals(progress: Progress = silent, *, apart: float = 0.0) -> Iterator[Interrupt]:
    """Records a signal to stop; at the end it is raised again. A second signal stops at once.

    No signals are recorded outside the main thread, where Python cannot handle them, nor signals
    that the program was started to ignore or that are handled outside Python.

    Args:
        progress: reports a signal at once, from another thread: a handler may not print.
        apart: seconds within which further signals are ignored. More than 0 where several processes
            train together: their launcher forwards the signal that the terminal has sent them.
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

    ended = threading.Event()

    def report() -> None:
        while not ended.wait(_LOOK):
            if interrupt.came:
                progress(STOPPING)
                return

    for number in heeded:
        signal.signal(number, remember)
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
    if interrupt.came:
        signal.raise_signal(interrupt.number)
