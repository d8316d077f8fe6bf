"""Progress of long work: a line that changes on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

from citescape.core.terminal import echo, show_live

Progress = Callable[[str], None]
"""Function that shows the current stage, one line of text."""
PATIENCE = 2.0
"""Seconds of work before progress is shown."""
_INTERVAL = 5.0
"""Seconds between lines of progress where there is no terminal."""
_REFRESH = 1.0
"""Seconds between updates without a new stage."""


def silent(_: str) -> None:
    """Progress that shows nothing."""


def prefix(progress: Progress, name: str) -> Progress:
    """Progress of one of several parts, with the name of the part in front."""
    return lambda text: progress(f"{name}: {text}")


def describe_remaining(seconds: float, *, done: float, left: float) -> str:
    """The time that the rest of some work takes at the present rate: `, about 12 min left`.

    Args:
        seconds: duration of the work so far.
        done: amount of work so far; nothing is said before there is some.
        left: amount of the rest.
    """
    if not done:
        return ""
    rest = seconds * left / done
    return f", about {rest / 60:.0f} min left" if rest >= 90 else f", about {rest:.0f} s left"


class Ticker:
    """Shows the stage and its duration: a live line on a terminal, plain lines elsewhere.

    Nothing is shown for work of under two seconds. After that the last stage is shown, even without
    a new one.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._live = sys.stderr.isatty()
        self._last = self._text = ""
        self._next = self._started + PATIENCE
        self._lock = Lock()

    def report(self, text: str) -> None:
        """Shows the current stage."""
        with self._lock:
            self._text = text
            self._show()

    def refresh(self) -> None:
        """Shows the last stage if it was not shown yet, and on a terminal its duration."""
        with self._lock:
            if self._text:
                self._show()

    def clear(self) -> None:
        """Clears the live line."""
        if self._live and self._last:
            show_live()

    def _show(self) -> None:
        now = time.monotonic()
        if now < self._next or (self._text == self._last and not self._live):
            return
        self._last = self._text
        line = f"{now - self._started:6.0f} s  {self._text}"
        if self._live:
            show_live(line)
        else:
            self._next = now + _INTERVAL
            echo(line, err=True)


@contextmanager
def ticking() -> Iterator[Ticker]:
    """A `Ticker` that is refreshed during the work inside."""
    ticker, ended = Ticker(), Event()

    def refresh() -> None:
        pause = PATIENCE
        while not ended.wait(pause):
            ticker.refresh()
            pause = _REFRESH

    clock = Thread(target=refresh, daemon=True)
    clock.start()
    try:
        yield ticker
    finally:
        ended.set()
        clock.join()
        ticker.clear()
