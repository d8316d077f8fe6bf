"""Reads packed maps as the script of the page does."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np

TYPES = {"u1": "<u1", "u2": "<u2", "i4": "<i4", "u4": "<u4", "f4": "<f4"}


def unpack(packed: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and columns."""
    length = int.from_bytes(packed[:4], "little")
    assert length % 4 == 0
    header = json.loads(packed[4 : 4 + length])
    columns = {}
    for name, kind, offset, count in header["columns"]:
        start = 4 + length + offset
        assert start % np.dtype(TYPES[kind]).itemsize == 0
        columns[name] = np.frombuffer(packed, TYPES[kind], count, start)
    return header, columns


def read_texts(packed: bytes, name: str) -> list[str]:
    """The texts of one column."""
    _, columns = unpack(packed)
    ends, content = columns[f"{name}_ends"], columns[name].tobytes()
    return [content[a:b].decode() for a, b in pairwise(ends)]
