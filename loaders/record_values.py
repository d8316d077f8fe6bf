"""Values of JSON records and rows of Parquet, which may have any type.

A nested value may be missing, a JSON string, a list of pairs, or one value instead of a list. No
function raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any

import orjson

from citescape.loaders.text_limits import LONGEST_VALUE

Record = Mapping[str, Any]
"""One JSON object, or one row."""

_EXACT = 2**53
"""Whole floats below it are exact."""
_LARGEST = 2**64
_TRUE = ("true", "yes", "y", "1")
_FALSE = ("false", "no", "n", "0")


def to_text(value: object) -> str:
    """A text with white space collapsed, digits of a whole number, a date; empty for others.

    Text after `LONGEST_VALUE` characters is left out.
    """
    if isinstance(value, str):
        if value.isalnum():
            return value
        return " ".join(value[:LONGEST_VALUE].replace("\x00", " ").split())
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return str(value) if abs(value) < _LARGEST else ""
    if isinstance(value, float):
        return str(int(value)) if abs(value) < _EXACT and value.is_integer() else ""
    return str(value) if isinstance(value, date) else ""


def to_list(value: object) -> Sequence[Any]:
    """A list, also from a JSON string; any other value is a list of one, a missing one of none."""
    if isinstance(value, list):
        return value
    if isinstance(value, str) and value.lstrip()[:1] == "[":
        value = _parse(value)
    if isinstance(value, list | tuple):
        return value
    return () if value is None or value == "" else (value,)


def to_mapping(value: object) -> Record:
    """An object, also from a JSON string or as pairs of key and value; empty for others."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        value = _parse(value)
    if isinstance(value, list | tuple):
        return dict(_pairs(value))
    return value if isinstance(value, Mapping) else {}


def to_flag(value: object) -> bool | None:
    """True or false, also written as a word, letter or number; None for others."""
    if value is None or isinstance(value, bool):
        return value
    word = to_text(value).lower()
    return True if word in _TRUE else False if word in _FALSE else None


def texts(value: object) -> Iterator[str]:
    """The texts of a list that are not empty; of objects in it, their `display_name` or `name`."""
    for item in to_list(value):
        if isinstance(item, Mapping):
            item = item.get("display_name") or item.get("name")
        if text := to_text(item):
            yield text


def name_keys(record: Record) -> str:
    """The first keys of a record, for messages."""
    return ", ".join(str(key)[:40] for key in islice(record, 8))


def lower_keys(value: object) -> Record:
    """An object with its keys in lower case; of keys that differ in case only, the last counts."""
    return {str(key).lower(): item for key, item in to_mapping(value).items()}


def _pairs(items: Sequence[object]) -> Iterator[tuple[str, object]]:
    """Keys and values, as Arrow writes a map: tuples, or objects with `key` and `value`."""
    for item in items:
        if isinstance(item, Mapping):
            item = (item.get("key"), item.get("value"))
        if isinstance(item, list | tuple) and len(item) == 2 and isinstance(item[0], str):
            yield item[0], item[1]


def _parse(text: str) -> object:
    """The value of a JSON string; the text itself if it is none."""
    try:
        return orjson.loads(text)
    except ValueError:
        return text
