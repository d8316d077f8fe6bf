"""Results as files: the table as CSV, JSON, Parquet or Excel, or the whole output as a page."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from citescape.core.errors import ConfigError
from citescape.core.files import check_folder, write_files

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.runs.result import Result

_TABLES, _PAGE = (".csv", ".json", ".parquet", ".xlsx"), ".html"
_ROWS, _LETTERS = 1_048_575, 32_767
"""Rows of an Excel sheet, without its header; characters of a cell."""


def to_json(value: object) -> str:
    """Standard JSON, which has neither infinity nor NaN: they become null."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        return json.dumps(_replace_not_finite(value), ensure_ascii=False, default=str)


def _replace_not_finite(value: object) -> object:
    if isinstance(value, dict):
        return {name: _replace_not_finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replace_not_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def check_save(path: Path, *, page: bool = True) -> None:
    """Checks before the work that a result can be saved under a name.

    Args:
        path: file to write later.
        page: whether it may be a page.

    Raises:
        ConfigError: no such format, or its folder cannot be created.
    """
    endings = (*_TABLES, _PAGE) if page else _TABLES
    if path.suffix.lower() not in endings:
        raise ConfigError(f"{path}: expected a file that ends in {', '.join(endings)}")
    check_folder(path)


def save_result(result: Result, path: Path, *, bom: bool = False) -> None:
    """Writes the table of a result, or with .html the whole output, to a file.

    Args:
        result: result of a step or query.
        path: its ending decides the format, see `save_tables`.
        bom: begin a CSV file with a byte order mark.

    Raises:
        ConfigError: see `save_tables`.
    """
    from citescape.runs.result import to_page

    if path.suffix.lower() == _PAGE:
        page = to_page(result.summarise_page()).encode(errors="backslashreplace")
        write_files({path: lambda file: file.write(page)})
    else:
        save_tables(result.tables(), path, bom=bom)


def save_tables(tables: Mapping[str, pa.Table], path: Path, *, bom: bool = False) -> None:
    """Writes the main table of a result to a file, whole or not at all; Excel gets all tables.

    Args:
        tables: tables by name; the first one is the main table.
        path: its ending decides the format: .csv, .json, .parquet, .xlsx.
        bom: begin a CSV file with a byte order mark.

    Raises:
        ConfigError: no such format, no table, or more rows than an Excel sheet holds.
    """
    if not tables:
        raise ConfigError(f"{path}: this result has no table; use --json for its figures")
    table = next(iter(tables.values()))
    writers: dict[str, Callable[[BinaryIO], None]] = {
        ".csv": lambda file: _write_csv(table, file, bom=bom),
        ".json": lambda file: _write_json(table, file),
        ".parquet": lambda file: _write_parquet(table, file),
        ".xlsx": lambda file: _write_xlsx(tables, file),
    }
    write_files({path: writers[path.suffix.lower()]})


def _write_csv(table: pa.Table, file: BinaryIO, *, bom: bool) -> None:
    import pyarrow.csv

    from citescape.core.spreadsheets import disarm

    if bom:
        file.write(b"\xef\xbb\xbf")
    pyarrow.csv.write_csv(disarm(_flat(table)), file)


def _write_json(table: pa.Table, file: BinaryIO) -> None:
    file.write(to_json(table.to_pylist()).encode(errors="backslashreplace") + b"\n")


def _write_parquet(table: pa.Table, file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    pq.write_table(table, file, compression="zstd")


def _write_xlsx(tables: Mapping[str, pa.Table], file: BinaryIO) -> None:
    import xlsxwriter

    options = {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True}
    with xlsxwriter.Workbook(file, options) as book:
        for name, table in tables.items():
            if len(table) > _ROWS:
                raise ConfigError(
                    f"{len(table):,} rows; an Excel sheet holds {_ROWS:,}: save as .csv or .parquet"
                )
            sheet = book.add_worksheet(name[:31])
            sheet.write_row(0, 0, table.column_names)
            for column, values in enumerate(_flat(table).columns):
                sheet.write_column(1, column, map(_cell, values.to_pylist()))


def _cell(value: object) -> object:
    """A value as Excel can hold it: no missing or infinite numbers, no text that is too long."""
    if isinstance(value, str) and len(value) > _LETTERS:
        return value[: _LETTERS - 1] + "…"
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return value


def _flat(table: pa.Table) -> pa.Table:
    """Lists and structs as JSON text, which a cell can hold."""
    import pyarrow as pa

    for k, field in enumerate(table.schema):
        if pa.types.is_nested(field.type):
            texts = [json.dumps(v, ensure_ascii=False, default=str) for v in table[k].to_pylist()]
            table = table.set_column(k, field.name, pa.array(texts, pa.string()))
    return table
