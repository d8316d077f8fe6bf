"""Rows of exported tables; unlike those of `csv_tables`, cells may have any length.

The `csv` module limits cells to 131,072 characters, which the references of a review exceed, and
its limit is the same for the whole process.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from citescape.loaders import xml

_MOST_LINES = 200
"""Lines of a row with line breaks in its cells; more show that a quotation mark is missing."""


class BrokenRecord(NamedTuple):
    """A record that cannot be read."""

    reason: str
    message: str


def split_quoted(
    lines: Iterator[str], columns: int, delimiter: str
) -> Iterator[list[str] | BrokenRecord]:
    """The cells of each row of a table with quotation marks as in RFC 4180.

    A row with other cells than the header costs that row: the next one begins at the next line
    that looks like a row.

    Args:
        lines: lines below the header.
        columns: number of columns.
        delimiter: separator of cells.
    """
    waiting: deque[str] = deque()

    def next_line() -> str | None:
        return waiting.popleft() if waiting else next(lines, None)

    while (line := next_line()) is not None:
        if not line.strip():
            continue
        held, size, is_open = [line], len(line), line.count('"') % 2
        while is_open and len(held) < _MOST_LINES and size <= xml.MAX_BYTES:
            more = next_line()
            if more is None:
                break
            held.append(more)
            size += len(more)
            is_open ^= more.count('"') % 2
        cells = fit("".join(held).rstrip("\r\n"), columns, delimiter)
        if cells is not None:
            yield cells
            continue
        yield _explain(line, columns, delimiter)
        rest = islice(held, 1, None)
        for other in rest:
            if other.startswith('"') or other.count(delimiter) >= columns - 1:
                waiting.extendleft(reversed([other, *rest]))
                break


def fit(row: str, columns: int, delimiter: str) -> list[str] | None:
    """The cells of a row; None with another number of them. Empty ones at its end do not count."""
    cells = split_cells(row, delimiter)
    while cells and len(cells) > columns and not cells[-1].strip():
        cells.pop()
    return cells if cells and len(cells) == columns else None


def split_cells(row: str, delimiter: str) -> list[str] | None:
    """The cells of a row; None where quotation marks are out of place."""
    cells, place = [], 0
    pattern = _cell(delimiter)
    while found := pattern.match(row, place):
        quoted, plain, end = found.groups()
        cells.append(plain if quoted is None else quoted.replace('""', '"'))
        place = found.end()
        if not end:
            return cells
    return None


@lru_cache
def _cell(delimiter: str) -> re.Pattern[str]:
    sign = re.escape(delimiter)
    return re.compile(rf'(?:"((?:[^"]|"")*+)"|([^"{sign}]*+))({sign}|\Z)')


def _explain(line: str, columns: int, delimiter: str) -> BrokenRecord:
    cells = split_cells(line.rstrip("\r\n"), delimiter)
    if cells is None:
        message = (
            "quotation marks out of place, or the row is cut off; expected them doubled in cells"
        )
    else:
        message = f"cells in this row: {len(cells)}; the header has {columns}"
    return BrokenRecord("broken-row", f"begins with {line[:40].strip()!r}: {message}")
