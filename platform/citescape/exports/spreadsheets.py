"""Tables as CSV files that a spreadsheet may open."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from citescape.exports.files import write_files

_FORMULA = "^([=+@＝＋－＠-])"


def write_csv(table: pa.Table, path: Path) -> None:
    """Writes a table with the names of its columns; texts that would be formulas are disarmed.

    Raises:
        ConfigError: the file cannot be written; what was there stays.
    """
    write_files({path: partial(pyarrow.csv.write_csv, disarm(table))})


def disarm(table: pa.Table) -> pa.Table:
    """Texts that a spreadsheet would run as a formula, with an apostrophe before them.

    These begin with = + - or @, also as wide characters. Numbers are left as they are.
    """
    columns = {
        field.name: pc.replace_substring_regex(table[field.name], _FORMULA, r"'\1")
        if field.type == pa.string()
        else table[field.name]
        for field in table.schema
    }
    return pa.table(columns)
