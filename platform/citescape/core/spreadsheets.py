"""Tables as CSV files that a spreadsheet may open."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from citescape.core.files import write_files

_SKIPPED = (
    '\\x00-\\x20"\x7f-\xa0\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff'
)
"""What importers may skip before a formula: blanks, characters without a shape, double quotes."""
_FORMULA = rf"^([{_SKIPPED}]*[=+@＝＋－＠-]|[\t\r\n])"
_FIRST = re.compile(_FORMULA)


def write_csv(table: pa.Table, path: Path) -> None:
    """Writes a table with a header; texts that would be formulas are disarmed.

    Raises:
        ConfigError: the file cannot be written; an existing file is unchanged.
    """
    write_files({path: partial(pyarrow.csv.write_csv, disarm(table))})


def disarm(table: pa.Table) -> pa.Table:
    """Puts an apostrophe before texts that a spreadsheet would run as a formula.

    These begin with = + - or @, also as wide characters and after blanks or double quotes, which
    importers may skip; or with a tab or a line break. Names of columns are texts too. Numbers are
    left as they are.
    """
    columns = [
        pc.replace_substring_regex(column, _FORMULA, r"'\1")
        if pa.types.is_string(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(columns, [disarm_text(name) for name in table.column_names])


def disarm_text(text: str) -> str:
    """One text as `disarm` writes it."""
    return f"'{text}" if _FIRST.match(text) else text
