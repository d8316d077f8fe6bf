"""Values of JSON objects, of any type: each function gives an empty value where the type is wrong.

Characters that XML cannot hold (control characters, lone surrogates, noncharacters) are removed
from texts, because sections and citations are read from a tree of XML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from citescape.loaders.text_limits import LONGEST_VALUE

JsonRecord = Mapping[str, Any]

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}")
_OFFSETS = 10**12
_LARGEST = 10**18


def readable(text: str) -> str:
    """Text without characters that XML cannot hold; those that separate words become blanks."""
    if text.isprintable():
        return text
    return _NOT_XML.sub(lambda found: " " if found[0].isspace() else "", text)


def as_object(value: object) -> JsonRecord:
    """An object; empty for anything else."""
    return value if isinstance(value, dict | Mapping) else {}  # a dict is found faster


def as_objects(value: object) -> list[JsonRecord]:
    """The objects of a list, without its other items."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def as_text(value: object) -> str:
    """A text or a number as text, white space collapsed; empty for anything else.

    A number without decimals is written without them, also if it is a float. Text after
    `LONGEST_VALUE` characters is left out.
    """
    if isinstance(value, str):
        return " ".join(readable(value[:LONGEST_VALUE]).split())
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if not -_LARGEST < value < _LARGEST:  # also NaN
        return ""
    return str(int(value) if value == int(value) else value)


def as_texts(value: object) -> list[str]:
    """The texts that are not empty, of a list or of a single value."""
    items = value if isinstance(value, list) else [value]
    return [text for text in map(as_text, items) if text]


def as_offset(value: object) -> int | None:
    """A whole number, also written as text; None for anything else."""
    if type(value) is int and -_OFFSETS < value < _OFFSETS:
        return value
    text = as_text(value)
    return int(text) if _WHOLE.fullmatch(text) else None
