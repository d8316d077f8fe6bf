"""Signals to stop, heeded between updates, so that none of them is lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C; and what schedulers of clusters and `kill` send."""


class Interrupt:
    """Whether a signal to stop has come."""

    came = False


@contextmanager
def heed_signals(*, once: bool = True) -> Iterator[Interrupt]:
    """Remembers signals to stop in place of stopping at once.

    Outside the main thread, where Python does not let signals be handled, none is remembered; nor
    are those which the program was started to ignore.

    Args:
        once: the second signal stops at once. False where several processes train together: their
            launcher passes on what the terminal has sent them already.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]

    def remember(number: int, _frame: FrameType | None) -> None:
        interrupt.came = True
        if once:
            signal.signal(number, before[signal.Signals(number)])

    before = {number: signal.signal(number, remember) for number in heeded}
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
