"""What commands print: tables, numbers, JSON, progress."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

PATIENCE = 2.0
"""Seconds of work before progress is shown."""


def echo_json(value: object) -> None:
    """One line of JSON on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def number(value: float) -> str:
    """A count with thousands separated."""
    return f"{value:,}"


def echo_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table: text left, numbers right, two spaces between columns."""
    cells = [[_cell(value) for value in row] for row in rows]
    numeric = [
        bool(cells) and all(isinstance(v, int | float | None) for v in column)
        for column in zip(*rows_as_list(rows, cells), strict=True)
    ]
    widths = [max(len(text) for text in column) for column in zip(header, *cells, strict=True)]
    for line in (header, *cells):
        parts = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric or [False] * len(line), strict=True)
        ]
        click.echo("  ".join(parts).rstrip())


def rows_as_list(rows: Iterable[Sequence[object]], fallback: list[list[str]]) -> list[list[object]]:
    """The rows again, for looking at their types."""
    return [list(row) for row in rows] if isinstance(rows, Sequence) else [list(r) for r in fallback]


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value)
    return str(value)


class Ticker:
    """Tells how long work is going: a live line on a terminal, plain lines elsewhere.

    Nothing is shown for work of under two seconds.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._live = sys.stderr.isatty()
        self._last = ""

    def tell(self, text: str) -> None:
        """Shows where the work is."""
        seconds = time.monotonic() - self._started
        if seconds < PATIENCE or text == self._last:
            return
        self._last = text
        line = f"{seconds:6.0f} s  {text}"
        if self._live:
            click.echo(f"\r\x1b[2K{line}", err=True, nl=False)
        else:
            click.echo(line, err=True)

    def clear(self) -> None:
        """Takes the live line away."""
        if self._live and self._last:
            click.echo("\r\x1b[2K", err=True, nl=False)


@contextmanager
def ticking() -> Iterator[Ticker]:
    """A `Ticker` for the length of some work."""
    ticker = Ticker()
    try:
        yield ticker
    finally:
        ticker.clear()
