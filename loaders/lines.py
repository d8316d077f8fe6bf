"""Text files, line by line: decompressed, and decoded where several encodings stand in one file."""

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
"""What a line may be in that is not UTF-8; the last one takes any byte."""


def split_lines(stream: BinaryIO) -> Iterator[bytes]:
    r"""The lines of a stream, which is closed after the last; each keeps its `\n`, `\r\n`, `\r`."""
    with io.TextIOWrapper(stream, encoding="latin-1", newline="") as text:
        for line in text:
            yield line.encode("latin-1")


class TextLines:
    """The lines of a file, as often as they are asked for; their ends stay.

    UTF-16 is told by its mark; what else is not UTF-8 is decoded line by line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        """Of the line that was given last, from 1."""
        self.recoded = 0
        """Lines so far that are not UTF-8; they are read as Windows-1252."""

    def __iter__(self) -> Iterator[str]:
        """Each line.

        Raises:
            SourceError: the file cannot be opened, or its compression breaks off.
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
        """The first that is not blank, as far as it can be told from the head of the file."""
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
        raise AssertionError("Latin-1 takes any byte")
