"""Converts values to text that every tool can read: one line, no locale, exact floats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

_ROWS = 1 << 15
"""Number of rows converted to text at once."""
_INVALID = r"[\x00-\x1f\x7f-\x9f\x{2028}\x{2029}\x{fffe}\x{ffff}]+"
"""Control characters, line ends, NUL, and characters that XML 1.0 forbids."""
_MARKUP = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))


def clean_texts(column: pa.ChunkedArray | pa.Array) -> pa.StringArray:
    """Converts texts to one line each; empty texts become null.

    Control characters, line ends and characters that XML forbids become spaces; runs of spaces
    become one. The result is valid in every format.
    """
    text = _combine(column).cast(pa.string())
    text = pc.replace_substring_regex(text, _INVALID, " ")
    text = pc.utf8_trim(pc.replace_substring_regex(text, "  +", " "), " ")
    return pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)


def as_texts(column: pa.ChunkedArray | pa.Array) -> pa.StringArray:
    """Converts numbers, booleans and texts to text; null stays null.

    Floats have the shortest text that parses to the same number.
    """
    return _combine(column).cast(pa.string())


def escape_markup(texts: pa.StringArray) -> pa.StringArray:
    """Escapes texts for XML, also within double quotes."""
    for sign, name in _MARKUP:
        texts = pc.replace_substring(texts, sign, name)
    return texts


def wrap(before: str, texts: pa.StringArray | pa.ChunkedArray, after: str) -> pa.StringArray:
    """Adds text before and after each text; null becomes empty.

    Args:
        before: text before.
        texts: (rows,) texts.
        after: text after.
    """
    return pc.fill_null(pc.binary_join_element_wise(before, _combine(texts), after, ""), "")


def slices(table: pa.Table) -> Iterator[pa.Table]:
    """Slices of a table, to limit memory for text."""
    for start in range(0, table.num_rows, _ROWS):
        yield table.slice(start, _ROWS)


def write_rows(sink: BinaryIO, *parts: pa.StringArray | str) -> None:
    """Joins the parts element by element and writes the rows, without adding line ends."""
    sink.write("".join(pc.binary_join_element_wise(*parts, "").to_pylist()).encode())


def _combine(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    if isinstance(column, pa.ChunkedArray):
        return column.combine_chunks()
    return column
