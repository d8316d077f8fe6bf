"""Paths as text that a terminal, a report and the graph can hold."""

from __future__ import annotations

import re
from pathlib import Path

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_BYTE = 0xDC00
"""Python reads byte b of a name that is not UTF-8 as the surrogate U+DC00 + b (PEP 383)."""


def path_text(path: Path | str) -> str:
    r"""A path with control characters and bytes that are not UTF-8 escaped: `caf\xe9.xml`."""
    return _UNPRINTABLE.sub(_escape, str(path))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x80 or _BYTE + 0x80 <= code <= _BYTE + 0xFF:
        return f"\\x{code & 0xFF:02x}"
    return f"\\u{code:04x}"
