"""One document to read: a file, or bytes from an archive, compressed by gzip or not."""

from __future__ import annotations

import gzip
import io
import stat
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from citescape.core.errors import SourceError
from citescape.core.paths import path_text
from citescape.loaders import xml

_GZIP = b"\x1f\x8b"
_HEAD = 4096
DAMAGE = (gzip.BadGzipFile, EOFError, zlib.error)
"""Exceptions of gzip for files that are cut off or damaged."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One document to read; `path` names it in messages (archive, then member).

    In a path, unprintable characters are escaped (`paths.path_text`).
    """

    path: str
    size: int
    """Size in bytes by the file system; 0 if there is nothing to read."""
    file: Path | None = None
    data: bytes | None = None
    """The bytes of a member of an archive."""
    error: SourceError | None = None
    """The reason if it cannot be read. A damaged archive is such a document itself."""
    may_be_other: bool = False
    """Whether it may hold something else than a paper: JSON that a folder or archive holds."""

    def open(self) -> BinaryIO:
        """The bytes as a stream, decompressed if they are gzip, independent of the ending."""
        opened = io.BytesIO(self.data or b"") if self.file is None else self.file.open("rb")
        zipped = opened.read(len(_GZIP)) == _GZIP
        opened.seek(0)
        if not zipped:
            return opened
        if self.file is None:
            return cast(BinaryIO, gzip.GzipFile(fileobj=opened))
        opened.close()
        return cast(BinaryIO, gzip.open(self.file))

    def head(self) -> bytes:
        """The first bytes; empty if they cannot be read: `read` raises the error."""
        try:
            with self.open() as opened:
                return opened.read(_HEAD)
        except (OSError, *DAMAGE):
            return b""

    def read(self) -> bytes:
        """The bytes.

        Raises:
            SourceError: the document is over `xml.MAX_BYTES`, or cannot be read.
        """
        if self.error is not None:
            raise self.error
        try:
            with self.open() as opened:
                data = opened.read(min(self.size, xml.MAX_BYTES) + 1)
                if len(data) > self.size:  # compressed, a device, or a growing file
                    data += opened.read(xml.MAX_BYTES + 1 - len(data))
        except (OSError, *DAMAGE) as error:
            raise unreadable(self.path, error) from None
        if len(data) > xml.MAX_BYTES:
            raise xml.too_large(self.path, max(self.size, len(data)))
        return data


def of_file(file: Path) -> SourceDocument:
    """The document of a file. Pipes and devices are refused: reading them might never end."""
    try:
        state = file.stat()
    except OSError as error:
        return refused(unreadable(str(file), error))
    if stat.S_ISDIR(state.st_mode):  # `iter_files` yields folders only if they cannot be listed
        message = "a folder that cannot be listed; allow reading it and run again"
        return refused(SourceError(str(file), "unreadable-folder", message))
    if not stat.S_ISREG(state.st_mode):
        message = "a pipe or device; save what it gives as a file and ingest that"
        return refused(SourceError(str(file), "unreadable", message))
    return SourceDocument(path_text(file), state.st_size, file)


def refused(error: SourceError) -> SourceDocument:
    """A document that cannot be read."""
    return SourceDocument(error.path, 0, error=error)


def unreadable(path: str, error: Exception) -> SourceError:
    """The error for a file that cannot be opened, or whose compressed data is cut off."""
    if not isinstance(error, DAMAGE):
        return SourceError(path, "unreadable", getattr(error, "strerror", None) or str(error))
    message = f"compressed by gzip, but cut off or damaged ({_detail(error)}): fetch it again"
    return SourceError(path, "damaged-archive", f"{message} and rerun")


def damaged(path: str, error: Exception) -> SourceError:
    """The error for an archive that is cut off or damaged in any other way."""
    message = (
        f"the archive or Parquet file is cut off or damaged ({_detail(error)}); papers before the "
        "damage are read if it has any: fetch it again and rerun"
    )
    return SourceError(path, "damaged-archive", message)


def _detail(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
