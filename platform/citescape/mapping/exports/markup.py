"""Shared by GEXF and GraphML: typed attributes, written column by column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO

import pyarrow as pa

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.texts import as_texts, escape_markup, wrap

TYPES = {
    pa.int64(): "long",
    pa.float64(): "double",
    pa.bool_(): "boolean",
    pa.string(): "string",
}
"""Type of a column -> its name in both formats."""


def write_text(sink: BinaryIO, *lines: str) -> None:
    """Writes lines of markup."""
    sink.write(("\n".join(lines) + "\n").encode())


def escape(text: str) -> str:
    """A text escaped for XML, also within double quotes."""
    escaped: str = escape_markup(pa.array([text], pa.string()))[0].as_py()
    return escaped


def describe(content: AttributedNetwork) -> str:
    """One sentence on the content of a file and its sources."""
    runs = ", ".join(f"{name} {run}" for name, run in content.about.items())
    return f"{content.kind} network of {content.unit}s; {runs}"


def name_keys(table: pa.Table, prefix: str = "") -> dict[str, str]:
    """Names of the columns -> ids of their keys: `n0`, `n1`, ..."""
    return {name: f"{prefix}{k}" for k, name in enumerate(table.column_names)}


def data_texts(
    rows: pa.Table, keys: Mapping[str, str], *, before: str, after: str
) -> list[pa.StringArray]:
    """(columns, rows) the markup of every value; empty if null.

    Args:
        rows: attributes.
        keys: of its columns.
        before: markup before a value, with `{key}` in the place of its key.
        after: markup after it.
    """
    return [
        wrap(before.format(key=keys[name]), escape_markup(as_texts(rows[name])), after)
        for name in rows.column_names
    ]
