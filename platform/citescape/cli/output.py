"""What commands print: tables, numbers, JSON, progress."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from citescape.cli.terminal import can_write, echo, escape, show_live, write_as_is

if TYPE_CHECKING:
    from citescape.text.confusion import Confusion

PATIENCE = 2.0
"""Seconds of work before progress is shown."""
_INTERVAL = 5.0
"""Seconds between lines of progress where there is no terminal."""
_REFRESH = 1.0
"""Seconds between two looks for something to show, while nothing is told."""


def echo_json(value: object) -> None:
    """One line of JSON on standard output."""
    write_as_is(f"{as_json(value)}\n")


def as_json(value: object) -> str:
    """JSON as its standard has it, which knows neither infinity nor NaN: null stands for them.

    In UTF-8 as characters; JSON's own escapes stand for those beyond ASCII where standard output
    has another encoding, or a file name bytes that are not UTF-8.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        value = _finite(value)
        text = json.dumps(value, ensure_ascii=False, default=str)
    return text if can_write(text) else json.dumps(value, default=str)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def number(value: float) -> str:
    """A count with thousands separated."""
    return f"{value:,}"


def plural(count: int, one: str, many: str = "") -> str:
    """`1 row`, `2 rows`, `1,000 rows`."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def echo_table(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, widths: Sequence[int] = ()
) -> None:
    """A plain table: text left, numbers right, two spaces between columns.

    `widths` are least widths of the first columns, for tables that stand below each other.
    """
    values = [list(row) for row in rows]
    header = [escape(name) for name in header]
    cells = [[_cell(value) for value in row] for row in values]
    numeric = [
        bool(values)
        and all(isinstance(row[k], int | float | None) or row[k] == "" for row in values)
        for k in range(len(header))
    ]
    room = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    room = [max(pair) for pair in zip(room, [*widths, *[0] * len(room)], strict=False)]
    for line in (header, *cells):
        parts = (
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, room, numeric, strict=True)
        )
        echo("  ".join(parts).rstrip())


def minute(moment: str) -> str:
    """`2026-11-21T06:31:35.123456+00:00` as `2026-11-21 06:31`."""
    return moment[:16].replace("T", " ")


def print_confusion(table: Confusion) -> None:
    """Counts and the F1 of each label that occurs."""
    rows = [
        (label, *table.counts[k].tolist(), table.f1.get(label))
        for k, label in enumerate(table.labels)
        if table.counts[k].any()
    ]
    echo_table(("", *table.labels, "F1"), rows)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value)
    return escape(str(value))


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
