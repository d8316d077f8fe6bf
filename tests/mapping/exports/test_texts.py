"""Texts in one line, exact numbers and escaped markup, compared with Python's functions."""

from __future__ import annotations

import io
import math
from html import unescape
from xml.etree.ElementTree import fromstring

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from citescape.mapping.exports.texts import (
    as_texts,
    clean_texts,
    escape_markup,
    slices,
    wrap,
    write_rows,
)
from tests.mapping.exports.contents import hostile_texts

REFUSED = {*map(chr, range(32)), *map(chr, range(127, 160)), "\u2028", "\u2029", "\ufffe", "\uffff"}


def plain(text: str) -> str | None:
    """Reference implementation, character by character."""
    blanks = "".join(" " if sign in REFUSED else sign for sign in text)
    words = [word for word in blanks.split(" ") if word]
    return " ".join(words) or None


@given(st.lists(hostile_texts))
def test_texts_are_single_lines_valid_in_all_formats(texts: list[str]) -> None:
    found = clean_texts(pa.chunked_array([pa.array(texts, pa.string())]))
    assert found.to_pylist() == [plain(text) for text in texts]
    assert clean_texts(found).equals(found)


def test_null_stays_null() -> None:
    assert clean_texts(pa.array([None, "", "\x00"], pa.string())).to_pylist() == [None] * 3
    assert clean_texts(pa.nulls(2)).to_pylist() == [None, None]


@given(hostile_texts)
def test_escaped_texts_read_back_in_elements_and_attributes(text: str) -> None:
    (clean,) = clean_texts(pa.array([text])).fill_null("").to_pylist()
    (escaped,) = escape_markup(pa.array([clean], pa.string())).to_pylist()
    read = fromstring(f'<a b="{escaped}">{escaped}</a>')
    assert (read.text or "", read.get("b")) == (clean, clean)
    assert unescape(escaped) == clean


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_floats_read_back_as_the_same_number(numbers: list[float]) -> None:
    texts = as_texts(pa.array(numbers, pa.float64())).to_pylist()
    assert [math.copysign(1, float(text)) * abs(float(text)) for text in texts] == numbers
    assert all("," not in text for text in texts)


def test_types_of_columns() -> None:
    assert as_texts(pa.array([1, None, -(2**62)])).to_pylist() == ["1", None, str(-(2**62))]
    assert as_texts(pa.array([True, False, None])).to_pylist() == ["true", "false", None]


def test_rows_are_joined() -> None:
    sink = io.BytesIO()
    write_rows(sink, wrap("<", pa.array(["ä", None], pa.string()), ">"), "\n")
    assert sink.getvalue() == "<ä>\n\n".encode()


def test_slices_have_every_row_once() -> None:
    table = pa.table({"a": range(100_000)})
    parts = list(slices(table))
    assert len(parts) > 1
    assert pa.concat_tables(parts).equals(table)
    assert list(slices(table.slice(0, 0))) == []
