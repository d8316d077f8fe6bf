"""What GEXF and GraphML have in common: typed attributes, written without an object a row."""

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
"""Type of a column -> what both formats call it."""


def write_text(sink: BinaryIO, *lines: str) -> None:
    """Writes lines of markup."""
    sink.write(("\n".join(lines) + "\n").encode())


def escape(text: str) -> str:
    """A text that may stand in XML, in an attribute in double quotes too."""
    escaped: str = escape_markup(pa.array([text], pa.string()))[0].as_py()
    return escaped


def describe(content: AttributedNetwork) -> str:
    """One sentence on what a file holds and what it was made of."""
    runs = ", ".join(f"{name} {run}" for name, run in content.about.items())
    return f"{content.kind} network of {content.unit}s; {runs}"


def name_keys(table: pa.Table, prefix: str = "") -> dict[str, str]:
    """Names of the columns -> ids of their keys: `n0`, `n1`, ..."""
    return {name: f"{prefix}{k}" for k, name in enumerate(table.column_names)}


def data_texts(
    rows: pa.Table, keys: Mapping[str, str], *, before: str, after: str
) -> list[pa.StringArray]:
    """(columns, rows) the markup of every value; empty where it is null.

    Args:
        rows: attributes.
        keys: of its columns.
        before: markup before a value, with `{key}` in the place of its key.
        after: markup behind it.
    """
    return [
        wrap(before.format(key=keys[name]), escape_markup(as_texts(rows[name])), after)
        for name in rows.column_names
    ]
