"""Printing of tables and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence

from citescape.core.terminal import can_write, echo, escape, write_as_is
from citescape.runs.result import format_cell


def echo_json(value: object) -> None:
    """One line of JSON on standard output."""
    write_as_is(f"{as_json(value)}\n")


def as_json(value: object) -> str:
    """Standard JSON: null replaces infinity and NaN, which JSON does not have.

    Characters are UTF-8; characters beyond ASCII are escaped if standard output has another
    encoding, or if a file name has bytes that are not UTF-8.
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


def echo_table(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, widths: Sequence[int] = ()
) -> None:
    """A plain table: text left, numbers right, two spaces between columns.

    `widths` are minimum widths of the first columns, to align tables below each other.
    """
    values = [list(row) for row in rows]
    header = [escape(name) for name in header]
    cells = [[escape(format_cell(value)) for value in row] for row in values]
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
