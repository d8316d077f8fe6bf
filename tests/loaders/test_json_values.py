"""Values of JSON of any type: an empty value where the type is wrong."""

from __future__ import annotations

import math

import pytest

from citescape.loaders.json_values import (
    as_object,
    as_objects,
    as_offset,
    as_text,
    as_texts,
    readable,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a\n b ", "a b"),
        pytest.param("a\x00b\x0cc\ud800\ufdd0\uffff", "ab c", id="not XML"),
        (2014, "2014"),
        (2014.0, "2014"),
        (0.5, "0.5"),
        (True, ""),
        (None, ""),
        (math.nan, ""),
        (-math.inf, ""),
        pytest.param(10**5000, "", id="huge"),
        (["a"], ""),
        ({"a": 1}, ""),
    ],
)
def test_text(value: object, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize(
    ("value", "offset"),
    [
        (7, 7),
        ("7", 7),
        (" 7 ", 7),
        (7.0, 7),
        ("-7", -7),
        (7.5, None),
        ("7.0", None),
        ("seven", None),
        ("9" * 99, None),
        ("٧", None),
        (True, None),
        (None, None),
        ([7], None),
    ],
)
def test_offset(value: object, offset: int | None) -> None:
    assert as_offset(value) == offset


def test_objects_and_lists() -> None:
    assert as_object({"a": 1}) == {"a": 1}
    assert as_object([("a", 1)]) == {}
    assert as_objects([{"a": 1}, None, "b", {}]) == [{"a": 1}, {}]
    assert as_objects({"a": {}}) == []
    assert as_texts(["a", None, 3, " "]) == ["a", "3"]
    assert as_texts("a") == ["a"]
    assert as_texts(None) == []


def test_readable_text_keeps_its_white_space() -> None:
    assert readable(" a\n\tb ") == " a\n\tb "
