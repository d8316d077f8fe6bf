"""Progress of long work: a line that changes on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from citescape.core.terminal import echo, show_live

Progress = Callable[[str], None]
"""Takes one line that says what is being done now."""
PATIENCE = 2.0
"""Seconds of work before progress is shown."""
_INTERVAL = 5.0
"""Seconds between lines of progress where there is no terminal."""
_REFRESH = 1.0
"""Seconds between two looks for something to show, while nothing is told."""


def silent(_: str) -> None:
    """Tells nobody."""


def prefix(progress: Progress, name: str) -> Progress:
    """Tells of the part of a work that is done for one of several things."""
    return lambda text: progress(f"{name}: {text}")


class Ticker:
    """Tells how long work is going: a live line on a terminal, plain lines elsewhere.

    Nothing is shown for work of under two seconds. What was told too early to be shown is shown
    once it is time, even if nothing else is told for long.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._live = sys.stderr.isatty()
        self._last = self._told = ""
        self._next = self._started + PATIENCE
        self._lock = Lock()

    def tell(self, text: str) -> None:
        """Shows where the work is."""
        with self._lock:
            self._told = text
            self._show()

    def tell_again(self) -> None:
        """Shows what was told last, if it was not shown yet; on a terminal how long it lasts."""
        with self._lock:
            if self._told:
                self._show()

    def clear(self) -> None:
        """Takes the live line away."""
        if self._live and self._last:
            show_live()

    def _show(self) -> None:
        now = time.monotonic()
        if now < self._next or (self._told == self._last and not self._live):
            return
        self._last = self._told
        line = f"{now - self._started:6.0f} s  {self._told}"
        if self._live:
            show_live(line)
        else:
            self._next = now + _INTERVAL
            echo(line, err=True)


@contextmanager
def ticking() -> Iterator[Ticker]:
    """A `Ticker` for the length of some work."""
    ticker, ended = Ticker(), Event()
    clock = Thread(target=_tell_again, args=(ticker, ended), daemon=True)
    clock.start()
    try:
        yield ticker
    finally:
        ended.set()
        clock.join()
        ticker.clear()


def _tell_again(ticker: Ticker, ended: Event) -> None:
    pause = PATIENCE
    while not ended.wait(pause):
        ticker.tell_again()
        pause = _REFRESH
