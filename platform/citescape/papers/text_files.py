"""Texts of users: files in UTF-8 or UTF-16, with reasons where a file is no text."""

from __future__ import annotations

import codecs
import re
import unicodedata
from pathlib import Path

from citescape.core.errors import ConfigError, SourceError

_BINARY_FORMATS = {
    b"%PDF": ("a PDF file", "pdftotext"),
    b"PK\x03\x04": ("a compressed file, such as one of a word processor", "pandoc -t markdown"),
    b"\xd0\xcf\x11\xe0": ("a file of a word processor", "pandoc -t markdown"),
    b"{\\rtf": ("a file of a word processor", "pandoc -t markdown"),
}
_HIDDEN = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\ufeff]")
_LINE_END = re.compile(r"\r\n?|\x0c|\u2028|\u2029")


def read_text_file(path: Path, largest: int) -> str:
    """The text of a file: UTF-8, or UTF-16 with its mark.

    Args:
        path: the file.
        largest: maximum number of bytes.

    Raises:
        ConfigError: there is no such file, or it cannot be read.
        SourceError: it is too long, or not text.
    """
    try:
        if path.stat().st_size > largest:
            size = f"{path.stat().st_size:,} bytes"
            raise SourceError(str(path), "too-long", f"found {size}; expected at most {largest:,}")
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}; expected a file of text or LaTeX"
        ) from error
    for start, (kind, tool) in _BINARY_FORMATS.items():
        if data.startswith(start):
            raise SourceError(
                str(path), "not-text", f"found {kind}; expected text: convert it with {tool}"
            )
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide and b"\x00" in data:
        raise SourceError(str(path), "not-text", "found binary data; expected UTF-8")
    encoding = "utf-16" if wide else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(
            str(path),
            "not-utf-8",
            f"line {line} is not {encoding.removesuffix('-sig').upper()}; save it as UTF-8, for "
            "example with iconv -f LATIN1 -t UTF-8",
        ) from error


def normalise_text(text: str) -> str:
    """Composed characters (NFC), line feeds as line ends, no invisible characters."""
    text = _LINE_END.sub("\n", text).encode("utf-8", "ignore").decode()
    if not text.replace("\n", "").replace("\t", "").isprintable():
        text = _HIDDEN.sub("", text)
    return unicodedata.normalize("NFC", text)
