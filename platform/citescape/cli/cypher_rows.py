"""The rows of a query as a table, CSV, JSON or an Arrow stream."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from numbers import Number
from typing import TYPE_CHECKING, Any, TextIO

import click

from citescape.cli.fitted_table import print_fitted
from citescape.cli.output import as_json
from citescape.cli.streams import is_unread
from citescape.core.errors import list_some
from citescape.core.terminal import echo, utf8_output, write_as_is
from citescape.runs.result import plural

if TYPE_CHECKING:
    import pyarrow as pa

_SHOWN = 1_000
"""Rows of a table: more are for programs, and the width of a column needs a look at all of them."""
_LISTED = 50
"""Items of a list in a table."""
_BATCH_ROWS = 10_000
_INTERNAL = ("_ID", "_SRC", "_DST")


def show_rows(rows: pa.Table, form: str, *, raw: bool = False) -> None:
    """Writes rows to standard output.

    Args:
        rows: result of a query.
        form: format of the output, one of `FORMS`.
        raw: keeps text in CSV that a spreadsheet would run as a formula.
    """
    write = partial(_write_csv, raw=True) if raw else FORMS[form]
    write(rows)


def _write_json(rows: pa.Table) -> None:
    """One line: a list of objects."""
    write_as_is("[")
    for count, row in enumerate(_dicts(rows)):
        write_as_is((", " if count else "") + as_json(row))
    write_as_is("]\n")


def _write_csv(rows: pa.Table, *, raw: bool = False) -> None:
    """CSV in UTF-8, as exports are; text that a spreadsheet would run as a formula is disarmed.

    Numbers stay numbers, whatever their sign. Lists, maps, true and false are JSON, since CSV has
    no form of its own for them.
    """
    import csv

    from citescape.core.spreadsheets import disarm_text

    def cell(value: object) -> object:
        if isinstance(value, list | dict | bool):
            return as_json(value)
        if raw or value is None or isinstance(value, Number):
            return value
        return disarm_text(str(value))

    writer = csv.writer(_UnixLines(utf8_output()))
    writer.writerow(map(cell, rows.column_names))
    for row in _dicts(rows):
        writer.writerow(map(cell, row.values()))


@dataclass(frozen=True)
class _UnixLines:
    """Replaces CR LF by LF; a `csv.writer` with LF would not quote CR, a line end for readers."""

    sink: TextIO

    def write(self, row: str) -> None:
        """Writes a row that ends in CR LF."""
        self.sink.write(row.removesuffix("\r\n") + "\n")


def _dicts(rows: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows one by one; Python's objects of a whole result would take gigabytes.

    Stops when standard output has lost its reader.
    """
    for batch in rows.to_batches(max_chunksize=_BATCH_ROWS):
        if is_unread():
            return
        for row in batch.to_pylist():
            yield {name: _plain(value) for name, value in row.items()}


def _write_arrow(rows: pa.Table) -> None:
    import pyarrow as pa

    if sys.stdout.isatty():
        raise click.UsageError("--output arrow is binary; send it to a file: > rows.arrow")
    with pa.ipc.new_stream(sys.stdout.buffer, rows.schema) as stream:
        stream.write_table(rows)


def _print_table(rows: pa.Table) -> None:
    if not rows.num_columns:
        echo("done")
        return
    shown = [[_text(value) for value in row.values()] for row in _dicts(rows.slice(0, _SHOWN))]
    numeric = [str(field.type) in ("int64", "double") for field in rows.schema]
    print_fitted(rows.column_names, shown, numeric)
    echo(plural(rows.num_rows, "row"))
    if rows.num_rows > _SHOWN and not is_unread():
        echo(
            f"the first {_SHOWN:,} of {rows.num_rows:,} rows are shown; "
            "for all rows add --output csv, json or arrow",
            err=True,
        )


def _plain(value: Any) -> Any:
    """Without the engine's internal ids, and without properties that a node does not have."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    own = {name: _plain(item) for name, item in value.items() if name not in _INTERNAL}
    if "_LABEL" in value:
        return {name: item for name, item in own.items() if item is not None}
    return own


def _text(value: object) -> str:
    """A cell of the table: short enough to be read."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return list_some([_text(item) for item in value], _LISTED)
    if isinstance(value, dict) and "_LABEL" in value:
        named = value.get("id") or ""
        return f"({value['_LABEL']} {named})" if named else f"[{value['_LABEL']}]"
    return as_json(value) if isinstance(value, dict | bool) else str(value)


FORMS = {"table": _print_table, "csv": _write_csv, "json": _write_json, "arrow": _write_arrow}
"""Name of a format -> function that writes rows in it."""
