"""Text files, line by line: decompressed, and decoded even if a file mixes encodings."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from citescape.loaders.documents import DAMAGE, of_file, unreadable

_BOM = "\ufeff"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OTHER_ENCODINGS = ("cp1252", "latin-1")
"""Encodings of lines that are not UTF-8; the last one accepts any byte."""


def split_lines(stream: BinaryIO) -> Iterator[bytes]:
    r"""The lines of a stream, with their `\n`, `\r\n` or `\r`; closes the stream after the last."""
    with io.TextIOWrapper(stream, encoding="latin-1", newline="") as text:
        for line in text:
            yield line.encode("latin-1")


class TextLines:
    """The lines of a file, with their line ends; can be iterated several times.

    UTF-16 is detected by its byte order mark; other lines that are not UTF-8 are decoded one by
    one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        """Number of the last line that was read, from 1."""
        self.recoded = 0
        """Number of lines so far that are not UTF-8; they are read as Windows-1252."""

    def __iter__(self) -> Iterator[str]:
        """Each line.

        Raises:
            SourceError: the file cannot be opened, or its compressed data is cut off.
        """
        self.number = self.recoded = 0
        document = of_file(self.path)
        if document.error is not None:
            raise document.error
        head = document.head()
        try:
            with document.open() as opened:
                for line in self._decoded(opened, head):
                    self.number += 1
                    yield line.lstrip(_BOM if self.number == 1 else "")
        except (OSError, *DAMAGE) as error:
            raise unreadable(str(self.path), error) from None

    def first(self) -> str:
        """The first line that is not blank, within the first bytes of the file."""
        head = of_file(self.path).head()
        lines = (line.strip("\r\n" + _BOM) for line in self._decoded(io.BytesIO(head), head))
        return next((line for line in lines if line.strip()), "")

    def _decoded(self, stream: BinaryIO, head: bytes) -> Iterator[str]:
        if head.startswith(_UTF_16):
            with io.TextIOWrapper(stream, "utf-16", errors="replace", newline="") as text:
                yield from text
        else:
            yield from map(self._decode, split_lines(stream))

    def _decode(self, raw: bytes) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self.recoded += 1
        for encoding in _OTHER_ENCODINGS:
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                continue
        raise AssertionError("Latin-1 accepts any byte")
