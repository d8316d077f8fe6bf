"""Typed attributes of GEXF and GraphML, written column by column."""

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
"""Type of a column -> name of the type in both formats."""


def write_text(sink: BinaryIO, *lines: str) -> None:
    """Writes lines of markup."""
    sink.write(("\n".join(lines) + "\n").encode())


def escape(text: str) -> str:
    """Escapes a text for XML, also within double quotes."""
    escaped: str = escape_markup(pa.array([text], pa.string()))[0].as_py()
    return escaped


def describe(content: AttributedNetwork) -> str:
    """Description of the content of a file and its sources."""
    runs = ", ".join(f"{name} {run}" for name, run in content.about.items())
    return f"{content.kind} network of {content.unit}s; {runs}"


def name_keys(table: pa.Table, prefix: str = "") -> dict[str, str]:
    """Name of a column -> id of its key: `n0`, `n1`, ..."""
    return {name: f"{prefix}{k}" for k, name in enumerate(table.column_names)}


def format_values(
    rows: pa.Table, keys: Mapping[str, str], *, before: str, after: str
) -> list[pa.StringArray]:
    """Markup (columns, rows) of each value; empty if null.

    Args:
        rows: attributes.
        keys: column -> id of its key.
        before: markup before a value, with `{key}` for its key.
        after: markup after a value.
    """
    return [
        wrap(before.format(key=keys[name]), escape_markup(as_texts(rows[name])), after)
        for name in rows.column_names
    ]
