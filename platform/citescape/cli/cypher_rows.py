"""The rows of a query as a table, CSV, JSON or an Arrow stream."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.output import echo_json, plural

if TYPE_CHECKING:
    import pyarrow as pa

_WIDEST = 60
_PIPED = 160
"""Width of a table where there is no terminal."""
_INTERNAL = ("_ID", "_SRC", "_DST")


def show_rows(rows: pa.Table, form: str) -> None:
    """Writes rows to standard output in one of `FORMS`."""
    FORMS[form](rows)


def _write_json(rows: pa.Table) -> None:
    echo_json([_plain(row) for row in rows.to_pylist()])


def _write_csv(rows: pa.Table) -> None:
    """CSV; lists and maps as JSON, since CSV has no form of its own for them."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(rows.column_names)
    for row in rows.to_pylist():
        writer.writerow(
            json.dumps(value, ensure_ascii=False, default=str)
            if isinstance(value, list | dict)
            else value
            for value in map(_plain, row.values())
        )


def _write_arrow(rows: pa.Table) -> None:
    import pyarrow as pa

    if sys.stdout.isatty():
        raise click.UsageError("--output arrow is binary; send it to a file: > rows.arrow")
    with pa.ipc.new_stream(sys.stdout.buffer, rows.schema) as stream:
        stream.write_table(rows)


def _print_table(rows: pa.Table) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows.num_columns:
        click.echo("done")
        return
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in rows.column_names:
        numeric = str(rows.schema.field(name).type) in ("int64", "double")
        table.add_column(name, justify="right" if numeric else "left", max_width=_WIDEST)
    for row in rows.to_pylist():
        table.add_row(*(Text(_text(_plain(value))) for value in row.values()))
    console = Console(width=None if sys.stdout.isatty() else _PIPED, highlight=False)
    with console.capture() as printed:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in printed.get().splitlines()))
    click.echo(plural(rows.num_rows, "row"))


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
        return ", ".join(map(_text, value))
    if isinstance(value, dict) and "_LABEL" in value:
        named = value.get("id") or ""
        return f"({value['_LABEL']} {named})" if named else f"[{value['_LABEL']}]"
    return (
        json.dumps(value, ensure_ascii=False, default=str)
        if isinstance(value, dict)
        else str(value)
    )


FORMS = {"table": _print_table, "csv": _write_csv, "json": _write_json, "arrow": _write_arrow}
"""Name of a form -> what writes rows in it."""
