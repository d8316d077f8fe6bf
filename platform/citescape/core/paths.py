"""Escapes paths and other untrusted text for terminals, reports and the graph."""

from __future__ import annotations

import os
import re
from pathlib import Path

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # C0 and C1: ESC, CSI, OSC, line breaks, tabs
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of text
    "\u2028\u2029"  # line and paragraph separator
    "\ud800-\udfff]"  # bytes of file names that are not UTF-8
)
_NAMED = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}
_BYTE = 0xDC00
"""Python reads byte b of a name that is not UTF-8 as the surrogate U+DC00 + b (PEP 383)."""


def absolute_path(path: Path) -> Path:
    """The absolute path without `..`. Links stay, except where `..` leads through one."""
    plain = Path(os.path.abspath(path))
    if ".." in path.parts and path.exists() and not (plain.exists() and plain.samefile(path)):
        return path.resolve()
    return plain


def path_text(path: Path | str) -> str:
    r"""A path as one line of text; characters that cannot be shown are escaped: `caf\xe9.xml`."""
    return escape_unsafe(str(path))


def escape_unsafe(text: str) -> str:
    r"""Escapes control characters, and characters that UTF-8 cannot encode.

    The escapes are those of Python (`\x1b`, `\u202e`, `\n`); a byte of a file name that is not
    UTF-8 becomes `\xff`. Escaping twice changes nothing.
    """
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if _BYTE + 0x80 <= code <= _BYTE + 0xFF:
        code -= _BYTE
    return _NAMED.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
