"""Text files, line by line: decompressed, and decoded even if a file mixes encodings."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TextIO

from citescape.loaders.documents import DAMAGE, SourceDocument, of_file, unreadable

_BOM = "\ufeff"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
LONGEST_LINE = 20_000_000
"""Maximum bytes of a line of a table: the longest rows seen have some thousand authors. What is
beyond is left out, so that the line is damaged but does not fill the memory."""
_PIECE = 1 << 20
_OTHER_ENCODINGS = ("cp1252", "latin-1")
"""Encodings of lines that are not UTF-8; the last one accepts any byte."""


def split_lines(stream: BinaryIO) -> Iterator[bytes]:
    r"""The lines of a stream, with their `\n`, `\r\n` or `\r`; closes the stream after the last.

    A line over `LONGEST_LINE` is cut.
    """
    with io.TextIOWrapper(stream, encoding="latin-1", newline="") as text:
        for line in _bounded_lines(text):
            yield line.encode("latin-1")


def _bounded_lines(text: TextIO) -> Iterator[str]:
    """The lines of a text; the rest of one over `LONGEST_LINE` is passed over, but its end."""
    ahead = ""
    while line := ahead + text.readline(LONGEST_LINE):
        ahead = ""
        if len(line) >= LONGEST_LINE and line[-1] != "\n":
            last = line
            while last and last[-1] not in "\r\n":
                last = text.readline(_PIECE)
            end = last[-1:]
            if end == "\r":  # perhaps the first half of an end
                following = text.read(1)
                end, ahead = ("\r\n", "") if following == "\n" else (end, following)
            line = line.rstrip("\r") + end
        yield line


def read_lines(document: SourceDocument, longest: int) -> Iterator[str]:
    """The lines of a document with their ends, decoded as those of `TextLines`.

    Args:
        document: the document.
        longest: maximum characters of a line; the rest of a longer one is the next line.
    """
    encoding = "utf-16" if document.head().startswith(_UTF_16) else "latin-1"
    with io.TextIOWrapper(document.open(), encoding, errors="replace", newline="") as text:
        first = True
        while line := text.readline(longest):
            if encoding == "latin-1" and not line.isascii():
                line, _ = decode(line.encode("latin-1"))
            yield line.lstrip(_BOM) if first else line
            first = False


def decode_head(head: bytes) -> str:
    """The text of the first bytes of a file, without its byte order mark."""
    encoding = "utf-16" if head.startswith(_UTF_16) else "utf-8"
    return head.decode(encoding, errors="replace").lstrip(_BOM)


def decode(raw: bytes) -> tuple[str, bool]:
    """The text of a line, and whether it is UTF-8."""
    try:
        return raw.decode("utf-8"), True
    except UnicodeDecodeError:
        pass
    for encoding in _OTHER_ENCODINGS:
        try:
            return raw.decode(encoding), False
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 accepts any byte")


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
        """Each line, without zero bytes, which no store accepts.

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
                    line = line.lstrip(_BOM if self.number == 1 else "")
                    yield line.replace("\0", " ") if "\0" in line else line
        except (OSError, *DAMAGE) as error:
            raise unreadable(str(self.path), error) from None

    def first(self) -> str:
        """The first line that is not blank, within the first bytes of the file."""
        return self.head(1)[0]

    def head(self, count: int) -> list[str]:
        """The first lines that are not blank, within the first bytes of the file; at least one."""
        head = of_file(self.path).head()
        lines = (line.strip("\r\n" + _BOM) for line in self._decoded(io.BytesIO(head), head))
        return list(islice((line for line in lines if line.strip()), count)) or [""]

    def _decoded(self, stream: BinaryIO, head: bytes) -> Iterator[str]:
        if head.startswith(_UTF_16):
            with io.TextIOWrapper(stream, "utf-16", errors="replace", newline="") as text:
                yield from _bounded_lines(text)
        else:
            yield from map(self._decode, split_lines(stream))

    def _decode(self, raw: bytes) -> str:
        line, is_utf8 = decode(raw)
        self.recoded += not is_utf8
        return line
